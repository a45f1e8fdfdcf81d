"""A simulated run of a policy as JSON."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.run import Run
    from analyzer.frontends.cfengine.agent.steps import Step


def render(run: Run) -> str:
    """Return the run as a JSON object: the steps, and the number of promises for each outcome."""
    from json import dumps

    steps = ",\n".join("  " + dumps(step_row(step), ensure_ascii=False) for step in run.steps)
    head = dumps({"program": run.program, "failed": run.failed, "outcomes": run.tally()})
    return f'{head[:-1]}, "steps": [\n{steps}\n]}}'


def step_row(step: Step) -> dict[str, object]:
    """Return a step as JSON, without empty values."""
    event = step.event
    row: dict[str, object] = {
        "step": step.number,
        "kind": step.kind,
        "label": step.label,
        "bundle": step.bundle.name if step.bundle else "",
        "type": step.type,
        "promiser": event.promiser if event else "",
        "place": str(step.place or ""),
        "pass": step.pass_number or "",
        "iteration": (event.iteration if event else None) or "",
        "outcome": step.outcome,
        "reason": event.reason if event and not step.calls else "",
        "detail": event.detail if event and not step.calls else "",
        "classes": list(step.set_classes),
        "cancelled": list(step.cancelled),
        "variables": dict(step.variables),
        "handles": list(step.handles),
        "log": step.log,
    }
    return {key: value for key, value in row.items() if value not in ("", [], {})}
