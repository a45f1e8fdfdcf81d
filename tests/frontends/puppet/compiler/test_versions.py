"""What an empty operand of an arrow does, by the version of Puppet."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.model.values import flat

RESOURCES = "notify { [a, b, c]: }\n"

# Arrows between Notify[a], Notify[b] and Notify[c]; `none` collects nothing, `some` Notify[a].
# Then the edges of Puppet 7.23, and those of Puppet before 5, whose value of an arrow is always
# its right side (read in its source).
ROWS = (
    ("[] -> A -> B", "a->b", "a->b"),
    ("A -> B -> []", "a->b", "a->b"),
    ("none -> A -> B", "a->b", "a->b"),
    ("A -> B -> none", "a->b", "a->b"),
    ("A -> [] -> B", "a->b", ""),
    ("A -> [] -> [] -> B", "a->b", ""),
    ("A -> none -> B", "a->b", ""),
    ("A -> none -> none -> B", "a->b", ""),
    ("[A, B] -> none -> C", "a->c b->c", ""),
    ("some -> none -> B", "a->b", ""),
    ("A -> none ~> B", "a~>b", ""),
    ("A ~> [] -> B", "a->b", ""),
    ("A <- [] <- B", "b->a", ""),
    ("A <- none <- B", "a->a", ""),
    ("A <- none", "a->a", ""),
    ("C <- A <- none", "a->a a->c", "a->c"),
    ("none <- A <- B", "b->a", "b->a"),
    ("A -> [] <- B", "b->a", ""),
    ("A -> none <- B", "", ""),
    ("A -> none; none -> C", "", ""),
    ("[] -> []", "", ""),
    ("none -> none", "", ""),
)
WRITTEN = {
    "A": "Notify[a]",
    "B": "Notify[b]",
    "C": "Notify[c]",
    "none": "File <| |>",
    "some": "Notify <| title == a |>",
}


def manifest(arrows: str) -> str:
    """The program of a row."""
    for word, written in WRITTEN.items():
        arrows = arrows.replace(word, written)
    return RESOURCES + arrows.replace("; ", "\n") + "\n"


def edges(code: str, version: int) -> str:
    """The relationships that a program declares."""
    known = DefinitionTable()
    known.add_program(code, "")
    compiler = Compiler(known, CompileInputs("node", {}, puppet_version=version)).compile()
    return " ".join(
        sorted(
            f"{entry.title}{arrow}{target[7:-1]}"
            for entry in compiler.entries.values()
            for name, arrow in (("before", "->"), ("notify", "~>"))
            for target in flat([entry.parameters.get(name, [])])
        )
    )


@pytest.mark.parametrize(("arrows", "closed", "broken"), ROWS, ids=[row[0] for row in ROWS])
def test_empty_operand(arrows: str, closed: str, broken: str) -> None:
    code = manifest(arrows)
    assert [edges(code, version) for version in (4, 5, 7, 8)] == [broken, closed, closed, closed]


@pytest.mark.parametrize(("version", "code"), [("4", 0), ("5", 1), ("8", 1)])
def test_command_line(version: str, code: int, tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(manifest("A <- none"))
    assert main(["cycles", str(path), "--puppet-version", version]) == code


@pytest.mark.parametrize("command", ["why", "order", "graph"])
def test_each_command_has_the_version(command: str, tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(manifest("C -> none -> A"))
    refs = ["Notify[c]", "Notify[a]"] if command == "why" else []
    said = {}
    for version in ("4", "8"):
        output = tmp_path / version
        options = ["--puppet-version", version, "-o", str(output)]
        main([command, str(path), *refs, *options])
        said[version] = output.read_text()
    assert said["4"] != said["8"]
