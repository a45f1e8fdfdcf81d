"""Code actions: tested fixes, and changes of the order.

`TABLE` has a row for each: its kind, and the function that yields its offers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lsprotocol import types

from analyzer.diagnostics import Finding, Fix
from analyzer.lsp.features.ordering import order_two, require_used
from analyzer.lsp.features.renaming import file_of
from analyzer.lsp.index.facts import IndexedUse
from analyzer.lsp.state.edits import TextChange, edit_of
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot
from analyzer.source import line_starts, place_of

Kind = types.CodeActionKind

# The codes of rules.
CODE = re.compile(r"CG\d+")

NAME = re.compile(r"[a-z]\w*(?:::[a-z]\w*)*", re.ASCII)


class Offer(NamedTuple):
    """An action: its title, its changes, the files it creates, the diagnostics it fixes."""

    title: str
    changes: list[TextChange]
    made: tuple[str, ...] = ()
    mends: types.Diagnostic | None = None


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.CodeAction]:
    """Return the actions at a range; `source` actions only if the editor asks for them."""
    context = asked.params.context
    only = [str(getattr(kind, "value", kind)) for kind in context.only or ()]
    found = []
    for kind, offers in TABLE:
        wanted = any(kind == one or kind.startswith(f"{one}.") for one in only)
        if wanted or (not only and not kind.startswith("source")):
            found += [made(snapshot, kind, one) for one in offers(snapshot, asked)]
    return found


def made(snapshot: Snapshot, kind: str, offer: Offer) -> types.CodeAction:
    """Return an action as the protocol represents it."""
    return types.CodeAction(
        title=offer.title,
        kind=kind,
        diagnostics=[offer.mends] if offer.mends is not None else None,
        edit=edit_of(snapshot, offer.changes, made=offer.made),
    )


def fixes(snapshot: Snapshot, asked: EditorRequest) -> Iterator[Offer]:
    """Yield the tested fixes of the diagnostics at a place.

    If the editor names no diagnostic, they are those of the findings about a line of the range.
    """
    found = snapshot.fixes.get(asked.path, ())
    for one in asked.params.context.diagnostics:
        for finding in found:
            if finding.code == one.code and one.message.startswith(finding.message):
                for fix in finding.fixes:
                    yield Offer(words_of(fix), changes_of(fix), (), one)
    if not asked.params.context.diagnostics:
        first, last = (place_of(asked.text, at)[0] for at in (asked.start, asked.end))
        for finding in found:
            if any(first <= line <= last for line in lines_about(finding, asked.path)):
                for fix in finding.fixes:
                    yield Offer(words_of(fix), changes_of(fix))


def lines_about(finding: Finding, path: str) -> Iterator[int]:
    """Yield the lines of a file that a finding names."""
    for span in (finding.span, *(step.span for step in finding.steps)):
        if span is not None and os.path.abspath(span.file) == path:
            yield span.line


def words_of(fix: Fix) -> str:
    """Return the title of a fix, with its effect on the order."""
    doubt = f"; {fix.doubt}" if fix.doubt else ""
    return f"{'Unsafe: ' if fix.unsafe else ''}{fix.what} ({fix.effect}{doubt})"


def changes_of(fix: Fix) -> list[TextChange]:
    """Return the edits of a fix."""
    return [TextChange(os.path.abspath(e.file), e.start, e.end, e.text) for e in fix.edits]


def fix_all(snapshot: Snapshot, asked: EditorRequest) -> Iterator[Offer]:
    """Yield one action with the safe fixes of a file; of two on the same line, the first."""
    changes: list[TextChange] = []
    taken: set[tuple[str, int]] = set()
    for finding in sorted(snapshot.fixes.get(asked.path, ()), key=place_of_fix):
        own = next((changes_of(fix) for fix in finding.fixes if not fix.unsafe), [])
        lines = {line for one in own for line in lines_of(snapshot, one)}
        if own and not lines & taken and all(one.path == asked.path for one in own):
            changes += own
            taken |= lines
    if changes:
        yield Offer("Fix all that can be fixed safely", changes)


def place_of_fix(finding: Finding) -> tuple[int, str]:
    """Return the place where the first fix of a finding begins."""
    return min((edit.start for fix in finding.fixes for edit in fix.edits), default=0), finding.code


def lines_of(snapshot: Snapshot, change: TextChange) -> set[tuple[str, int]]:
    """Return the lines that a change touches."""
    text = snapshot.text(change.path)
    first, last = place_of(text, change.start)[0], place_of(text, change.end)[0]
    return {(change.path, line) for line in range(first, last + 1)}


def ignores(snapshot: Snapshot, asked: EditorRequest) -> Iterator[Offer]:
    """Yield comments that accept the diagnostics at a place; the user writes the reason."""
    starts = line_starts(asked.text)
    for one in asked.params.context.diagnostics:
        line = one.range.start.line
        if CODE.fullmatch(str(one.code)) and line < len(starts) - 1:
            row = asked.text[starts[line] : starts[line + 1] - 1]
            indent = row[: len(row) - len(row.lstrip())]
            end = "\r\n" if row.endswith("\r") else "\n"
            comment = f"{indent}# catgraph:ignore[{one.code}] reason: {end}"
            change = TextChange(asked.path, starts[line], starts[line], comment)
            yield Offer(f"Accept {one.code} here, with a reason", [change], (), one)


def contain(snapshot: Snapshot, asked: EditorRequest) -> Iterator[Offer]:
    """Yield `contain` in place of the `include` at a place in a class."""
    line = place_of(asked.text, asked.start)[0]
    for use in asked.facts.uses:
        if (use.kind, use.name) == ("function", "include") and use.start <= asked.end:
            owners = (asked.facts.symbols[n].kind for n in asked.facts.outwards(use.within))
            if place_of(asked.text, use.start)[0] == line and "class" in owners:
                change = TextChange(asked.path, use.start, use.end, "contain")
                yield Offer("Contain instead of include: keep its order with this class", [change])


def missing(snapshot: Snapshot, asked: EditorRequest) -> Iterator[Offer]:
    """Yield the creation of the file of a class or define that is used and declared nowhere."""
    use = asked.facts.use_at(asked.start)
    if use is None or use.kind not in ("class", "inherits", "type"):
        return
    is_define = use.kind == "type"
    if not NAME.fullmatch(use.name) or snapshot.meaning(asked.path, use):
        return
    if is_define and ("::" not in use.name or asked.text[use.start].isupper()):
        return
    folder = snapshot.places.module(use.name.partition("::")[0], asked.path)
    path = file_of(folder, use.name) if folder is not None else ""
    if not path or path in snapshot.index.files or os.path.lexists(path):
        return
    word = "define" if is_define else "class"
    given = [*parameters_given(asked, use, use.name if is_define else f"class {use.name}")]
    head = f"{word} {use.name}"
    head += " (\n" + "".join(f"  ${name},\n" for name in given) + ")" if given else ""
    yield Offer(
        f"Create the {word} {use.name}", [TextChange(path, 0, 0, f"{head} {{\n}}\n")], (path,)
    )


def parameters_given(asked: EditorRequest, use: IndexedUse, owner: str) -> Iterator[str]:
    """Yield the attributes that a use gives."""
    names = [
        one.name.rpartition("/")[2]
        for one in asked.facts.uses
        if one.kind == "attribute" and one.name.rpartition("/")[0] == owner
    ]
    metaparameters = ("alias", "audit", "before", "loglevel", "noop", "notify", "require",
                      "schedule", "stage", "subscribe", "tag")  # fmt: skip
    yield from (name for name in dict.fromkeys(names) if name not in metaparameters)


def ordered(snapshot: Snapshot, asked: EditorRequest) -> Iterator[Offer]:
    """Yield changes that order two selected resources, or a resource after those that it uses."""
    for title, changes in (*order_two(snapshot, asked), *require_used(snapshot, asked)):
        yield Offer(title, changes)


TABLE: tuple[tuple[str, Callable[[Snapshot, EditorRequest], Iterator[Offer]]], ...] = (
    (Kind.QuickFix.value, fixes),
    (Kind.QuickFix.value, missing),
    (Kind.QuickFix.value, ignores),
    (Kind.RefactorRewrite.value, ordered),
    (Kind.RefactorRewrite.value, contain),
    (f"{Kind.SourceFixAll.value}.catgraph", fix_all),
)
