"""Compiles a class or a defined type by itself with inputs of any value."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.frontends.puppet.compile import CatalogResult
from analyzer.frontends.puppet.compiler.calls.data import LOOKUP
from analyzer.frontends.puppet.compiler.parameters import OTHERS, TITLE
from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.frontends.puppet.worlds.types import definition_in
from analyzer.model.values import Unknown

ANY, ELSEWHERE = "it may have any value", "others may declare it"


def compile_with_any_values(program: Program) -> CatalogResult:
    """Compile like `compile_known`; parameters, title, data and what others declare are unknown."""
    name = program.name.removeprefix("class ")
    definition = definition_in(program.known, name)
    inputs: list[str] = []
    if definition is not None:
        title = [TITLE] if definition.kind == "define" else []
        inputs = [*title, *(one.name for one in definition.node.parameters)]
    keys = [
        key
        for place in constructs_of(program)
        for question in program.questions.get(place)
        if question.input.startswith(LOOKUP)
        # An element of data may be asked for.
        for key in (question.input, question.input.partition(".")[0])
    ]
    named = [*(f"{name}::{one}" for one in inputs), *keys]
    return program.compile_known({OTHERS: ELSEWHERE, **dict.fromkeys(named, Unknown(ANY))})


def constructs_of(program: Program) -> Mapping[Place, int]:
    """Return the number of arms of each construct of the definition itself, if it was evaluated."""
    definition = definition_in(program.known, program.name.removeprefix("class "))
    if definition is None:
        return {}
    file, offset = definition.unit.file, definition.node.offset
    inside = program.watcher.inside
    # Those of the parameters, then those of the body.
    return {**inside.get((file, -1 - offset), {}), **inside.get((file, offset), {})}
