"""An exploration as JSON, for scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from analyzer.export.encode import json_text
from analyzer.export.reports.lint_json import condition_row
from analyzer.export.values import gap_row
from analyzer.frontends.puppet.worlds.tests import ABSENT
from analyzer.model.documents import JsonObject
from analyzer.worlds.conditional import condition_text, row_of
from analyzer.worlds.findings import of_cycle

if TYPE_CHECKING:
    from analyzer.frontends.puppet.worlds.conditions import Conjunct
    from analyzer.graph.cycles.search import Cycle
    from analyzer.worlds.explored import (
        ConditionalFinding,
        ExploredNode,
        ExploredWorld,
        RepositoryExploration,
    )


def document(found: RepositoryExploration) -> str:
    """Return an exploration as JSON text."""
    return json_text(rows_of(found))


def rows_of(found: RepositoryExploration) -> JsonObject:
    """Return `nodes` with their worlds and cycles, the gaps of all worlds, and `decisions`."""
    never = [
        {"file": one.span.file, "line": one.span.line, "arm": one.arm, "reason": one.reason}
        for one in found.never
    ]
    reachable = found.taken + len(never)
    decisions = {"taken": found.taken, "reachable": reachable, "never": never}
    nodes = [node_row(node) for node in found.nodes]
    return {
        "nodes": nodes,
        "not_alone": found.private,
        "not_explored": found.left,
        "interrupted": found.interrupted,
        "incomplete": [gap_row(gap) for gap in found.gaps],
        "decisions": decisions,
    }


def node_row(node: ExploredNode) -> JsonObject:
    """Return a node with its worlds, and each finding with its condition."""
    return {
        "name": node.name,
        "from": node.origin,
        "runs": node.runs,
        "complete_search": node.exhausted,
        "like": node.like or None,
        "worlds": [world_row(node, world) for world in node.worlds],
        "findings": [finding_row(one) for one in node.findings],
    }


def finding_row(one: ConditionalFinding) -> JsonObject:
    """Return a finding with its condition, and the inputs of a world in which it holds."""
    finding = one.finding
    span = finding.span
    row: JsonObject = {
        "kind": finding.kind,
        "message": finding.message,
        "file": span.file if span else None,
        "line": span.line if span else None,
        "condition": [conjunct_row(part) for part in one.condition],
        "if": condition_text(one.condition),
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


def world_row(node: ExploredNode, world: ExploredWorld) -> JsonObject:
    """Return a world: its inputs, and its result."""
    return {
        "facts": inputs_of(world),
        "state": world.state,
        "resources": world.resources,
        "relationships": world.relationships,
        "cycles": [cycle_row(node, cycle) for cycle in world.cycles],
        "unknown": [str(gap) for gap in world.gaps],
        "error": str(world.error) if world.error else None,
    }


def cycle_row(node: ExploredNode, cycle: Cycle) -> JsonObject:
    """Return a cycle of a world with its condition, null if the node does not have the finding."""
    found = of_cycle(cycle)
    same = next((one for one in node.findings if found.is_like(one.finding)), None)
    condition = [conjunct_row(part) for part in same.condition] if same else None
    return {"path": [str(ref) for ref in cycle.path], "condition": condition}


def inputs_of(world: ExploredWorld) -> dict[str, object]:
    """Return the system of a world, and the inputs that differ from it; null: not set."""
    values: Mapping[str, object] = world.world.values
    changed = {name: None if value is ABSENT else value for name, value in values.items()}
    return {"system": world.world.system, **changed}


def conjunct_row(part: Conjunct) -> dict[str, object]:
    """Return a part of a condition."""
    return condition_row(*row_of(part))
