"""Contracts of `catgraph.toml`: what breaks them, what they ignore, and stale entries."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given

from analyzer.config import Config, load
from analyzer.diagnostics import Finding, InputError, Step
from analyzer.linter.contracts.own import own_rules
from analyzer.linter.contracts.patterns import ClassPattern, innermost, pattern_of
from analyzer.linter.puppet.subjects import Compiled
from tests.graph.random_catalogs import Document, documents, graph_from
from tests.linter.own import found, name, told

pytestmark = pytest.mark.usefixtures("one_world")

A_B = "manifests/site.pp:2 error: x: profile::a is applied before profile::b"
C_BASE = "modules/profile/manifests/c.pp:2 error: x: profile::c is applied before base"
BASE_B = "modules/profile/manifests/b.pp:2 error: x: base is applied before profile::b"
INDEPENDENT = ", but they must be independent"


def contract(rest: str) -> str:
    """A contract with a name and a code."""
    return f'[[contracts]]\nname = "x"\ncode = "X1"\n{rest}\n'


CASES = {
    # Direct edges only: that c is before b, through the module base, does not count.
    "type = 'independence'\nclasses = 'profile::*'": [A_B + INDEPENDENT],
    "type = 'independence'\nclasses = ['profile::b', 'profile::c']": [],
    "type = 'independence'\nclasses = ['profile::b', 'profile::c']\nallow_indirect = false": [
        "modules/profile/manifests/c.pp:2 error: x: profile::c is applied before profile::b"
        + INDEPENDENT
    ],
    "type = 'independence'\nmodules = ['profile', 'base']": [
        BASE_B.replace("profile::b", "profile") + INDEPENDENT,
        C_BASE.replace("profile::c", "profile") + INDEPENDENT,
    ],
    "type = 'layers'\nlayers = ['profile::c', 'base', 'profile::b']": [],
    "type = 'layers'\nlayers = ['base', 'profile::b | profile::c']": [
        C_BASE + ", but is in a later layer"
    ],
    "type = 'layers'\nlayers = ['profile::a | profile::b']": [A_B + INDEPENDENT],
    "type = 'layers'\nlayers = ['profile::*']": [],
    "type = 'layers'\nlayers = ['profile', 'bse | none']": [
        "catgraph.toml:6 warning: x: 'bse' is not a class in this code",
        "catgraph.toml:6 warning: x: 'none' is not a class in this code",
    ],
    "type = 'requires'\nclasses = ['Exec[*]', 'profile::*']\nrequires = 'base'": [
        "catgraph.toml:6 warning: x: 'Exec[*]' is not a resource in this code",
        "manifests/site.pp:1 error: x: Class[Profile::A] is not after base",
    ],
    "type = 'forbidden'\nsource = 'base'\ntarget = 'profile::**'": [
        BASE_B + ", which is forbidden"
    ],
    "type = 'forbidden'\nsource = 'profile::b'\ntarget = 'base'": [],
    "type = 'acyclic'": [
        "modules/profile/manifests/b.pp:2 error: x: base -> profile -> base order each other in a "
        "cycle"
    ],
    "type = 'acyclic'\nclasses = ['profile::*', 'base']": [],
    "type = 'requires'\nclasses = 'profile::*'\nrequires = 'profile::a'": [
        "manifests/site.pp:1 error: x: Class[Profile::C] is not after profile::a"
    ],
    "type = 'requires'\nclasses = 'Service[*]'\nrequires = 'Package[*]'": [],
    "type = 'requires'\nclasses = 'Service[*]'\nsubscribes = 'File[*]'": [
        "modules/profile/manifests/a.pp:3 error: x: Service[a] is not notified by File[*]"
    ],
    "type = 'requires'\nclasses = 'profile::c'\nrequires = 'role::none'\nignore = 'profile::c'": [],
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_contract(tmp_path: Path, text: str) -> None:
    assert told(tmp_path, contract(text)) == CASES[text]


def test_evidence_is_the_edge_and_its_statement(tmp_path: Path) -> None:
    text = "type = 'independence'\nclasses = ['profile::b', 'profile::c']\nallow_indirect = false"
    (one,) = found(tmp_path, contract(text))
    assert [(step.text, name(one, tmp_path)) for step in one.steps for one in [placed(step)]] == [
        (
            "File[/etc/c] => Base::Unit[x]: File[/etc/c] is before Base::Unit[x]",
            "modules/profile/manifests/c.pp:2",
        ),
        (
            "Base::Unit[x] => File[/etc/b]: File[/etc/b] requires Base::Unit[x]",
            "modules/profile/manifests/b.pp:2",
        ),
    ]


def placed(step: Step) -> Finding:
    """A finding at the place of a step."""
    return Finding("", "note", "", step.span)


STALE = "is ignored, but accepts nothing; remove the entry"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("profile::a -> profile::b", []),
        ("profile -> profile::b", []),
        ("Class[profile::a] -> Class[profile::b]", []),
        ("profile::** -> **", []),
        (
            "profile::a -> profile::c",
            [
                "catgraph.toml:7 warning: 'profile::a -> profile::c' " + STALE,
                A_B + INDEPENDENT,
            ],
        ),
        (
            "profile::a -> profile::gone",
            ["catgraph.toml:7 note: 'profile::a -> profile::gone' " + STALE, A_B + INDEPENDENT],
        ),
    ],
)
def test_ignored_edges(tmp_path: Path, entry: str, expected: list[str]) -> None:
    text = f"type = 'independence'\nclasses = 'profile::*'\nignore = ['{entry}']"
    assert sorted(told(tmp_path, contract(text))) == sorted(expected)


def test_an_entry_that_one_node_needs_is_not_stale(tmp_path: Path) -> None:
    both = (
        "node a { contain profile::a, profile::b }\n"
        "node b { contain profile::a, profile::b Class['profile::a'] -> Class['profile::b'] }\n"
        "node default {}\n"
    )
    files = {
        "manifests/site.pp": both,
        "modules/profile/manifests/b.pp": "class profile::b { notify { 'b': } }",
    }
    text = "type = 'independence'\nclasses = 'profile::*'\nignore = 'profile::a -> profile::b'"
    assert told(tmp_path, contract(text), files) == []


MISTAKES = {
    "type = 'independence'": "1:1: error: a contract of type 'independence' needs one of 'cla",
    "type = 'layers'\nclasses = 'a'": "5:1: error: a contract of type 'layers' has no 'classes'; i",
    "type = 'layers'": "1:1: error: a contract of type 'layers' needs 'layers'",
    "type = 'layers'\nlayers = ['a', 'b | C[x]']": "5:21: error: 'C[x]' is not a pattern",
    "type = 'layers'\nlayers = ['a', 'b |  c d']": "5:22: error: 'c d' is not a pattern of",
    "type = 'layers'\nlayers = []": "1:1: error: a contract of type 'layers' needs 'layers'",
    "type = 'layers'\nlayers = ['a', 'b | a']": "5:21: error: 'a' is in two layers",
    "type = 'layers'\nlayers = ['a', 'b |']": "5:20: error: '' is not a pattern of classes",
    "type = 'forbidden'\nsource = 'a'": "1:1: error: a contract of type 'forbidden' needs 'target'",
    "type = 'acyclic'\nmodules = ['a', 'b::c']": "5:17: error: 'b::c' is not the name of a module",
    "type = 'acyclic'\nmodules = 'a'\nclasses = 'b'": "needs one of 'classes' and 'modules'",
    "type = 'acyclic'\nclasses = 'a**b'": "5:12: error: 'a**b' is not a pattern of classes",
    "type = 'acyclic'\nignore = ['a -> b', 'b']": "5:22: error: 'b' is not an edge: write",
    "type = 'acyclic'\nignore = ['a -> b', 'b -> ;']": "5:27: error: ';' is not a pattern",
    "type = 'requires'\nclasses = 'a'": "needs one of 'requires' and 'subscribes'",
    "type = 'acyclic'\n[[contracts]]\ncode = 'CG101'\nname = 'y'\ntype = 'acyclic'": (
        "6:1: error: 'CG101': codes that begin with CG are those of catgraph"
    ),
    "type = 'acyclic'\n[[contracts]]\ncode = 'X1'\nname = 'y'\ntype = 'acyclic'": (
        "6:1: error: 'X1' is the code of two rules"
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_has_its_place(tmp_path: Path, text: str) -> None:
    path = tmp_path / "catgraph.toml"
    path.write_text(contract(text))
    with pytest.raises(InputError) as caught:
        own_rules(load(str(path)))
    assert str(caught.value).startswith(f"{path}:")
    assert MISTAKES[text] in str(caught.value)
    assert "^" in caught.value.snippet


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("profile::*", "profile::web", True),
        ("profile::*", "profile", False),
        ("profile::*", "profile::web::nginx", False),
        ("profile::**", "profile::web::nginx", True),
        ("**::params", "a::b::params", True),
        ("**::params", "params", False),
        ("**::b::**::d", "a::b::c::b::d", True),
        ("**::b::**::d", "a::b::d", False),
        ("prof*::w*b", "profile::web", True),
        ("::Profile::Web", "profile::web", True),
    ],
)
def test_patterns(pattern: str, name: str, fits: bool) -> None:
    found = pattern_of(pattern)
    assert isinstance(found, ClassPattern)
    assert found.matches(name.split("::")) == fits


def test_a_class_belongs_to_the_longest_namespace_that_matches() -> None:
    names = [pattern_of(text) for text in ("profile", "profile::*", "apache")]
    patterns = [name for name in names if isinstance(name, ClassPattern)]
    assert innermost(patterns, "profile::web::nginx") == (1, "profile::web")
    assert innermost(patterns, "profile") == (0, "profile")
    assert innermost(patterns, "nginx") is None


@given(documents())
def test_independence_is_that_of_all_relationships(document: Document) -> None:
    """The pairs of classes are those that a look at each relationship gives."""
    graph = graph_from(document)
    rows = ({"name": "x", "type": "independence", "classes": ["*"]},)
    rule = own_rules(Config("catgraph.toml", contracts=rows))["CONTRACT001"]
    holder = {
        str(graph.resources[i]): str(graph.resources[x])
        for i, x in graph.nearest_containers().items()
    }

    def unit(ref: str) -> str:
        own = ref if ref.startswith("Class") else holder.get(ref, "")
        return own[6:-1].lower() if own.startswith("Class") else ""

    pairs = {
        (unit(str(one.source)), unit(str(one.target)))
        for one in graph.relationships()
        if not one.origin.automatic
    }
    expected = {(a, b) for a, b in pairs if a and b and a != b and "main" not in (a, b)}
    messages = [one.message for one in rule.check(Compiled("x", graph)) if one.refs]
    names = sorted({name for pair in expected for name in pair})
    got = {
        (a, b)
        for a, b in product(names, names)
        if any(f": {a} is applied before {b}," in message for message in messages)
    }
    assert got == expected
    assert bool(messages) == bool(expected)
