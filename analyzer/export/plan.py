"""A compile plan as text and as JSON: each compile, why it is made, and what it needs."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.compiles.plan import CompilePlan, needs_of
from analyzer.escape import joined
from analyzer.export.encode import json_text
from analyzer.model.documents import JsonObject
from analyzer.model.nouns import counted


def render_text(plan: CompilePlan) -> str:
    """Return a plan as lines."""
    return joined(lines_of(plan)) + "\n"


def lines_of(plan: CompilePlan) -> Iterator[str]:
    """Yield a line about the plan, and a few for each compile."""
    noun, nouns = ("class", "classes") if plan.by_class else ("node", "nodes")
    subjects = counted(len(plan.subjects), noun, nouns)
    sets = counted(len(plan.sets), "set of facts", "sets of facts")
    yield f"{counted(len(plan.targets), 'compile')}: {subjects}, {sets}"
    for target in plan.targets:
        yield f"{plan.label(target)}: {target.reason}"
        yield from (f"  {kind}: {value}" for kind, value in needs_of(plan, target))
    for gap in plan.gaps:
        yield f"not compiled: {gap}"


def render_json(plan: CompilePlan) -> str:
    """Return a plan as a JSON document."""
    rows: list[JsonObject] = [
        {
            "name": plan.label(target),
            "node": target.node,
            "role": target.role,
            "class": target.alone or None,
            "facts": target.facts or None,
            "reason": target.reason,
            "needs": dict(needs_of(plan, target)),
        }
        for target in plan.targets
    ]
    gaps = [str(gap) for gap in plan.gaps]
    return json_text({"path": plan.path, "compiles": rows, "not_compiled": gaps})
