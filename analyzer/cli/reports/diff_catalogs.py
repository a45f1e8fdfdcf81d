"""The report of `catgraph diff` on two catalogs, as text and as Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from analyzer.cli.reports.diff_rows import (
    Row,
    changed_rows,
    order_rows,
    relationship_rows,
    resource_rows,
)
from analyzer.cli.shared.output import Style
from analyzer.escape import joined, shown
from analyzer.export.diff_json import document
from analyzer.graph.diff.values import CatalogDiff, Side
from analyzer.model.catalog import size_of
from analyzer.model.nouns import PUPPET, Nouns, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.graph.relationship_graph import RelationshipGraph


@dataclass
class Node:
    """One node in both inputs; None where one does not have it. `labels` tell the inputs apart."""

    name: str
    first: RelationshipGraph | None
    second: RelationshipGraph | None
    labels: tuple[str, str] = ("A", "B")

    @cached_property
    def diff(self) -> CatalogDiff | None:
        """Return how its catalogs differ, None if there is only one."""
        return self.first.diff(self.second) if self.first and self.second else None

    @property
    def differs(self) -> bool:
        """Return whether there is anything to report."""
        return bool(self.diff) or self.diff is None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the report: its head, its rows, how many they are, and whether it is bad news."""

    head: str
    rows: Iterator[Row]
    count: int
    bad: bool = False


def parts(node: Node, found: CatalogDiff) -> Iterator[Part]:
    """Yield the parts that are not empty, by severity."""
    count = len(found.changed)
    nouns = node.second.catalog.nouns if node.second else PUPPET
    for made in (
        *broken("new", found.gained, bad=True),
        resources("added", found.gained, found, nouns),
        resources("removed", found.lost, found, nouns),
        Part(f"changed: {counted(count, nouns.node)}", changed_rows(found), count),
        *order("gained", found.gained, found, node.second),
        *order("lost", found.lost, found, node.first),
        relationships("gained", found.gained, nouns),
        relationships("lost", found.lost, nouns),
        *broken("former", found.lost, bad=False),
        moved(found, nouns),
        undecided(found),
    ):
        if made.count:
            yield made


def broken(word: str, side: Side, *, bad: bool) -> Iterator[Part]:
    """Yield cycles and missing targets."""
    cycles = (Row(str(cycle), str(cycle.place or "")) for cycle in side.cycles)
    count = len(side.cycles)
    yield Part(f"{word} {counted(count, 'dependency cycle')}", cycles, count, bad)
    missing = (Row(one.message) for one in side.missing)
    count = len(side.missing)
    yield Part(f"{word} {counted(count, 'reference')} to missing resources", missing, count, bad)


def resources(word: str, side: Side, found: CatalogDiff, nouns: Nouns) -> Part:
    """Return the resources that only one catalog has."""
    count = len(side.resources)
    return Part(f"{word}: {counted(count, nouns.node)}", resource_rows(side, found), count)


def order(
    word: str, side: Side, found: CatalogDiff, graph: RelationshipGraph | None
) -> Iterator[Part]:
    """Yield the order of one catalog that the other has not."""
    if graph is not None:
        pairs = f"{counted(side.order.count, 'pair')} of {graph.catalog.nouns.node}s"
        rows = order_rows(side, found, graph)
        yield Part(f"orderings {word}: {pairs}, implied by", rows, len(side.order.pairs))


def relationships(word: str, side: Side, nouns: Nouns) -> Part:
    """Return the relationships that only one catalog has."""
    total = sum(edges.count for edges in side.relationships)
    return Part(
        f"{nouns.edge}s {word}: {total:,}", relationship_rows(side), len(side.relationships)
    )


def moved(found: CatalogDiff, nouns: Nouns) -> Part:
    """Return the resources at another place in the order of applying."""
    rows = (
        Row(str(ref), note=f"now after {after}" if after else "now first")
        for ref, after in found.moved
    )
    count = len(found.moved)
    verb = "applied" if nouns is PUPPET else "evaluated"
    return Part(f"{verb} at another position: {counted(count, nouns.node)}", rows, count)


def undecided(found: CatalogDiff) -> Part:
    """Return what may differ, by the reason why that is not known."""
    by_reason: dict[str, list[str]] = {}
    for one in found.undecided:
        by_reason.setdefault(one.reason, []).append(f"{one.ref} {one.parameter}")
    rows = (
        Row(names[0] + (f" and {len(names) - 1:,} more" if len(names) > 1 else ""), note=reason)
        for reason, names in by_reason.items()
    )
    head = f"may differ (unknown values): {counted(len(found.undecided), 'parameter')}"
    return Part(head, rows, len(by_reason))


def headline(graph: RelationshipGraph) -> str:
    """Return one line about a catalog."""
    catalog = graph.catalog
    whole = catalog.nouns.whole
    name = f"{whole} of {shown(catalog.name)}" if catalog.name else whole
    return f"{name}: {size_of(catalog, graph.relationship_count)}"


def text(nodes: Sequence[Node], style: Style, limit: int | None) -> str:
    """Return the report as text."""
    blocks = []
    for node in nodes:
        lines = [f"{side}: {line}" for side, line in heads(node)]
        if not node.differs:
            lines += ["", same(node)]
        for part in parts(node, node.diff) if node.diff is not None else ():
            lines += ["", style("red" if part.bad else "bold", part.head)]
            lines += part_lines(part, style, limit)
        blocks.append(joined(lines))
    return "\n\n".join(blocks)


def same(node: Node) -> str:
    """Return the message about equal catalogs."""
    open_questions = node.diff is not None and node.diff.undecided
    return "no known difference" if open_questions else "no difference"


def heads(node: Node) -> Iterator[tuple[str, str]]:
    """Yield what either side is."""
    for side, graph in zip(node.labels, (node.first, node.second), strict=True):
        yield side, headline(graph) if graph else f"has no node {shown(node.name)}"


def part_lines(part: Part, style: Style, limit: int | None) -> Iterator[str]:
    """Yield the rows of a part, those beyond the limit counted."""
    rows = list(islice(part.rows, limit))
    whats = [shown(row.what) for row in rows]
    places = [shown(row.place) for row in rows]
    # A few long ones do not push all others away.
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


def coloured(line: str, style: Style) -> str:
    """Return a line of a patch."""
    colour = COLOURS.get(line[:1])
    return style(colour, shown(line)) if colour else shown(line)


def markdown(nodes: Sequence[Node], style: Style, limit: int | None) -> str:
    """Return lists, for the comment of a review."""
    blocks = []
    for node in nodes:
        first, second = (f"**{side}** {line}" for side, line in heads(node))
        lines = [f"{first}  ", second]
        if not node.differs:
            lines += ["", f"{same(node).capitalize()}."]
        for part in parts(node, node.diff) if node.diff is not None else ():
            lines += ["", f"### {part.head[:1].upper()}{part.head[1:]}", ""]
            lines += part_items(part, limit)
        blocks.append(joined(lines))
    return "\n\n".join(blocks)


def part_items(part: Part, limit: int | None) -> Iterator[str]:
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
    """Return text as code, whatever it holds."""
    safe = shown(value)
    fence = "``" if "`" in safe else "`"
    return f"{fence} {safe} {fence}" if "`" in safe else f"{fence}{safe}{fence}"


def plain(value: str) -> str:
    """Return text that marks nothing up."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in shown(value))


def as_json(nodes: Sequence[Node], style: Style, limit: int | None) -> str:
    """Return data, for other programs: a list with an object for each node."""
    from json import dumps

    rows = [document(node.name, node.first, node.second, node.diff) for node in nodes]
    return dumps(rows, indent=1, ensure_ascii=False)


FORMATS = {"text": text, "json": as_json, "markdown": markdown}
