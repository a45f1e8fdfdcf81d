"""Resources that others generate: where they come from, and what they close (Puppet 7.23)."""

from __future__ import annotations

from typing import Any

import analyzer
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.linter.puppet.subjects import Compiled

TARGET = "/srv/x/conf"


def graph_of(*, parameters: dict[str, Any], more: tuple[dict[str, Any], ...] = ()) -> Any:
    """A define with a concat_file, the user and the folder of its file, as concat makes them."""

    def row(kind: str, title: str, made: dict[str, Any], line: int) -> dict[str, Any]:
        place = {"file": "/site.pp", "line": line, "kind": "compilable_type"}
        return {"type": kind, "title": title, "parameters": made, **place}

    document = {
        "name": "node",
        "catalog_format": 2,
        "resources": [
            row("User", "app", parameters, 1),
            row("File", "/srv/x", {"ensure": "directory", "owner": "app"}, 2),
            {**row("Concat", TARGET, {}, 3), "kind": "defined_type"},
            row("Concat_file", TARGET, {"mode": "0600", "tag": "t"}, 9),
            *more,
        ],
        "edges": [{"source": f"Concat[{TARGET}]", "target": f"Concat_file[{TARGET}]"}],
    }
    return analyzer.relate(analyzer.load_catalog(document))


def test_a_generated_file_closes_a_cycle() -> None:
    graph = graph_of(parameters={"require": f"Concat[{TARGET}]"})
    assert graph.puppet_text() == (
        "Found 1 dependency cycle:\n"
        f"(File[{TARGET}] => Concat[{TARGET}] => User[app] => File[/srv/x] => File[{TARGET}])\\n"
        "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"
    )
    # What is generated is no statement that anybody could remove.
    assert [str(s.example) for s in graph.cycles()[0].cut.statements] == [
        f"Concat[{TARGET}] -> User[app]"
    ]


def test_it_says_where_it_comes_from() -> None:
    graph: RelationshipGraph = graph_of(parameters={})
    made = graph.why(f"Concat_file[{TARGET}]", f"File[{TARGET}]").hops[0].relationships
    assert [(r.origin.form, r.origin.automatic, str(r.origin.span)) for r in made] == [
        ("generate", True, "/site.pp:9")
    ]
    found = graph.query("generated")
    assert [*map(str, found.resources)] == [f"File[{TARGET}]"]
    assert str(found.places[0]) == "/site.pp:9"
    assert [str(e) for e in graph.query("edges where origin = generate").relationships] == [
        f"Concat_file[{TARGET}] -> File[{TARGET}]"
    ]
    assert graph.impact(f"Concat_file[{TARGET}]").skipped == (graph.find(f"File[{TARGET}]"),)


def test_no_rule_speaks_of_what_nobody_wrote() -> None:
    compiled = Compiled("x", graph_of(parameters={}))
    assert [str(one) for one in compiled.by_type["File"]] == ["File[/srv/x]"]
    assert compiled.explicit == []


def test_nothing_may_name_it() -> None:
    asks = {"type": "Notify", "title": "a", "parameters": {"require": [f"File[{TARGET}]"]}}
    graph = graph_of(parameters={}, more=(asks,))
    assert [m.message for m in graph.missing()] == [
        f"Could not find dependency File[{TARGET}] for Notify[a]"
    ]
    assert graph.relationship_count == 3


def test_a_graph_of_its_own_catalog_is_the_same() -> None:
    once = graph_of(parameters={})
    again = analyzer.relate(once.catalog)
    assert [*map(str, again.relationships())] == [*map(str, once.relationships())]
    assert again.catalog.generated == once.catalog.generated


def test_contents_that_are_generated_come_last() -> None:
    kinds = ("Concat_file[/srv/a]", "Concat_file[/srv/b]", "Notify[n]", "Cs_shadow[s]")
    document = {
        "resources": [
            {"type": "Class", "title": "K"},
            *({"type": k.split("[")[0], "title": k.split("[")[1][:-1]} for k in kinds),
        ],
        "edges": [{"source": "Class[K]", "target": kind} for kind in kinds],
    }
    graph = analyzer.relate(analyzer.load_catalog(document))
    ends = [h.source_name for h in graph.expanded() if h.target_name == "Completed[Class[K]]"]
    made = ["File[/srv/a]", "File[/srv/b]", "Cs_commit[s]"]
    assert ends == [*kinds, *made]
    a, b, n, s = kinds
    assert [*map(str, graph.order())][:7] == [a, made[0], b, made[1], n, s, made[2]]
