"""Nodes that a repository knows of, and names for blocks with a regular expression."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.puppet.node.names import names_in_data
from analyzer.frontends.puppet.regex.example import examples
from analyzer.frontends.puppet.regex.translate import compiled

VERSION_5 = """\
version: 5
defaults: {datadir: data}
hierarchy:
  - {name: nodes, path: 'nodes/%{trusted.certname}.yaml'}
  - name: deployed
    datadir: '/etc/puppetlabs/code/environments/%{environment}/hieradata'
    paths: ['site/%{site}/%{::fqdn}.yaml', 'common.yaml']
  - {name: elsewhere, datadir: '/srv/secret', path: '%{clientcert}.yaml'}
"""
VERSION_3 = """\
:backends: [yaml]
:yaml:
  :datadir: /etc/puppet/data
:hierarchy:
  - 'nodes/%{clientcert}'
  - common
"""


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("a: 1\n")


def test_files_of_nodes(tmp_path: Path) -> None:
    (tmp_path / "hiera.yaml").write_text(VERSION_5)
    put(
        tmp_path,
        *("data/nodes/web1.example.com.yaml", "data/nodes/NOT valid.yaml", "data/common.yaml"),
        *("hieradata/site/a/db1.yaml", "hieradata/site/b/db2.yaml", "hieradata/common.yaml"),
    )
    assert [*names_in_data(str(tmp_path))] == ["db1", "db2", "web1.example.com"]


def test_the_old_form(tmp_path: Path) -> None:
    (tmp_path / "hiera.yaml").write_text(VERSION_3)
    put(tmp_path, "data/nodes/old.example.com.yaml", "data/common.yaml")
    assert [*names_in_data(str(tmp_path))] == ["old.example.com"]


@pytest.mark.parametrize("text", ["", "[", "1", "hierarchy: 5", "hierarchy: [1, {path: 2}]"])
def test_no_hierarchy(tmp_path: Path, text: str) -> None:
    (tmp_path / "hiera.yaml").write_text(text)
    assert [*names_in_data(str(tmp_path))] == []


@pytest.mark.parametrize(
    ("source", "first"),
    [
        (r"^web\d+\.example\.com$", "web1.example.com"),
        (r"^(www|db)\d{2}\.(prod|dev)", "www11.prod"),
        (r"^[a-z]+-[^-]+$", "a-a"),
        (r"\Aapp(?:[1-3]|x)\z", "app1"),
        (r"^(?!db)\w+$", "a"),
        (r"^[[:alpha:]]{3,5}$", "aaa"),
        (r"^\p{Alpha}+$", "a"),
        (r"(?<!x)y", "y"),
    ],
)
def test_examples(source: str, first: str) -> None:
    found = list(examples(source))
    assert found[0] == first
    assert all(compiled(source).search(text) for text in found)


def test_every_alternative_has_one() -> None:
    assert set(examples("^(www|db)[12]?$")) >= {"www", "db", "www1", "db1"}


@pytest.mark.parametrize("source", ["(", r"^x{1000000}$", r"^(?=a)b$"])
def test_no_example(source: str) -> None:
    assert list(examples(source)) == []
