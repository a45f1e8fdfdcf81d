"""An exploration as JSON, for scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analyzer.export.encode import json_text
from analyzer.frontends.puppet.worlds.tests import ABSENT

if TYPE_CHECKING:
    from analyzer.frontends.puppet.worlds.conditions import Conjunct
    from analyzer.session.exploring import Exploration
    from analyzer.session.searching import ConditionalFinding, ExploredNode, ExploredWorld


def document(found: Exploration) -> str:
    """Return `nodes` with their worlds and cycles, and `decisions`."""
    never = [
        {"file": one.span.file, "line": one.span.line, "arm": one.arm, "reason": one.reason}
        for one in found.never
    ]
    reachable = found.taken + len(never)
    decisions = {"taken": found.taken, "reachable": reachable, "never": never}
    nodes = [node_row(node) for node in found.nodes]
    return json_text({"nodes": nodes, "not_alone": found.private, "decisions": decisions})


def node_row(node: ExploredNode) -> dict[str, Any]:
    """Return a node with its worlds, and each finding with its condition."""
    return {
        "name": node.name,
        "from": "class" if node.name.startswith("class ") else "node",
        "runs": node.runs,
        "complete_search": node.exhausted,
        "like": node.like or None,
        "worlds": [world_row(world) for world in node.worlds],
        "findings": [finding_row(one) for one in node.findings],
    }


def finding_row(one: ConditionalFinding) -> dict[str, Any]:
    """Return a finding with its condition, and the inputs of a world in which it holds."""
    finding = one.finding
    span = finding.span
    row: dict[str, Any] = {
        "kind": finding.kind,
        "message": finding.message,
        "file": span.file if span else None,
        "line": span.line if span else None,
        "condition": [conjunct_row(part) for part in one.condition],
        "witness": inputs_of(one.world),
    }
    if finding.cycle is not None:
        row["path"] = [str(ref) for ref in finding.cycle.path]
        row["statements"] = sorted(
            {
                str(r.origin.span)
                for hop in finding.cycle.hops
                for r in hop.relationships
                if r.origin.span
            }
        )
    return row


def world_row(world: ExploredWorld) -> dict[str, Any]:
    """Return a world: the inputs that make it, and what came of it."""
    return {
        "facts": inputs_of(world),
        "state": world.state,
        "resources": world.resources,
        "relationships": world.relationships,
        "cycles": [[str(ref) for ref in cycle.path] for cycle in world.cycles],
        "unknown": [str(gap) for gap in world.gaps],
        "error": str(world.error) if world.error else None,
    }


def inputs_of(world: ExploredWorld) -> dict[str, object]:
    """Return the system of a world, and the inputs that differ from it; null: not there."""
    values: Mapping[str, Any] = world.world.values
    changed = {name: None if value is ABSENT else value for name, value in values.items()}
    return {"system": world.world.system, **changed}


def conjunct_row(part: Conjunct) -> dict[str, object]:
    """Return a part of a condition."""
    value = None if part.value is ABSENT else part.value
    return {"input": part.input, "op": part.op, "value": value}
