"""The variables that decide about a key: those of paths that lead to the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.puppet.hiera.explain import LookupStep, Read
from analyzer.frontends.puppet.hiera.hierarchy.reading import deciding, leading
from analyzer.frontends.puppet.hiera.lookup import Lookup
from analyzer.frontends.puppet.hiera.scope import ScopeVariables

HIERA = """version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: node, path: "nodes/%{trusted.certname}.yaml" }
  - { name: sites, mapped_paths: [sites, one, "site/%{one}.yaml"] }
  - { name: roles, glob: "role/%{role}*.yaml" }
  - { name: common, path: common.yaml }
"""
VARIABLES = ScopeVariables({
    "trusted": {"certname": "web1"},
    "sites": ["a"],
    "role": "none",
    "host": "h",
})  # fmt: skip
COMMON = "k: 1\nvalue: 'on %{host}'\n"
GLOB = frozenset({"role"})


def variables(root: Path, key: str, files: dict[str, str]) -> set[str]:
    for name, text in {"hiera.yaml": HIERA, "data/common.yaml": COMMON, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    lookup = Lookup(None, root, [], VARIABLES)
    steps: list[LookupStep] = []
    read: list[Read] = []
    lookup.steps, lookup.read = steps, read
    lookup.parameter(key)
    return set(deciding(read, steps))


@pytest.mark.parametrize(
    ("key", "files", "expected"),
    [
        # No node has the key.
        ("k", {}, set()),
        ("k", {"data/nodes/web2.yaml": "other: 1\n"}, set()),
        # Another node, this one, or a file that cannot be read.
        ("k", {"data/nodes/web2.yaml": "k: 2\n"}, {"trusted.certname"}),
        ("k", {"data/nodes/web1.yaml": "k: 2\n"}, {"trusted.certname"}),
        ("k", {"data/nodes/web2.yaml": "[\n"}, {"trusted.certname"}),
        # The elements of the variable make the paths.
        ("k", {"data/site/b.yaml": "k: 2\n"}, {"sites"}),
        ("k", {"data/site/b.yaml": "j: 2\n"}, set()),
        # The value itself reads one, whatever the paths are.
        ("value", {}, {"host"}),
        # Options decide about all keys.
        ("k", {"data/nodes/web2.yaml": "lookup_options: {}\n"}, {"trusted.certname"}),
    ],
)
def test_variables(key: str, files: dict[str, str], expected: set[str], tmp_path: Path) -> None:
    assert variables(tmp_path, key, files) - GLOB == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # The name leads there by itself; both are needed; this very file; none has the key.
        (["SLES-12"], {"name"}),
        (["SLES-10"], {"name", "major"}),
        (["SLES-10", "SLES-12"], {"name"}),
        (["SLES-10", "Debian-11"], {"major"}),
        (["SLES-12", "Debian-11"], {"name", "major"}),
        (["Debian-12"], {"name", "major"}),
        ([], set()),
    ],
)
def test_variables_of_one_path(files: list[str], expected: set[str], tmp_path: Path) -> None:
    folder = tmp_path / "os"
    path = f"{folder}/%{{name}}-%{{major}}.yaml"
    scope = ScopeVariables({"name": "Debian", "major": "12"})
    reads = [
        Read(names, "a", "k", f"{folder}/{name}.yaml")
        for name in files
        for names in leading(path, ["name", "major"], f"{folder}/{name}.yaml", scope)
    ]
    assert set(deciding(reads, [])) == expected


def test_what_leads_to_a_file_by_itself_stands_for_all_paths() -> None:
    one, both = Read(("name",), "a", "k", "x"), Read(("name", "full"), "b", "k", "y")
    assert list(deciding([both, one], [])) == ["name"]
    assert list(deciding([both], [])) == ["name", "full"]


def test_a_pattern_counts_always(tmp_path: Path) -> None:
    assert variables(tmp_path, "k", {}) == {"role"}


def test_a_path_that_only_leads_to_the_value_itself_decides_nothing(tmp_path: Path) -> None:
    hiera = HIERA.replace("nodes/%{trusted.certname}", "%{trusted.certname}")
    assert variables(tmp_path, "k", {"hiera.yaml": hiera}) == GLOB
