"""Compiles the catalogs that a file belongs to with changed texts, and compares them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple

from analyzer.compiles.overlay import Overlay
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.modules import Module
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.lsp.checks.compiling import is_of_nodes, programs_of
from analyzer.lsp.checks.reach import Job
from analyzer.lsp.checks.site_nodes import NearNodes
from analyzer.model.refs import ResourceRef
from analyzer.model.values import Unknown

# A catalog as text: its resources with their parameters, and its relationships.
Words = tuple[str, ...]

# Seconds after which no further catalog is compared: an editor waits for the rename.
MOST_SECONDS = 20.0

# The node in the name of a compile.
NODE = re.compile(r" \(([^ ,()]+)(?:, [^()]*)?\)$")

# The end of a line whose value is unknown.
UNKNOWN = " => Unknown"
# The beginning of the line about an error of a catalog.
REFUSED = "error: "


class EqualityResult(NamedTuple):
    """The first change (empty if only names change), the catalogs compared, and those left out.

    `others` counts the node blocks that reach the renamed definition and were not chosen.
    """

    problem: str = ""
    compared: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    others: int = 0


def difference(
    job: Job, after: Job, texts: Mapping[str, str], renamed: Callable[[str], str]
) -> EqualityResult:
    """Return the change that changed texts make in the catalogs of a job.

    `after` is the job with the new names of its classes; `renamed` replaces the old names in a
    text. Catalogs that did not compile before are not compared, nor those for which there is no
    time left.
    """
    end = monotonic() + MOST_SECONDS
    compared, left = list[str](), list[str]()
    others = 0
    later = {**job.overlay, **texts}
    try:
        for program in programs_of(job):
            program.alone = program.alone or is_of_nodes(job, program)
            others += others_than(program, job)
            other = other_of(program, job, after)
            for name in names_of(program, job):
                if monotonic() > end:
                    left.append(name or program.path)
                    continue
                before = catalogs_of(program, job.overlay, {name} if name else None)
                found = catalogs_of(other, later, {renamed(name)} if name else None)
                problem = changed(before, found, renamed)
                if problem:
                    return EqualityResult(problem)
                compared += [one for one, words in before.items() if not isinstance(words, str)]
    except InputError as error:
        return EqualityResult(str(error))
    return EqualityResult("", tuple(map(label, compared)), tuple(map(label, left)), others)


def other_of(program: Program, job: Job, after: Job) -> Program:
    """Return the program to compile with changed texts: of the same nodes, or of the classes.

    A classifier may not assign the class under its new name: the node is compiled with the
    classes that it does assign.
    """
    module = program.part.module
    if module is not None:
        place = [one for one, _ in job.classes].index(module.folder)
        module = Module(module.folder, module.name, after.classes[place][1])
    other = Program(replace(program.part, module=module), program.rules_for)
    other.alone = program.alone
    return other


def others_than(program: Program, job: Job) -> int:
    """Return how many of the reached nodes a program does not compile."""
    if isinstance(program, NearNodes) and program.of:
        return program.of - len(program.settings.nodes)
    chosen = len(program.settings.nodes)
    return max(0, len(job.blocks) - chosen) if is_of_nodes(job, program) else 0


def names_of(program: Program, job: Job) -> list[str]:
    """Return the names of the separate compiles; an empty name stands for all at once."""
    names = program.names_in(Overlay(job.overlay))
    return names if names and (program.alone or program.code.by_class) else [""]


def changed(
    before: Mapping[str, Words | str],
    later: Mapping[str, Words | str],
    renamed: Callable[[str], str],
) -> str:
    """Return the first change between catalogs, empty if only names change."""
    for name, words in before.items():
        if isinstance(words, str):
            continue
        other = later.get(renamed(name))
        if isinstance(other, str):
            return f"{label(name)} would not compile: {other}"
        refused = [row for row in other or () if row.startswith(REFUSED) and row not in words]
        if refused:
            return f"{label(name)} would not compile: {refused[0].removeprefix(REFUSED)}"
        found = differing(sorted(map(renamed, words)), sorted(other or ()))
        if found:
            return f"the catalog of {label(name)} would change: {found}"
    return ""


def label(name: str) -> str:
    """Return the name of a compile for a message."""
    found = NODE.search(name)
    return f"node {found[1]}" if found else name


def differing(wanted: list[str], found: list[str]) -> str:
    """Return the first line that only one of two lists has; an Unknown may become any value."""
    unknown = {line_of(row) for row in wanted if row.endswith(UNKNOWN)}
    wanted, found = ([r for r in rows if line_of(r) not in unknown] for rows in (wanted, found))
    lost, come = set(wanted) - set(found), set(found) - set(wanted)
    rows = [*(f"without {one}" for one in sorted(lost)), *(f"with {one}" for one in sorted(come))]
    return rows[0] if rows else "other counts" if len(wanted) != len(found) else ""


def line_of(row: str) -> str:
    """Return a line without its value."""
    return row.partition(" => ")[0]


def catalogs_of(
    program: Program, texts: Mapping[str, str], only: set[str] | None
) -> dict[str, Words | str]:
    """Return each catalog as text, or the reason why there is none."""
    found: dict[str, Words | str] = {}
    for one in program.compiled(Overlay(texts), only):
        if isinstance(one, Compiled):
            # The error of one part comes first, and does not hide the other parts.
            error = found.get(one.name)
            rows = words_of(one)
            found[one.name] = (f"{REFUSED}{error}", *rows) if isinstance(error, str) else rows
        elif isinstance(one, Refusal):
            found.setdefault(one.name, one.error.message)
    return found


def words_of(compiled: Compiled) -> Words:
    """Return the resources and relationships of a catalog, one to a line."""
    graph = compiled.graph
    rows = [f"{one.ref}" for one in graph.catalog.resources]
    rows += [
        f"{one.ref} {name} => {shown(value)}"
        for one in graph.catalog.resources
        for name, value in one.parameters.items()
    ]
    rows += [f"{edge.target} in {edge.source}" for edge in graph.containment()]
    if graph.relationship_count <= 50_000:
        rows += [f"{edge.source} {edge.kind} {edge.target}" for edge in graph.relationships()]
    return tuple(rows)


def shown(value: Any) -> str:
    """Return a value as text; the reason of an Unknown is left out because it contains names."""
    if isinstance(value, Unknown):
        return "Unknown"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{shown(k)}: {shown(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(shown, value)) + "]"
    return str(value) if isinstance(value, ResourceRef | str) else repr(value)
