"""The lines of the parts of a YAML or JSON text."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.formats.yaml_lines import line_of, parts_of, path_at

TEXT = """---
# a comment
one: 1
two:
  three: [a,
    b]
  4: |
    long
    text
list:
  - x: 1
    y: 2
  - z
anchor: &here { k: v }
again: *here
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("one",), 3),
        (("two",), 4),
        (("two", "three", 1), 6),
        (("two", 4), 7),
        (("list", 0, "y"), 12),
        (("list", 1), 13),
        (("anchor", "k"), 14),
        (("again", "k"), None),
        (("none",), None),
    ],
)
def test_lines(path: tuple[Any, ...], line: int | None) -> None:
    assert line_of(TEXT, path) == line


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (3, ("one",)),
        (4, ("two",)),
        (8, ("two", 4)),
        (9, ("two", 4)),
        (10, ("list",)),
        (12, ("list", 0, "y")),
        (2, None),
    ],
)
def test_paths(line: int, path: tuple[Any, ...] | None) -> None:
    assert path_at(TEXT, line) == path


@pytest.mark.parametrize("text", ["[", "a: [" * 5000, "", "&a [*a]", "? {a: b}\n: c", "\x00"])
def test_odd_texts(text: str) -> None:
    assert len(parts_of(text)) < 3


def test_json() -> None:
    assert line_of('{\n  "a": {\n    "b": 1\n  }\n}\n', ("a", "b")) == 3
