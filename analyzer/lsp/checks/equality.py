"""Compiles what a file is part of with other texts, and compares the catalogs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from analyzer.diagnostics import InputError
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.linter.texts import Overlay
from analyzer.lsp.checks.compiling import programs_of
from analyzer.lsp.checks.reach import Job
from analyzer.model.refs import ResourceRef
from analyzer.model.values import Unknown

# A catalog in words: its resources with their parameters, and its relationships.
Words = tuple[str, ...]

# How a line ends whose value nobody knows.
UNKNOWN = " => Unknown"


def difference(
    job: Job, after: Job, texts: Mapping[str, str], renamed: Callable[[str], str]
) -> str:
    """Return the change that other texts make in the catalogs of a job, empty if only names do.

    `after` is the job with the names that its classes have then; `renamed` replaces the old names
    in a text. What did not compile before is not compared.
    """
    try:
        before = catalogs_of(job, job.overlay)
        later = catalogs_of(after, {**job.overlay, **texts})
    except InputError as error:
        return str(error)
    for name, words in before.items():
        if isinstance(words, str):
            continue
        other = later.get(renamed(name))
        if isinstance(other, str):
            return f"{name} would not compile: {other}"
        found = differing(sorted(map(renamed, words)), sorted(other or ()))
        if found:
            return f"the catalog of {name} would change: {found}"
    return ""


def differing(wanted: list[str], found: list[str]) -> str:
    """Return the first line that only one of two lists has; what was Unknown may be anything."""
    unknown = {line_of(row) for row in wanted if row.endswith(UNKNOWN)}
    wanted, found = ([r for r in rows if line_of(r) not in unknown] for rows in (wanted, found))
    lost, come = set(wanted) - set(found), set(found) - set(wanted)
    rows = [*(f"without {one}" for one in sorted(lost)), *(f"with {one}" for one in sorted(come))]
    return rows[0] if rows else "other counts" if len(wanted) != len(found) else ""


def line_of(row: str) -> str:
    """Return a line without its value."""
    return row.partition(" => ")[0]


def catalogs_of(job: Job, texts: Mapping[str, str]) -> dict[str, Words | str]:
    """Return each catalog in words, or why there is none."""
    found: dict[str, Words | str] = {}
    for program in programs_of(replace(job, overlay=dict(texts))):
        for one in program.compiled(Overlay(texts)):
            if isinstance(one, Compiled):
                found[one.name] = words_of(one)
            elif isinstance(one, Refusal):
                found[one.name] = one.error.message
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
    """Return a value in words; why one is Unknown has no part, because the reason has names."""
    if isinstance(value, Unknown):
        return "Unknown"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{shown(k)}: {shown(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(shown, value)) + "]"
    return str(value) if isinstance(value, ResourceRef | str) else repr(value)
