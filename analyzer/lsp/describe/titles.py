"""The resources that a title of a file declares, in its compiled catalogs."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.lsp.index.facts import IndexedSymbol
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot
from analyzer.model.names import canonical_ref
from analyzer.source import place_of


def refs_of(snapshot: Snapshot, asked: EditorRequest, symbol: IndexedSymbol) -> Iterator[str]:
    """Yield the resources that a title declares: by name, or all at its line if it is computed."""
    kind, _, title = symbol.name[:-1].partition("[")
    if "$" not in title:
        yield canonical_ref(kind, title)
        return
    line = place_of(asked.text, symbol.start)[0]
    begin = canonical_ref(kind, "")[:-1]
    seen: dict[str, None] = {}
    for picture in snapshot.pictures.get(asked.path, ()):
        seen.update(dict.fromkeys(r for r in picture.at(asked.path, line) if r.startswith(begin)))
    yield from [*seen][:3]
