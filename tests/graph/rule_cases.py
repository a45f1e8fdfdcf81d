"""Cases of automatic relationships: a few resources, and the edges that Puppet made of them.

A file of cases is blocks with an empty line between. A block is a line `== what it shows`, one
line per resource (`Type[title] {parameters as JSON}`), then Puppet's edges in its order:
`source -> target : rule`, with `~>` for an edge that carries events and `rule !reason` for an
automatic one that was proposed and left out; or the one error about a reference that finds
nothing. The resources are the whole input, so `python -m tests.graph.rule_cases FILE...` can
record the edges anew with the installed Puppet.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import analyzer
from analyzer.graph.relationship_graph import RelationshipGraph

# Where the modules of the types are.
MODULES = os.environ.get("PUPPET_MODULES", "/usr/share/puppet/modules").split(":")
_RESOURCE = re.compile(r"(?P<type>\w+)\[(?P<title>.*?)\](?: (?P<parameters>\{.*\}))?\Z")
_EDGE = re.compile(r"(?:.+\] [-~]> .+\](?: : \w+(?: !.+)?)?|Could not find depend\w+ .+)\Z")
_MISSING = re.compile(r"Could not find depend\w+ \S+ for .+?\](?= |\Z)")


@dataclass(frozen=True, slots=True)
class Declared:
    """A resource as a case declares it."""

    type: str
    title: str
    parameters: dict[str, Any]

    def __str__(self) -> str:
        ref = f"{self.type}[{self.title}]"
        return f"{ref} {json.dumps(self.parameters)}" if self.parameters else ref


@dataclass(frozen=True, slots=True)
class RuleCase:
    """Resources and the edges between them, in Puppet's order; what was left out comes last."""

    name: str
    resources: tuple[Declared, ...]
    edges: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([f"== {self.name}", *map(str, self.resources), *self.edges])


def read_cases(path: Path) -> list[RuleCase]:
    """Read a file of cases."""
    return [_case(block) for block in path.read_text().strip().split("\n\n")]


def _case(block: str) -> RuleCase:
    head, *lines = block.split("\n")
    lines = [line for line in lines if not line.startswith("#")]
    edges = [line for line in lines if _EDGE.match(line)]
    resources = [_resource(line) for line in lines if not _EDGE.match(line)]
    return RuleCase(head.removeprefix("== "), tuple(resources), tuple(edges))


def _resource(line: str) -> Declared:
    found = _RESOURCE.match(line)
    if found is None:
        raise ValueError(f"neither a resource nor an edge: {line}")
    return Declared(found["type"], found["title"], json.loads(found["parameters"] or "{}"))


def edge(source: str, target: str, event: bool, rule: str | None, reason: str = "") -> str:
    """One edge as a line of a case."""
    left_out = f" !{reason}" if reason else ""
    return f"{source} {'~>' if event else '->'} {target}{f' : {rule}' if rule else ''}{left_out}"


def catgraph_edges(case: RuleCase) -> tuple[str, ...]:
    """What catgraph makes of the resources."""
    rows = [
        {"type": r.type, "title": r.title, "kind": "compilable_type", "parameters": r.parameters}
        for r in case.resources
    ]
    catalog = {"name": "test", "catalog_format": 2, "resources": rows, "edges": []}
    return edges_of(analyzer.relate(analyzer.load_catalog(catalog)))


def edges_of(graph: RelationshipGraph) -> tuple[str, ...]:
    """The relationships of a graph as lines of a case, or the error about what is not there."""
    for missing in graph.missing():
        return (_error(missing.message),)
    kept = [
        edge(str(r.source), str(r.target), r.event, None if r.auto == "generate" else r.auto)
        for r in graph.relationships()
    ]
    dropped = [
        edge(str(r.source), str(r.target), r.event, r.auto, d.reason)
        for d in graph.dropped()
        for r in [d.relationship]
    ]
    return (*kept, *dropped)


def _error(message: str) -> str:
    found = _MISSING.search(message)
    if found is None:
        raise ValueError(message)
    return found[0]


# ---------------------------------------------------------------------------- recording


def manifest(case: RuleCase) -> str:
    """The resources in Puppet's language."""
    return "\n".join(
        f"{r.type.lower()} {{ {_literal(r.title)}: * => {_literal(r.parameters)} }}"
        for r in case.resources
    )


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, list):
        return "[" + ", ".join(map(_literal, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(k)} => {_literal(v)}" for k, v in value.items()) + "}"
    return json.dumps(value)


def with_answer(case: RuleCase, answer: dict[str, Any]) -> RuleCase:
    """The case as Puppet has it, from an answer of the oracle."""
    if "relationships" not in answer:
        return replace(case, edges=(_error(f"{case.name}: {answer['error']}"),))
    rows: Iterable[Sequence[Any]] = chain(answer["relationships"], answer["dropped"])
    edges = [edge(r[0], r[1], r[3] == "ALL_EVENTS", r[4], *r[5:]) for r in rows]
    # With what the compiler adds to the parameters, such as the parts of a title.
    resources = [
        Declared(r["type"], r["title"], r.get("parameters", {}))
        for r in answer["catalog"]["resources"]
        if r["type"] not in ("Stage", "Class")
    ]
    return RuleCase(case.name, tuple(resources), tuple(edges))


def record(path: Path) -> None:
    """Write what the installed Puppet says into a file of cases."""
    from tests.oracle.harness import ask

    cases = read_cases(path)
    answers = ask(
        {"id": case.name, "code": manifest(case), "modulepath": MODULES} for case in cases
    )
    recorded = [with_answer(case, answer) for case, answer in zip(cases, answers, strict=True)]
    path.write_text("\n\n".join(map(str, recorded)) + "\n")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        record(Path(name))
