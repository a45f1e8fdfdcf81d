"""The origins of relationships and of classes: what stands apart from the resources."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.compiles.explaining import explain_path
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.origins.contributors import reach
from analyzer.reach import user_files

CHAIN = """
notify { 'first': } -> Exec<| tag == 'none' |> -> notify { 'last': }
"""
FOUND = """
exec { 'found': command => '/bin/true', tag => ['other', 'wanted'] }
notify { 'first': } -> Exec<| tag == 'wanted' |> -> notify { 'last': }
"""
ADDED = """
file { '/a': tag => ['one'] }
File<| title == '/a' |> { tag +> ['two'] }
notify { 'first': } -> File<| tag == 'two' |>
"""


def literals(code: str, ref: str, name: str, tmp_path: Path) -> set[str]:
    """Return the texts of the literals in the set of a parameter."""
    path = tmp_path / "site.pp"
    path.write_text(code)
    with user_files():
        (node,) = explain_path(str(path), Settings(facts=("@debian-12",)))
    assert node.explanation is not None
    entry = node.explanation.find(ref)
    assert entry is not None
    trail = node.explanation.values[id(entry), name]
    every = {one.name.strip("'") for one in reach(trail.everything()) if one.kind == "literal"}
    # The attributes that queries ask for.
    return every - {"tag", "title"}


@pytest.mark.parametrize(
    ("code", "ref", "name", "expected"),
    [
        # No resource has the type: the query asks nobody.
        (CHAIN, "Notify[first]", "before", {"first", "last"}),
        # The tag that was asked for is there, whatever the others are.
        (FOUND, "Notify[first]", "before", {"first", "found", "wanted"}),
        # What stands before a collector decides nothing about the resources that it finds.
        (FOUND, "Exec[found]", "before", {"found", "wanted", "last"}),
        (ADDED, "Notify[first]", "before", {"first", "/a", "one", "two"}),
    ],
)
def test_literals(code: str, ref: str, name: str, expected: set[str], tmp_path: Path) -> None:
    assert literals(code, ref, name, tmp_path) == expected


def test_a_class_of_an_array_depends_on_its_own_element(tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text("class a { }\nclass b { }\n$l = ['::a', 'b']\ninclude $l\ninclude ['b', 'a']\n")
    with user_files():
        (node,) = explain_path(str(path), Settings(facts=("@debian-12",)))
    assert node.explanation is not None
    entry = node.explanation.find("Class[a]")
    assert entry is not None
    chains = [node.explanation.presence_of(entry), *node.explanation.others[id(entry)]]
    found = [{one.name for one in reach([one]) if one.kind == "literal"} for one in chains]
    assert found == [{"'::a'"}, {"'a'"}]
