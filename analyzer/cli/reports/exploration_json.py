"""An exploration as JSON, for scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analyzer.export.encode import json_text
from analyzer.frontends.puppet.worlds.questions import ABSENT

if TYPE_CHECKING:
    from analyzer.frontends.puppet.worlds.conditions import Conjunct
    from analyzer.session.exploring import Exploration, ExploredNode, ExploredWorld


def document(found: Exploration) -> str:
    """Return `nodes` with their worlds and cycles, and `decisions`."""
    never = [
        {"file": one.span.file, "line": one.span.line, "arm": one.arm, "reason": one.reason}
        for one in found.never
    ]
    reachable = found.taken + len(never)
    decisions = {"taken": found.taken, "reachable": reachable, "never": never}
    return json_text({"nodes": [node_row(node) for node in found.nodes], "decisions": decisions})


def node_row(node: ExploredNode) -> dict[str, object]:
    """Return a node with its worlds, and each cycle with its condition."""
    return {
        "name": node.name,
        "from": "class" if node.name.startswith("class ") else "node",
        "runs": node.runs,
        "complete_search": node.exhausted,
        "worlds": [world_row(world) for world in node.worlds],
        "cycles": [
            {
                "path": [str(ref) for ref in one.cycle.path],
                "statements": sorted(
                    {
                        str(r.origin.span)
                        for hop in one.cycle.hops
                        for r in hop.relationships
                        if r.origin.span
                    }
                ),
                "condition": [conjunct_row(part) for part in one.condition],
                "witness": inputs_of(one.world),
            }
            for one in node.cycles
        ],
    }


def world_row(world: ExploredWorld) -> dict[str, object]:
    """Return a world: the inputs that make it, and what came of it."""
    graph = world.graph
    return {
        "facts": inputs_of(world),
        "state": world.state,
        "resources": len(graph.catalog.resources) if graph else 0,
        "relationships": sum(1 for _ in graph.relationships()) if graph else 0,
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
