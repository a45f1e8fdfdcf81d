"""The DOT files of `puppet apply --graph`."""

from __future__ import annotations

from pathlib import Path

import pytest

import analyzer
from analyzer.diagnostics import InputError
from analyzer.graph.phrases import sentence

# Written by Puppet 7.23 for the manifest below; nodes without their attributes.
#   class k { notify { "x \"q\" [b]": } }
#   include k
#   define my::d() { notify { "in $title": } }
#   my::d { q: require => Class[k] }
#   notify { a: before => Class[k] } ~> exec { '/bin/true': }
RELATIONSHIPS = r"""digraph Relationships {
    label = "Relationships"
    "Stage[main]" [ fontsize = 8, label = "Stage[main]" ]
    "Class[Main]" [ fontsize = 8 ]
    "Class[K]" [ fontsize = 8 ]
    "Notify[x \"q\" [b]]" [ fontsize = 8 ]
    "My::D[q]" [ fontsize = 8 ]
    "Notify[a]" [ fontsize = 8 ]
    "Exec[/bin/true]" [ fontsize = 8 ]
    "Notify[in q]" [ fontsize = 8 ]
    "Notify[a]" -> "Class[K]" [ fontsize = 8 ]
    "Class[K]" -> "My::D[q]" [ fontsize = 8 ]
    "Notify[a]" -> "Exec[/bin/true]" [ fontsize = 8 ]
}
"""

RESOURCES = r"""digraph Resources {
    "Stage[main]" -> "Class[Main]" [ fontsize = 8 ]
    "Stage[main]" -> "Class[K]" [ fontsize = 8 ]
    "Class[K]" -> "Notify[x \"q\" [b]]" [ fontsize = 8 ]
    "Class[Main]" -> "My::D[q]" [ fontsize = 8 ]
    "Class[Main]" -> "Notify[a]" [ fontsize = 8 ]
    "Class[Main]" -> "Exec[/bin/true]" [ fontsize = 8 ]
    "My::D[q]" -> "Notify[in q]" [ fontsize = 8 ]
}
"""

EXPANDED = r"""digraph Expanded_relationships {
    "Notify[x \"q\" [b]]" [ fontsize = 8 ]
    "Notify[a]" [ fontsize = 8 ]
    "Exec[/bin/true]" [ fontsize = 8 ]
    "Notify[in q]" [ fontsize = 8 ]
    "Whit[Admissible_stage[main]]" [ fontsize = 8 ]
    "Whit[Completed_stage[main]]" [ fontsize = 8 ]
    "Whit[Admissible_class[Main]]" [ fontsize = 8 ]
    "Whit[Completed_class[Main]]" [ fontsize = 8 ]
    "Whit[Admissible_class[K]]" [ fontsize = 8 ]
    "Whit[Completed_class[K]]" [ fontsize = 8 ]
    "Whit[Admissible_my::D[q]]" [ fontsize = 8 ]
    "Whit[Completed_my::D[q]]" [ fontsize = 8 ]
    "Whit[Admissible_class[K]]" -> "Notify[x \"q\" [b]]" [ fontsize = 8 ]
    "Whit[Admissible_class[Main]]" -> "Notify[a]" [ fontsize = 8 ]
    "Notify[a]" -> "Exec[/bin/true]" [ fontsize = 8 ]
    "Whit[Admissible_class[Main]]" -> "Exec[/bin/true]" [ fontsize = 8 ]
    "Whit[Admissible_my::D[q]]" -> "Notify[in q]" [ fontsize = 8 ]
    "Whit[Completed_class[Main]]" -> "Whit[Completed_stage[main]]" [ fontsize = 8 ]
    "Whit[Completed_class[K]]" -> "Whit[Completed_stage[main]]" [ fontsize = 8 ]
    "Whit[Admissible_stage[main]]" -> "Whit[Admissible_class[Main]]" [ fontsize = 8 ]
    "Whit[Completed_my::D[q]]" -> "Whit[Completed_class[Main]]" [ fontsize = 8 ]
    "Notify[a]" -> "Whit[Completed_class[Main]]" [ fontsize = 8 ]
    "Exec[/bin/true]" -> "Whit[Completed_class[Main]]" [ fontsize = 8 ]
    "Whit[Admissible_stage[main]]" -> "Whit[Admissible_class[K]]" [ fontsize = 8 ]
    "Notify[a]" -> "Whit[Admissible_class[K]]" [ fontsize = 8 ]
    "Notify[x \"q\" [b]]" -> "Whit[Completed_class[K]]" [ fontsize = 8 ]
    "Whit[Admissible_class[Main]]" -> "Whit[Admissible_my::D[q]]" [ fontsize = 8 ]
    "Whit[Completed_class[K]]" -> "Whit[Admissible_my::D[q]]" [ fontsize = 8 ]
    "Notify[in q]" -> "Whit[Completed_my::D[q]]" [ fontsize = 8 ]
}
"""

# The order in which Puppet applies that manifest.
ORDER = ["Notify[a]", 'Notify[x "q" [b]]', "Exec[/bin/true]", "Notify[in q]"]


def order_of(path: Path) -> list[str]:
    order = analyzer.relate(analyzer.load_catalog(path)).order()
    return [str(ref) for ref in order][: len(ORDER)]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_expanded(tmp_path: Path) -> None:
    path = write(tmp_path, "expanded_relationships.dot", EXPANDED)
    assert order_of(path) == ORDER
    graph = analyzer.relate(analyzer.load_catalog(path))
    assert {str(edge) for edge in graph.relationships()} == {
        "Notify[a] -> Class[K]",
        "Class[K] -> My::D[q]",
        "Notify[a] -> Exec[/bin/true]",
    }
    assert 'Class[K] -> Notify[x "q" [b]]' in {str(edge) for edge in graph.containment()}


def test_relationships_with_the_containment_beside(tmp_path: Path) -> None:
    write(tmp_path, "resources.dot", RESOURCES)
    path = write(tmp_path, "relationships.dot", RELATIONSHIPS)
    assert order_of(path) == ORDER
    why = analyzer.relate(analyzer.load_catalog(path)).why("Notify[a]", "Notify[in q]")
    assert why.verdict == "before"


def test_relationships_alone_are_incomplete(tmp_path: Path) -> None:
    catalog = analyzer.load_catalog(write(tmp_path, "relationships.dot", RELATIONSHIPS))
    (gap,) = catalog.gaps
    assert "cycles through classes are not found" in str(gap)
    assert analyzer.relate(catalog).verdict == "incomplete; no cycle in the known part"


def test_cycles(tmp_path: Path) -> None:
    text = 'digraph Resource_Cycles {\n  label = "Resource Cycles"\n"A[x]" -> "B[y]" -> "A[x]"\n}'
    graph = analyzer.relate(analyzer.load_catalog(write(tmp_path, "cycles.dot", text)))
    assert [str(cycle) for cycle in graph.cycles()] == ["(A[x] => B[y] => A[x])"]
    (hop, _) = graph.cycles()[0].hops
    origin = hop.relationships[0].origin
    assert (origin.declarer, str(origin)) == (None, "before, an edge of the DOT file")
    assert sentence(hop.relationships[0]) == "A[x] is before B[y] (an edge of the DOT file)"


@pytest.mark.parametrize(
    ("text", "message"),
    [(RESOURCES, "containment only"), ("digraph { a -> ", "not DOT"), ("digraph", "not DOT")],
)
def test_errors(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        analyzer.load_catalog(write(tmp_path, "x.dot", text))
