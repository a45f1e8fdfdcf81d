"""The report of `catgraph diff` on two catalogs, as text and as Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from analyzer.cli.shared.output import OutputStyle
from analyzer.escape import joined, shown
from analyzer.export.reports.diff_json import document
from analyzer.export.reports.diff_parts import ComparedNode, DiffPart, all_parts, heads
from analyzer.model.completeness import hiding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.cli.reports.diff_causes import CauseRow
    from analyzer.session.attribution.attribute import Cause
    from analyzer.session.attribution.trees import Tree

NO_CAUSE = "no changed line is known to cause:"


@dataclass(frozen=True, slots=True)
class CausesOfDiff:
    """The changed lines behind the differences, between two trees."""

    found: Sequence[Cause]
    trees: tuple[Tree, Tree]


def text(
    nodes: Sequence[ComparedNode],
    style: OutputStyle,
    limit: int | None,
    causes: CausesOfDiff | None,
) -> str:
    """Return the report as text."""
    blocks = []
    for node in nodes:
        lines = [f"{side}: {line}" for side, line in heads(node)]
        if not node.differs:
            lines += ["", same(node)]
        for part in all_parts(node):
            lines += ["", style("red" if part.bad else "bold", part.head)]
            lines += part_lines(part, style, limit)
        blocks.append(joined(lines))
    if causes is not None and causes.found:
        blocks.append(joined(cause_lines(rows_of(causes, nodes), style, limit)))
    return "\n\n".join(blocks)


def rows_of(causes: CausesOfDiff, nodes: Sequence[ComparedNode]) -> list[CauseRow]:
    """Return the causes in words."""
    from analyzer.cli.reports.diff_causes import cause_rows

    return cause_rows(causes.found, causes.trees, len(nodes))


def cause_lines(rows: Sequence[CauseRow], style: OutputStyle, limit: int | None) -> Iterator[str]:
    """Yield the changed lines, each followed by what it changed."""
    yield style("bold", "caused by")
    width = max((len(shown(place)) for row in rows for place, _ in row.places), default=0)
    for row in rows[:limit]:
        for place, line in row.places:
            yield f"  {shown(place):<{width}}  {style('dim', shown(line))}".rstrip()
        if not row.places:
            yield f"  {NO_CAUSE}"
        for names, lines in row.effects:
            if names:
                yield f"    on {shown(names)}"
            for line in lines[:limit]:
                yield f"    {'  ' if names else ''}{shown(line)}"
            if limit is not None and len(lines) > limit:
                yield f"    ... and {len(lines) - limit:,} more (--all lists them)"
    if limit is not None and len(rows) > limit:
        yield f"  ... and {len(rows) - limit:,} more (--all lists them)"


def same(node: ComparedNode) -> str:
    """Return the message about equal catalogs."""
    open_questions = node.diff is not None and node.diff.undecided
    # What only one side lacks may be a difference.
    sides = [{(gap.kind, gap.reason) for gap in hiding(one.catalog.gaps)}
             for one in (node.first, node.second) if one is not None]  # fmt: skip
    is_known = not open_questions and all(one == sides[0] for one in sides)
    return "no difference" if is_known else "no known difference"


def part_lines(part: DiffPart, style: OutputStyle, limit: int | None) -> Iterator[str]:
    """Yield the first rows of a part, and the number of the others."""
    rows = list(islice(part.rows, limit))
    whats = [shown(row.what) for row in rows]
    places = [shown(row.place) for row in rows]
    # A few long rows must not displace all others.
    width, second = (min(max(map(len, column), default=0), 72) for column in (whats, places))
    for row, what, place in zip(rows, whats, places, strict=True):
        where = style("dim", f"{place:<{second}}") + "  " if second else ""
        yield f"  {what:<{width}}  {where}{shown(row.note)}".rstrip()
        for detail in row.details:
            yield f"    {shown(detail)}"
        for name, lines in row.patches:
            yield f"    {name}:"
            yield from (f"      {coloured(line, style)}" for line in lines)
    if part.count > len(rows):
        yield f"  ... and {part.count - len(rows):,} more (--all lists them)"


COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def coloured(line: str, style: OutputStyle) -> str:
    """Return a line of a patch."""
    colour = COLOURS.get(line[:1])
    return style(colour, shown(line)) if colour else shown(line)


def markdown(
    nodes: Sequence[ComparedNode],
    style: OutputStyle,
    limit: int | None,
    causes: CausesOfDiff | None,
) -> str:
    """Return lists for a review comment."""
    blocks = []
    for node in nodes:
        first, second = (f"**{side}** {line}" for side, line in heads(node))
        lines = [f"{first}  ", second]
        if not node.differs:
            lines += ["", f"{same(node).capitalize()}."]
        for part in all_parts(node):
            lines += ["", f"### {part.head[:1].upper()}{part.head[1:]}", ""]
            lines += part_items(part, limit)
        blocks.append(joined(lines))
    if causes is not None and causes.found:
        blocks.append(joined(cause_items(rows_of(causes, nodes), limit)))
    return "\n\n".join(blocks)


def cause_items(rows: Sequence[CauseRow], limit: int | None) -> Iterator[str]:
    """Yield the changed lines as items of a list, each with what it changed."""
    yield "### Caused by"
    yield ""
    for row in rows[:limit]:
        places = " and ".join(f"{code(place)} {code(line)}" for place, line in row.places)
        yield f"- {places or plain(NO_CAUSE)}"
        for names, lines in row.effects:
            on = f"on {plain(names)}: " if names else ""
            yield from (f"  - {on}{code(line)}" for line in lines[:limit])
            if limit is not None and len(lines) > limit:
                yield f"  - ... and {len(lines) - limit:,} more"
    if limit is not None and len(rows) > limit:
        yield f"- ... and {len(rows) - limit:,} more"


def part_items(part: DiffPart, limit: int | None) -> Iterator[str]:
    """Yield the rows of a part as items of a list."""
    rows = list(islice(part.rows, limit))
    for row in rows:
        extra = [code(row.place)] if row.place not in ("", "-") else []
        extra += [plain(" ".join(row.note.split()))] if row.note else []
        yield f"- {code(row.what)}{''.join(f' {one}' for one in extra)}"
        for detail in row.details:
            yield f"  - {code(detail)}"
        for name, lines in row.patches:
            fence = fence_of(lines)
            yield f"  - {code(name)}"
            yield ""
            yield from (f"    {line}" for line in (f"{fence}diff", *map(shown, lines), fence))
    if part.count > len(rows):
        yield f"- ... and {part.count - len(rows):,} more"


def fence_of(lines: Sequence[str]) -> str:
    """Return a fence that none of the lines ends."""
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    return fence


def code(value: str) -> str:
    """Return any text as code."""
    safe = shown(value)
    fence = "``" if "`" in safe else "`"
    return f"{fence} {safe} {fence}" if "`" in safe else f"{fence}{safe}{fence}"


def plain(value: str) -> str:
    """Return text with all markup escaped."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in shown(value))


def as_json(
    nodes: Sequence[ComparedNode],
    style: OutputStyle,
    limit: int | None,
    causes: CausesOfDiff | None,
) -> str:
    """Return JSON for programs: a list with an object for each node."""
    from json import dumps

    rows = [document(node.name, node.first, node.second, node.diff) for node in nodes]
    if causes is not None:
        from analyzer.cli.reports.diff_causes import cause_data

        for row, node in zip(rows, nodes, strict=True):
            row["causes"] = cause_data(causes.found, causes.trees, node.name)
    return dumps(rows, indent=1, ensure_ascii=False)


FORMATS = {"text": text, "json": as_json, "markdown": markdown}
