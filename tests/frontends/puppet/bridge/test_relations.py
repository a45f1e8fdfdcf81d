"""Automatic relationships that only running a type's Ruby tells, as Puppet makes them."""

from __future__ import annotations

from pathlib import Path

import pytest

import analyzer
from tests.oracle.harness import HOW_TO_INSTALL, installed

from .cases import MODULES

pytestmark = pytest.mark.skipif(not installed(), reason=HOW_TO_INSTALL)

COMPUTED = "demo_computed { 'c': dir => '/srv' }\n"
OTHERS = """
file { '/srv/x': ensure => file }
service { ['web1', 'db']: ensure => running }
user { 'u': ensure => present }
"""
# What Puppet 7.23 makes of these (`relationship_edges` of the oracle).
EDGES = [
    ("File[/srv/x]", "Demo_computed[c]", "autorequire"),
    ("Demo_computed[c]", "User[u]", "autobefore"),
    ("Demo_computed[c]", "Service[web1]", "autonotify"),
]


def relations(tmp_path: Path, code: str, ruby: str | None) -> tuple[list[object], list[str]]:
    """Return the automatic edges of a program, and what is not known of its types."""
    manifest = tmp_path / "site.pp"
    manifest.write_text(code)
    facts = tmp_path / "facts.json"
    facts.write_text('{"kernel": "Linux"}')
    graph = analyzer.relate(
        analyzer.compile(str(manifest), modulepath=[str(MODULES)], facts=[str(facts)], ruby=ruby)
    )
    edges: list[object] = [
        (str(one.source), str(one.target), one.origin.form)
        for one in graph.relationships()
        if one.origin.form.startswith("auto")
    ]
    return edges, [gap.reason for gap in graph.gaps if gap.kind == "resource type"]


def test_ruby_is_asked(tmp_path: Path) -> None:
    edges, unknown = relations(tmp_path, COMPUTED + OTHERS, "auto")
    assert sorted(map(str, edges)) == sorted(map(str, EDGES))
    assert not unknown


def test_without_ruby_it_is_not_known(tmp_path: Path) -> None:
    edges, unknown = relations(tmp_path, COMPUTED + OTHERS, None)
    assert not edges
    assert len(unknown) == 3


@pytest.mark.slow
def test_a_block_that_fails(tmp_path: Path) -> None:
    code = "demo_computed { 'c': dir => '/srv', broken => 'yes' }\n" + OTHERS
    edges, unknown = relations(tmp_path, code, "auto")
    assert not edges
    assert len(unknown) == 3


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("demo_computed { 'c': dir => $serverip }\n" + OTHERS, id="its own parameter"),
        pytest.param(COMPUTED + OTHERS + "notify { 'n': message => $serverip }\n", id="another's"),
    ],
)
def test_what_is_unknown_is_not_asked(tmp_path: Path, code: str) -> None:
    edges, unknown = relations(tmp_path, code, "auto")
    assert not edges
    assert len(unknown) == 3
