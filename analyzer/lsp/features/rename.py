"""Rename of variables, parameters, classes and defines, with keys of data and files.

A rename is checked twice: in the new texts every name must keep its meaning, and the catalogs must
be equal except for the name.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from analyzer.lsp.features.definition import declarations
from analyzer.lsp.features.occurrences import owner_of, places_of
from analyzer.lsp.features.renaming import RenamePlan, capital, plan_of
from analyzer.lsp.state.edits import TextChange, edit_of, snapshot_with, texts_after
from analyzer.lsp.state.snapshot import EditorRequest, FoundSymbol, RequestRefused, Snapshot

if TYPE_CHECKING:
    from analyzer.lsp.checks.equality import EqualityResult

# The kinds of symbols that can be renamed, with the pattern of their names.
NAMES = {
    "variable": re.compile(r"[a-z_]\w*", re.ASCII),
    "parameter": re.compile(r"[a-z]\w*", re.ASCII),
    "class": re.compile(r"[a-z]\w*(?:::[a-z]\w*)*", re.ASCII),
    "define": re.compile(r"[a-z]\w*(?:::[a-z]\w*)*", re.ASCII),
}


def prepare(snapshot: Snapshot, asked: EditorRequest) -> types.PrepareRenamePlaceholder | None:
    """Return the name that would be renamed, None if there is none at the position."""
    found = declarations(snapshot, asked)
    name = asked.facts.use_at(asked.start) or asked.facts.symbol_at(asked.start)
    if name is None or not found or found[0].symbol.kind not in NAMES:
        return None
    start = name.start
    if found[0].symbol.kind in ("variable", "parameter"):
        start = max(start, name.end - len(found[0].symbol.name))
    where = snapshot.range(asked.path, start, name.end)
    return types.PrepareRenamePlaceholder(where, found[0].symbol.name)


def answer(snapshot: Snapshot, asked: EditorRequest) -> types.WorkspaceEdit:
    """Return the edits of a rename.

    Raises:
        Refused: this rename is not possible; the message has the reason.
    """
    found = declarations(snapshot, asked)
    if not found or found[0].symbol.kind not in NAMES:
        raise RequestRefused("only variables, parameters, classes and defines can be renamed")
    new = asked.params.new_name.removeprefix("$").removeprefix("::")
    kind = found[0].symbol.kind
    if not NAMES[kind].fullmatch(new):
        raise RequestRefused(
            f"{new!r} is not a valid name for a {kind}: begin with a lower-case letter"
        )
    plan = plan_of(snapshot, found[0], new)
    after = moved(snapshot, plan)
    check_meaning(snapshot, after, found[0], plan)
    check_catalogs(snapshot, found[0], plan, new)
    return edit_of(snapshot, plan.changes, plan.moves)


def moved(snapshot: Snapshot, plan: RenamePlan) -> dict[str, str]:
    """Return the texts after a rename; a file that moves leaves an empty text."""
    texts = texts_after(snapshot, plan.changes)
    for old, new in plan.moves:
        texts[new] = texts.get(old, snapshot.text(old))
        texts[old] = ""
    return texts


def check_meaning(
    snapshot: Snapshot, texts: dict[str, str], found: FoundSymbol, plan: RenamePlan
) -> None:
    """Check that the new name has the same meaning in the new texts as the old one before.

    Raises:
        Refused: another declaration has that name there.
    """
    later = snapshot_with(snapshot, texts)
    paths = dict(plan.moves)
    own = [one for one in plan.changes if one.path == found.path]
    at = start_after(found.symbol.start, own)
    path = paths.get(found.path, found.path)
    symbols = later.facts(path).symbols
    made = next((one for one in symbols if one.start == at and one.kind == found.symbol.kind), None)
    if made is None:
        raise RequestRefused("the file would not be read as before")
    was = {(p.path, p.start) for p in places_of(snapshot, found)}
    now = {(p.path, p.start) for p in places_of(later, FoundSymbol(path, made))}
    wanted = {
        (paths.get(file, file), start_after(start, [c for c in plan.changes if c.path == file]))
        for file, start in was
    }
    if wanted != now:
        file, start = min(wanted ^ now)
        line = later.text(file).count("\n", 0, start) + 1
        raise RequestRefused(f"another declaration has this name: see {file}:{line}")


def start_after(offset: int, changes: list[TextChange]) -> int:
    """Return an offset as moved by changes; the beginning of a changed name stays."""
    return offset + sum(len(c.text) - (c.end - c.start) for c in changes if c.end <= offset)


def check_catalogs(snapshot: Snapshot, found: FoundSymbol, plan: RenamePlan, new: str) -> None:
    """Check by compiling before and after that the catalogs are equal except for the name.

    Raises:
        Refused: they are not equal, or no longer compile.
    """
    from analyzer.lsp.checks.equality import difference
    from analyzer.lsp.checks.reach import job_for

    job = job_for(snapshot, found.path)
    if job is None:
        return
    names = renamer(snapshot, found, new)
    classes = tuple(
        (folder, tuple(names(f"class {name}").removeprefix("class ") for name in own))
        for folder, own in job.classes
    )
    after = replace(job, classes=classes)
    outcome = snapshot.apart(difference, job, after, moved(snapshot, plan), names)
    if outcome.problem:
        raise RequestRefused(f"not renamed: {outcome.problem}")
    snapshot.tell(compared(f"{found.symbol.name} is now {new}", outcome))


def compared(what: str, outcome: EqualityResult) -> str:
    """Return a sentence about the catalogs that a check of a rename compared."""
    same = ", ".join(outcome.compared) or "none"
    late = ", ".join(outcome.left)
    left = f"; not compared, because time ran out: {late}" if late else ""
    others = f"; {outcome.others} other nodes were not compared" if outcome.others else ""
    return f"{what}; catalogs compared, equal but for the name: {same}{left}{others}"


class Renamer(NamedTuple):
    """Replaces the old name in the text of a catalog; it can be sent to another process.

    `whole` is a text and its replacement. With `first`, only a match at the beginning is replaced,
    and the text of its group is kept.
    """

    pattern: re.Pattern[str]
    by: str
    whole: tuple[str, str] = ("", "")
    first: bool = False

    def __call__(self, text: str) -> str:
        """Return a text with the new name."""
        if text and text == self.whole[0]:
            return self.whole[1]
        if not self.first:
            return self.pattern.sub(self.by, text)
        found = self.pattern.match(text)
        return f"{found[1]}{self.by}{text[found.end() :]}" if found else text


def renamer(snapshot: Snapshot, found: FoundSymbol, new: str) -> Renamer:
    """Return the object that replaces the old name in the text of a catalog."""
    symbol = found.symbol
    owner = owner_of(snapshot, found)
    old = re.escape(capital(symbol.name))
    if symbol.kind == "class":
        whole = f"class {symbol.name}", f"class {new}"
        return Renamer(re.compile(rf"\bClass\[{old}\]"), f"Class[{capital(new)}]", whole)
    if symbol.kind == "define":
        return Renamer(re.compile(rf"(?<![\w:]){old}(?=\[)"), capital(new))
    if owner is not None and symbol.kind == "parameter":
        kind = capital(owner.symbol.name)
        ref = rf"Class\[{kind}\]" if owner.symbol.kind == "class" else rf"{kind}\[.*?\]"
        pattern = re.compile(rf"({ref} ){symbol.name}(?= => )", re.DOTALL)
        return Renamer(pattern, new, first=True)
    return Renamer(re.compile(r"(?!)"), "")
