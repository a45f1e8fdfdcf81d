"""`catgraph apply` for a CFEngine policy: a simulated run of the agent."""

from __future__ import annotations

from analyzer.cli.shared.output import emit, style_for, usage_error, warn
from analyzer.cli.shared.policies import cut, never_lines, request_of
from analyzer.escape import joined
from analyzer.model.nouns import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.cli.shared.options import Options
    from analyzer.cli.shared.output import OutputStyle
    from analyzer.frontends.cfengine.agent.run import Run
    from analyzer.frontends.cfengine.agent.steps import Step
    from analyzer.session.policies import PolicyRunOptions

# The options that apply to the run of a catalog but not to that of a policy.
OF_CATALOGS = (
    *("state", "noop", "tags", "skip_tags", "at", "shuffle", "verbose", "debug"),
    *("from_host", "report"),
)
COLORS = {"kept": "green", "repaired": "yellow", "set": "green", "not_kept": "red"}
COLORS |= {"timeout": "red", "unfinished": "red", "skipped": "dim"}
SHOWN_VALUE, MOST_CHANGES = 40, 8
# The indentation of a called bundle below its caller.
LEVEL = 6


def apply_policy(options: Options) -> int:
    """Print the run; return exit code 1 if a promise is not kept."""
    wrong = next((name for name in OF_CATALOGS if getattr(options, name) not in (None, False)), "")
    if wrong:
        return usage_error("apply", f"--{wrong.replace('_', '-')} cannot be used with a policy")
    if options.format == "puppet":
        return usage_error("apply", "--format puppet cannot be used with a policy")
    from analyzer.session.policies import run_policy

    request = request_of(options)
    if options.fail or options.changed:
        given = given_outcomes(options, request)
        if isinstance(given, str):
            return usage_error("apply", given)
        request = given
    run = run_policy(options.inputs, request)
    warn(options.inputs[0], run.warnings)
    if options.format == "json":
        from analyzer.export.runs.policy_json import render

        emit(render(run), options.output)
    else:
        emit(joined(as_lines(run, options.all, style_for(options))), options.output)
    return int(run.failed)


def given_outcomes(options: Options, request: PolicyRunOptions) -> PolicyRunOptions | str:
    """Return the request with the outcomes of --fail and --changed, or an error."""
    from dataclasses import replace

    from analyzer.cli.reports.policy_why import not_kept
    from analyzer.frontends.cfengine.agent.catalog import nodes_of
    from analyzer.session.policies import events_of, outcome_row

    events, _ = events_of(options.inputs, request)
    nodes = nodes_of(events)
    rows = []
    for refs, outcome in ((options.fail, "not_kept"), (options.changed, "repaired")):
        for ref in refs or ():
            if ref not in nodes:
                return not_kept(ref, nodes, events, options.inputs)
            rows.append(outcome_row(events[nodes[ref]], outcome))
    return replace(request, injected=tuple(rows))


def as_lines(run: Run, everything: bool, style: OutputStyle) -> list[str]:
    """Return the run as text, by bundles and passes, with all evaluations if wanted."""
    rows = list(step_lines(run, everything))
    width = max((len(text) for text, _, _, _ in rows), default=0)
    words = max((len(outcome) for _, outcome, _, _ in rows), default=0)
    places = max((len(place) for _, _, place, _ in rows), default=0)
    lines = []
    for text, outcome, place, change in rows:
        color = COLORS.get(outcome.partition(":")[0])
        cell = f"{outcome:<{words}}"
        word = style(color, cell) if color else cell
        lines.append(f"{text:<{width}}  {word}  {place:<{places}}  {change}".rstrip())
    return [*lines, *never_lines(run.events), "", summary(run)]


def step_lines(run: Run, everything: bool) -> Iterator[tuple[str, str, str, str]]:
    """Yield the text, outcome, place and changes of the visible steps."""
    shown = [step for step in run.steps if everything or is_shown(step)]
    for number, step in enumerate(shown):
        following = shown[number + 1] if number + 1 < len(shown) else None
        if step.kind == "pass" and not everything and is_empty(step, following):
            continue
        if step.kind in ("leave", "end") and not everything:
            continue
        inside = step.kind in ("look", "return", "settle")
        indent = " " * LEVEL * (step.depth - 1) + {"pass": "  "}.get(step.kind, "    " * inside)
        place = str(step.place) if step.place and step.kind != "pass" else ""
        label = f"pass {step.pass_number}" if step.kind == "pass" else step.label
        yield cut(indent + label), outcome_of(step), place, changes(step)


def is_shown(step: Step) -> bool:
    """Return whether a step has an effect to show."""
    if step.kind == "look":
        again = step.outcome == "evaluated" and step.pass_number > 1
        idle = step.outcome == "not_set" or again
        return not step.skipped and (not idle or bool(changes(step)))
    return step.kind not in ("prepare", "settle") or bool(changes(step))


def is_empty(step: Step, following: Step | None) -> bool:
    """Return whether a pass has no visible steps."""
    return following is None or following.kind in ("pass", "leave", "end")


def outcome_of(step: Step) -> str:
    """Return the outcome, with the reason of a skip."""
    reason = step.event.reason if step.event and step.skipped else ""
    return f"{step.outcome}: {reason}" if reason else step.outcome


def changes(step: Step) -> str:
    """Return the values that a step set and removed."""
    parts = [f"+{name}" for name in step.set_classes] + [f"-{name}" for name in step.cancelled]
    for name, value in step.variables:
        text = value if isinstance(value, str) else repr(value)
        short = text if len(text) <= SHOWN_VALUE else text[: SHOWN_VALUE - 3] + "..."
        parts.append(f"{name}={' '.join(short.split())}")
    if len(parts) > MOST_CHANGES:
        parts[MOST_CHANGES:] = [f"... and {len(parts) - MOST_CHANGES:,} more"]
    return " ".join(parts)


def summary(run: Run) -> str:
    """Return the number of promises for each outcome."""
    tally = run.tally()
    acted = ("repaired", "kept", "not_kept", "timeout", "unfinished")
    ended = {name: tally[name] for name in acted if name in tally}
    total = counted(sum(ended.values()), "promise")
    parts = [f"{count:,} {name.replace('_', ' ')}" for name, count in ended.items()]
    return f"{total}: {', '.join(parts)}" if parts else f"{total} kept"
