"""Rename of variables, parameters, classes and defines, with keys of data and files.

A rename is checked twice: in the new texts every name has to mean what it meant, and the catalogs
have to be equal but for the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from lsprotocol import types

from analyzer.lsp.features.definition import declarations
from analyzer.lsp.features.occurrences import owner_of, places_of
from analyzer.lsp.features.renaming import Plan, capital, plan_of
from analyzer.lsp.state.edits import Change, edit_of, snapshot_with, texts_after
from analyzer.lsp.state.snapshot import Asked, Found, Refused, Snapshot

# What may be renamed, and how its names look.
NAMES = {
    "variable": re.compile(r"[a-z_]\w*", re.ASCII),
    "parameter": re.compile(r"[a-z]\w*", re.ASCII),
    "class": re.compile(r"[a-z]\w*(?:::[a-z]\w*)*", re.ASCII),
    "define": re.compile(r"[a-z]\w*(?:::[a-z]\w*)*", re.ASCII),
}


def prepare(snapshot: Snapshot, asked: Asked) -> types.PrepareRenamePlaceholder | None:
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


def answer(snapshot: Snapshot, asked: Asked) -> types.WorkspaceEdit:
    """Return the edits of a rename.

    Raises:
        Refused: it cannot be renamed so; the message tells why.
    """
    found = declarations(snapshot, asked)
    if not found or found[0].symbol.kind not in NAMES:
        raise Refused("only variables, parameters, classes and defines can be renamed")
    new = asked.params.new_name.removeprefix("$").removeprefix("::")
    kind = found[0].symbol.kind
    if not NAMES[kind].fullmatch(new):
        raise Refused(f"{new!r} is no name of a {kind}: begin with a lower-case letter")
    plan = plan_of(snapshot, found[0], new)
    after = moved(snapshot, plan)
    check_meaning(snapshot, after, found[0], plan)
    check_catalogs(snapshot, found[0], plan, new)
    return edit_of(snapshot, plan.changes, plan.moves)


def moved(snapshot: Snapshot, plan: Plan) -> dict[str, str]:
    """Return the texts after a rename; of a file that moves, nothing stays behind."""
    texts = texts_after(snapshot, plan.changes)
    for old, new in plan.moves:
        texts[new] = texts.get(old, snapshot.text(old))
        texts[old] = ""
    return texts


def check_meaning(snapshot: Snapshot, texts: dict[str, str], found: Found, plan: Plan) -> None:
    """Check that the new name means in the new texts what the old one meant in the old ones.

    Raises:
        Refused: something else has that name there.
    """
    later = snapshot_with(snapshot, texts)
    paths = dict(plan.moves)
    own = [one for one in plan.changes if one.path == found.path]
    at = start_after(found.symbol.start, own)
    path = paths.get(found.path, found.path)
    symbols = later.facts(path).symbols
    made = next((one for one in symbols if one.start == at and one.kind == found.symbol.kind), None)
    if made is None:
        raise Refused("the file would not be read as before")
    was = {(p.path, p.start) for p in places_of(snapshot, found)}
    now = {(p.path, p.start) for p in places_of(later, Found(path, made))}
    wanted = {
        (paths.get(file, file), start_after(start, [c for c in plan.changes if c.path == file]))
        for file, start in was
    }
    if wanted != now:
        file, start = min(wanted ^ now)
        line = later.text(file).count("\n", 0, start) + 1
        raise Refused(f"another declaration has this name: see {file}:{line}")


def start_after(offset: int, changes: list[Change]) -> int:
    """Return where an offset is after changes; a name begins where it began."""
    return offset + sum(len(c.text) - (c.end - c.start) for c in changes if c.end <= offset)


def check_catalogs(snapshot: Snapshot, found: Found, plan: Plan, new: str) -> None:
    """Check by compiling before and after that the catalogs are equal but for the name.

    Raises:
        Refused: they are not, or do not compile any more.
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
    problem = difference(job, replace(job, classes=classes), moved(snapshot, plan), names)
    if problem:
        raise Refused(f"not renamed: {problem}")


def renamer(snapshot: Snapshot, found: Found, new: str) -> Callable[[str], str]:
    """Return a function that replaces the old name in words of a catalog."""
    symbol = found.symbol
    owner = owner_of(snapshot, found)
    if symbol.kind in ("class", "define"):
        begin = r"\bClass\[{}\]" if symbol.kind == "class" else r"(?<![\w:]){}(?=\[)"
        pattern = re.compile(begin.format(re.escape(capital(symbol.name))))
        by = f"Class[{capital(new)}]" if symbol.kind == "class" else capital(new)
        whole = f"class {symbol.name}" if symbol.kind == "class" else ""
        return lambda text: f"class {new}" if text == whole else pattern.sub(by, text)
    if owner is not None and symbol.kind == "parameter":
        kind = capital(owner.symbol.name)
        ref = rf"Class\[{kind}\]" if owner.symbol.kind == "class" else rf"{kind}\[.*?\]"
        first = re.compile(rf"({ref} ){symbol.name}(?= => )", re.DOTALL)
        return lambda text: match_first(first, text, new)
    return lambda text: text


def match_first(pattern: re.Pattern[str], text: str, new: str) -> str:
    """Return a text with another name behind the group that it begins with."""
    found = pattern.match(text)
    return f"{found[1]}{new}{text[found.end() :]}" if found else text
