"""A change of a key in data repeats only what looked the key up."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.hiera.sources.parts import values_by_key

from .test_kept import nodes_compiled, repository, write

# Data in which only `b` looks `key` up, and each node `mine`, in a file of its own.
LEVELS = """version: 5
hierarchy:
  - name: all
    paths: ['%{trusted.certname}.yaml', all.yaml]
"""
JSON = "version: 5\nhierarchy: [{name: all, path: all.json, data_hash: json_data}]\n"
OF_B = "node 'b' { include app, other }\n"
OF_KEY = "class other($none = 1) { lookup('key') }\n"


@pytest.mark.parametrize("kind", ["", "    lookup_key: eyaml_lookup_key\n"])
def test_nodes_that_a_key_does_not_concern_are_not_compiled(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with repository() as folder:
        write(folder, "hiera.yaml", LEVELS + kind)
        write(folder, "manifests/site.pp", "node 'a' { include app }\n" + OF_B)
        write(folder, "modules/app/manifests/init.pp", "class app { lookup('mine') }\n")
        write(folder, "modules/other/manifests/init.pp", OF_KEY)
        write(folder, "data/a.yaml", "mine: 1\n")
        write(folder, "data/b.yaml", "mine: 1\n")
        edits: dict[str, list[str]] = {
            "key: {x: 1, y: 2}\n": ["a", "b"],
            "# More.\nkey: {x: 1, y: 2}\n": [],
            "key: {y: 2, x: 1}\n": ["b"],
            "key: {y: 2, x: 1.0}\n": ["b"],
            "key: &one {y: 2, x: 1.0}\nunused: *one\n": [],
            "key: {y: 2, x: 1.0}\nunused: 3\nother::none: 7\n": ["b"],
            "key: {y: 2, x: 1.0}\nother::none: 7\nmine: 3\n": ["a", "b"],
            "key: {y: 2, x: 1.0}\nother::none: 7\n": ["a", "b"],
            "key: \"%{lookup('deep')}\"\ndeep: 1\n": ["b"],
            "key: \"%{lookup('deep')}\"\ndeep: 2\n": ["b"],
            "lookup_options: {mine: {merge: unique}}\nkey: 1\n": ["a", "b"],
            "key: [": ["a", "b"],
            "key: 1\n": ["a", "b"],
        }
        for text, nodes in edits.items():
            write(folder, "data/all.yaml", text)
            assert nodes_compiled(monkeypatch) == nodes, text
        write(folder, "data/a.yaml", "mine: 2\n")
        assert nodes_compiled(monkeypatch) == ["a"]
        write(folder, "data/a.yaml", "mine: 2\nkey: 3\n")
        assert nodes_compiled(monkeypatch) == []


def test_keys_of_json(monkeypatch: pytest.MonkeyPatch) -> None:
    with repository() as folder:
        write(folder, "hiera.yaml", JSON)
        write(folder, "manifests/site.pp", "node 'a' { }\n" + OF_B)
        write(folder, "modules/app/manifests/init.pp", "class app { }\n")
        write(folder, "modules/other/manifests/init.pp", OF_KEY)
        edits: dict[str, list[str]] = {
            '{"key": 1}': ["a", "b"],
            '{"key": 1, "unused": 2}': [],
            '{"key": 1.0}': ["b"],
            '{"key": 1.0': ["b"],
        }
        for text, nodes in edits.items():
            write(folder, "data/all.json", text)
            assert nodes_compiled(monkeypatch) == nodes, text


def test_aliases_of_long_values_take_no_time() -> None:
    data = {f"key{number}": 1 for number in range(9)}
    assert set(values_by_key(data) or ()) == set(data)
    text = "x" * 100_000
    assert values_by_key({f"key{number}": text for number in range(100_000)}) is None
    assert values_by_key({f"key{number}": [text] * 1000 for number in range(9)}) is not None
