"""What queries find, and how they are refused."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from analyzer import compile, load_catalog
from analyzer.diagnostics import InputError
from analyzer.frontends.catalog_json import from_document
from analyzer.graph.query.answer import Answer
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from tests.conftest import ROOT

HERE = Path(__file__).parent
# A reference, or an edge; titles of the cases have no blanks in edges, as that is what parts them.
ENTRY = re.compile(r"\S+?\[[^\]]*\](?:[~-]>\S+\[[^\]]*\])?")


def cases() -> list[tuple[str, list[str]]]:
    """Each query with what it finds."""
    found: list[tuple[str, list[str]]] = []
    for line in (HERE / "cases.txt").read_text().splitlines():
        if line.startswith("  "):
            found[-1][1].extend(ENTRY.findall(line))
        elif line and not line.startswith("#"):
            found.append((line, []))
    return found


@cache
def site() -> RelationshipGraph:
    return relate(compile(HERE / "site.pp"))


def told(answer: Answer) -> list[str]:
    edges = [str(edge).replace("check shop", "check-shop") for edge in answer.relationships]
    return [*map(str, answer.resources), *(edge.replace(" ", "") for edge in edges)]


@pytest.mark.parametrize(("text", "expected"), cases())
def test_case(text: str, expected: list[str]) -> None:
    answer = site().query(text)
    assert told(answer) == expected
    assert len(answer) == len(expected)


def test_cases_are_read() -> None:
    assert len(cases()) > 60
    assert ("before File[/etc/nginx.conf]", ["Package[nginx]", "User[www]"]) in cases()


REFUSED = [
    ("edges where from it: type = File", 13, "'from it:' is about resources, not edges"),
    ("before it: ", 11, "but the query ends here"),
    ("path it: type = File", 1, "needs two queries"),
    ("", 1, "the query is empty"),
    ("  ", 1, "the query is empty"),
    ("type =", 7, "expected a value, but the query ends here"),
    ("type = File and", 16, "but the query ends here"),
    ("type = File tag = a", 13, "expected 'and', 'or' or the end, found 'tag'"),
    ('title = "x', 9, "unterminated string or regular expression"),
    ("(tag = a", 9, "expected 'and', 'or' or ')', but the query ends here"),
    ("tag = a)", 8, "found ')'"),
    ("and tag = a", 1, "found 'and'"),
    ("tag & a", 5, "found '&'"),
    ("isolatd", 1, "unknown word 'isolatd'; did you mean 'isolated'?"),
    ("isolated and File", 14, "'File' is a type; write type = File"),
    ("not owner", 5, "'owner' is a parameter; write owner = ..., or owner != undef"),
    ("zork", 1, "'catgraph query --help' lists the words"),
    ("not title", 5, "'title' needs a comparison"),
    ("before", 1, "'before' needs a resource or a query"),
    ("path(tag = a)", 1, "'path' needs two queries"),
    ("before(tag = a, tag = b)", 1, "'before' needs a resource"),
    ("isolated tag = a", 1, "'isolated' takes no value"),
    ("requires(tag = a, 2)", 1, "'requires' takes no number of steps"),
    ("befor Package[nginx]", 1, "did you mean 'before'?"),
    ("tag = a or Package[ngin]", 12, "did you mean Package[nginx]"),
    ("line < x", 8, "'<' needs a number"),
    ("title ~ /(/", 9, "invalid regular expression"),
    ("title ~ ^/etc", 9, r"write a regular expression as /^\/etc/"),
    ("type in [File", 14, "expected ',' or ']'"),
    ("in Class[web], 1", 14, "found ','"),
    ("edges wher", 7, "expected 'where' or the end"),
    ("edges where type = File", 13, "unknown word for edges 'type'"),
    ("edges where File[/etc/motd]", 13, "write 'from File[/etc/motd]'"),
    ("edges where kind", 13, "'kind' needs a comparison"),
    ("edges where from", 13, "'from' needs a resource"),
    ("edges where from before zork", 25, "unknown word 'zork'"),
    ("edges where from(File[/etc/motd], 2)", 13, "takes no number of steps"),
    ("type = File\n and zork", 6, "unknown word 'zork'"),
]


@pytest.mark.parametrize(("text", "column", "message"), REFUSED)
def test_refused(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        site().query(text)
    assert message in caught.value.message
    assert caught.value.span.column == column
    caret = str(caught.value).splitlines()[-1]
    assert caret.index("^") == column + 1


@pytest.mark.slow
def test_long_and_deep_queries() -> None:
    assert len(site().query(" or ".join(["type = File"] * 3000))) == 3
    assert len(site().query("(" * 3000 + "type = File" + ")" * 3000)) == 3
    with pytest.raises(InputError, match="nested too deeply"):
        site().query("not " * 200_000 + "type = File")


def test_words_that_fit_nothing_are_told() -> None:
    assert site().query("ownr = root").warnings == (
        "no resource has a parameter 'ownr'; did you mean 'owner'?",
    )
    assert site().query("param.ownr = root").warnings == ()
    assert site().query("type = Mount").warnings == ("no resource has the type Mount",)
    with pytest.raises(InputError, match=r"no resource has the type Fil; did you mean 'File'\?"):
        site().query("type = Fil")


def test_what_is_not_known_is_left_open() -> None:
    """Neither the comparison nor its contrary finds it, unless the rest decides."""
    motd = "File[/etc/motd]"
    for text in ("content = x", "content != x", "content = undef", "not (content = x or tag = q)"):
        answer = site().query(text)
        assert motd not in told(answer)
        ((ref, why),) = answer.undecided
        assert (str(ref), why) == (motd, "content is unknown: no facts are given (--facts FILE)")
    for text in ("content = x or type = File", "not (content = x and type = User)"):
        assert motd in told(site().query(text))
    assert not site().query("content = x and type = User").undecided


def test_what_depends_on_the_unknown_is_left_open() -> None:
    document = {
        "resources": [
            {"type": "File", "title": "/a", "parameters": {"owner": {"__unknown": "no facts"}}},
            {"type": "Notify", "title": "b", "parameters": {"require": "File[/a]"}},
            {"type": "Notify", "title": "c", "parameters": {}},
        ],
        "edges": [],
    }
    graph = relate(from_document(document, "test"))
    answer = graph.query("after owner = root")
    assert (told(answer), [str(ref) for ref, _ in answer.undecided]) == ([], ["Notify[b]"])
    edges = graph.query("edges where from owner = root")
    assert (told(edges), [str(ref) for ref, _ in edges.undecided]) == ([], ["File[/a]"])


def test_a_deferred_value_is_not_known() -> None:
    deferred = {"__ptype": "Deferred", "name": "f", "arguments": []}
    row = {"type": "File", "title": "/a", "parameters": {"content": deferred}}
    graph = relate(from_document({"resources": [row], "edges": []}, "test"))
    assert [why for _, why in graph.query("content = x").undecided] == [
        "content is unknown: the agent computes it (Deferred)"
    ]


def test_what_puppet_adds_is_found_by_no_query() -> None:
    assert not graph_of_sample().query("type = Schedule")
    assert not graph_of_sample().query("not type = File and title = daily")
    assert not graph_of_sample().query("before Schedule[daily]")


def graph_of_sample() -> RelationshipGraph:
    return relate(load_catalog(ROOT / "sample_catalogs" / "stages" / "catalog.json"))
