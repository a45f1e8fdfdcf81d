"""Changes that order resources: a `require` for used resources, or between two resources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import product

from analyzer.lsp.features.neighbours import around, resources_at, same
from analyzer.lsp.features.renaming import capital
from analyzer.lsp.index.facts import IndexedSymbol
from analyzer.lsp.index.tokens import closings
from analyzer.lsp.state.edits import TextChange
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

Offered = tuple[str, list[TextChange]]

PATH = re.compile(r"(?<![\w./-])/[\w.+/-]*[\w+-]")

# Attributes whose paths are no dependencies: sources, targets, and conditions.
NOT_USED = ("source", "creates", "path", "target")

# The most changes that one answer offers.
MOST = 5


def order_two(snapshot: Snapshot, asked: EditorRequest) -> Iterator[Offered]:
    """Yield a change for each order of the two resources that a selection touches."""
    if asked.start == asked.end:
        return
    chosen = [
        one
        for one in asked.facts.symbols
        if one.kind == "resource" and one.first < asked.end and asked.start < one.last
    ]
    if len(chosen) != 2 or are_ordered(snapshot, asked.path, *chosen):
        return
    for first, second in (chosen, chosen[::-1]):
        change = requiring(snapshot, asked, second, reference(first))
        if change:
            yield f"Apply {reference(first)} before {reference(second)}", change


def are_ordered(snapshot: Snapshot, path: str, first: IndexedSymbol, second: IndexedSymbol) -> bool:
    """Return whether a catalog already orders two resources, in either direction."""
    for picture in snapshot.pictures.get(path, ()):
        ones = [ref for ref in picture.resources if same(ref, first.name)]
        others = [ref for ref in picture.resources if same(ref, second.name)]
        steps = OrderSteps(picture)
        for one, other in product(ones, others):
            if steps.order(one, other):
                return True
    return False


def require_used(snapshot: Snapshot, asked: EditorRequest) -> Iterator[Offered]:
    """Yield a `require` for the files and the package that a resource uses without an ordering."""
    numbers = asked.facts.around(asked.start)
    own = next((s for n in numbers if (s := asked.facts.symbols[n]).kind == "resource"), None)
    refs = resources_at(snapshot, asked)
    if own is None or not refs:
        return
    offered: dict[str, None] = {}
    for picture in snapshot.pictures.get(asked.path, ()):
        steps = OrderSteps(picture)
        for ref in refs:
            for other in used_by(snapshot, asked, own, picture, ref):
                if not steps.order(other, ref):
                    offered[other] = None
    for other in [*offered][:MOST]:
        kind, _, title = other.partition("[")
        change = requiring(snapshot, asked, own, f"{kind}[{quoted(title[:-1])}]")
        if change:
            yield f"Add require to what this uses: {other}", change


def used_by(
    snapshot: Snapshot, asked: EditorRequest, own: IndexedSymbol, picture: CatalogPicture, ref: str
) -> Iterator[str]:
    """Yield the files whose paths a resource contains, and the package of a service."""
    if ref not in picture.resources:
        return
    kind, _, title = ref.partition("[")
    if kind == "Service" and f"Package[{title}" in picture.resources:
        yield f"Package[{title}"
    before = ""
    for token in snapshot.tokens(asked.path):
        if token[0] in ("NAME", "WORD"):
            before = str(token[1])
        inside = own.end < token[2] and token[2] + token[3] <= own.last
        if inside and token[0] in ("STRING", "DQPRE", "DQMID", "DQPOST") and before not in NOT_USED:
            for path in PATH.findall(str(token[1])):
                if f"File[{path}]" in picture.resources and f"File[{path}]" != ref:
                    yield f"File[{path}]"


class OrderSteps:
    """The steps from a resource of a catalog to its dependents, computed when needed."""

    def __init__(self, picture: CatalogPicture) -> None:
        self.picture = picture

    @cached_property
    def after(self) -> dict[str, list[str]]:
        """Return the direct dependents of each resource or container."""
        found: dict[str, list[str]] = {}
        for edge in self.picture.relationships:
            found.setdefault(str(edge.source), []).append(str(edge.target))
        return found

    @cached_property
    def members(self) -> dict[str, list[str]]:
        """Return the direct members of each container."""
        found: dict[str, list[str]] = {}
        for ref, container in self.picture.container.items():
            found.setdefault(container, []).append(ref)
        return found

    def order(self, one: str, other: str) -> bool:
        """Return whether two resources are ordered, in either direction."""
        return self.lead(one, other) or self.lead(other, one)

    def lead(self, first: str, second: str) -> bool:
        """Return whether one resource is applied before another."""
        wanted = {*around(self.picture, second)}
        seen: set[str] = set()
        pending = [t for one in around(self.picture, first) for t in self.after.get(one, ())]
        while pending:
            one = pending.pop()
            if one in wanted:
                return True
            if one not in seen:
                seen.add(one)
                pending += self.members.get(one, ())
                pending += [t for c in around(self.picture, one) for t in self.after.get(c, ())]
        return False


def requiring(
    snapshot: Snapshot, asked: EditorRequest, symbol: IndexedSymbol, ref: str
) -> list[TextChange]:
    """Return the change that gives a resource a `require`, empty if the place is unclear."""
    tokens = snapshot.tokens(asked.path)
    close = [*closings(tokens, asked.text), 0]
    own = [n for n, token in enumerate(tokens) if symbol.end <= token[2] < symbol.last]
    colon = next((n for n in own if tokens[n][0] == "COLON"), None)
    if colon is None or ref.partition("[")[2].startswith("$"):
        return []
    j = colon + 1
    while j < len(tokens) and tokens[j][2] < symbol.last:
        if tokens[j][1] == "require" and tokens[j + 1][0] == "FARROW":
            return joining(asked, tokens, close, j + 2, ref)
        j = max(close[j], j) + 1
    return [
        TextChange(
            asked.path, *2 * (tokens[colon][2] + 1,), new_attribute(asked, tokens, colon, ref)
        )
    ]


def joining(
    asked: EditorRequest,
    tokens: list[tuple[str, object, int, int]],
    close: list[int],
    j: int,
    ref: str,
) -> list[TextChange]:
    """Return the changes that add a reference to a value."""
    start = tokens[j][2]
    if tokens[j][0] in ("LISTSTART", "LBRACK"):
        return [TextChange(asked.path, start + 1, start + 1, f"{ref}, ")]
    if tokens[j][0] != "CLASSREF" or not close[j + 1]:
        return []
    end = tokens[close[j + 1]][2] + 1
    return [
        TextChange(asked.path, start, start, f"[{ref}, "),
        TextChange(asked.path, end, end, "]"),
    ]


def new_attribute(
    asked: EditorRequest, tokens: list[tuple[str, object, int, int]], colon: int, ref: str
) -> str:
    """Return the text of an attribute after the title, in the layout of those that follow."""
    after = asked.text[tokens[colon][2] + 1 :]
    gap = after[: len(after) - len(after.lstrip())]
    is_last = tokens[colon + 1][0] in ("RBRACE", "SEMIC") if colon + 1 < len(tokens) else True
    if "\n" in gap and not is_last:
        return f"{gap}require => {ref},"
    return f" require => {ref}{'' if is_last else ','}"


def reference(symbol: IndexedSymbol) -> str:
    """Return the reference to a resource as in a manifest: `File['/etc/motd']`."""
    kind, _, title = symbol.name.partition("[")
    return f"{capital(kind)}[{quoted(title[:-1])}]"


def quoted(title: str) -> str:
    """Return a title as code: variables in it are kept."""
    if re.fullmatch(r"\$[\w:]+", title):
        return title
    if "$" in title:
        return f'"{title}"'
    return "'" + title.replace("\\", "\\\\").replace("'", "\\'") + "'"
