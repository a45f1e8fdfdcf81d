"""The findings of an exploration as findings of the lint, each with its condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.worlds.conditions import Conjunct
from analyzer.frontends.puppet.worlds.tests import ABSENT
from analyzer.graph.findings import cycle_finding
from analyzer.worlds.explored import ConditionalFinding, ExploredNode

ALWAYS = "in every world that was tried"

# Facts that tell kinds of systems apart, and ways to say that a system is of any other kind.
KINDS, OTHERS = frozenset({"kernel", "facts.kernel"}), frozenset({"is not", "is none of"})

CODES = {"missing target": "CG201", "duplicate declaration": "CG202", "error": "CG200"}


def findings_of(nodes: Iterable[ExploredNode], path: str) -> list[Finding]:
    """Return the findings of nodes; merge those with the same cause and condition."""
    merged: dict[object, Finding] = {}
    for node in nodes:
        for one in node.findings:
            if is_elsewhere(one):
                continue
            finding = replace(finding_of(node, one), path=path)
            key = one.finding.kind, one.finding.statements, condition_text(one.condition)
            first = merged.setdefault(key, finding)
            if first is not finding:
                merged[key] = replace(first, also=(*first.also, finding))
    return list(merged.values())


def is_elsewhere(one: ConditionalFinding) -> bool:
    """Return whether a resource is missing only on kernels for which the code has nothing."""
    parts = [(part.input in KINDS, part.op in OTHERS) for part in one.condition]
    return one.finding.kind == "missing target" and parts == [(True, True)]


def finding_of(node: ExploredNode, one: ConditionalFinding) -> Finding:
    """Return the finding of a node; its message ends with the condition."""
    what, rows = one.finding, tuple(row_of(part) for part in one.condition)
    where = condition_text(one.condition)
    if what.cycle is not None:
        made = cycle_finding(node.name, what.cycle)
        return replace(made, message=f"{made.message} ({where})", condition=rows)
    message = f"{what.message} ({where})"
    code = CODES[what.kind]
    return Finding(code, "error", message, what.span, input=node.name, condition=rows)


def condition_text(condition: tuple[Conjunct, ...]) -> str:
    """Return a condition in words."""
    return f"if {' and '.join(map(str, condition))}" if condition else ALWAYS


def has_condition(message: str) -> bool:
    """Return whether a finding holds in another world, from its message."""
    return message.endswith(")") and (" (if " in message or message.endswith(f" ({ALWAYS})"))


def row_of(part: Conjunct) -> tuple[str, str, object]:
    """Return the input, the operator and the value of a part, None if it is missing."""
    return part.input, part.op, None if part.value is ABSENT else part.value


def new_in(findings: list[Finding], known: list[Finding]) -> Iterator[Finding]:
    """Yield findings of worlds that differ in place and resources from all reported ones."""
    told = {key for one in known for key in keys_of(one)}
    yield from (one for one in findings if told.isdisjoint(keys_of(one)))


def keys_of(finding: Finding) -> Iterator[object]:
    """Yield the parts that distinguish a finding: its place, and its resources."""
    # A duplicate declaration is one finding, whichever rule reports it.
    yield finding.code.replace("CG202", "CG200"), finding.span
    for one in (finding, *finding.also):
        if one.refs:
            yield one.code, frozenset(one.refs)
