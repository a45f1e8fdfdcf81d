"""`catgraph apply`: what a run of Puppet does with a catalog; simulated, nothing is touched."""

from __future__ import annotations

from analyzer.cli.inputs import read_graph, version_of
from analyzer.cli.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    Option,
    format_option,
    usage_error,
)
from analyzer.cli.output import emit, style_for
from analyzer.cli.policies import AGENT, DEFINE, NORMAL_ORDER, is_policy, one_input
from analyzer.session import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from analyzer.apply.events import Outcome
    from analyzer.apply.timeline import Timeline
    from analyzer.cli.options import Options
    from analyzer.graph.relationship_graph import RelationshipGraph

USAGE = "INPUT"
INPUTS = (1, None)
HELP = """Simulate a run of Puppet: the order, what changes, fails, is skipped and refreshed. No
host is touched or looked at: what is there already is told with --state, otherwise nothing is.
With --fail and the like it answers what would happen if. Exit code 1 when a resource fails.

Of a CFEngine policy (.cf) it is a run of the agent: bundles, passes and what each promise did,
with the classes and variables that it set; --all shows what was skipped too. --fail, --changed and
--outcome steer it. Exit code 1 when a promise is not kept."""
OPTIONS = (
    format_option("text", "json", "puppet"),
    Option("--fail", "let a resource fail, or its refresh", metavar="REF[=refresh]", many=True),
    Option("--changed", "let a resource change in any case", metavar="REF", many=True),
    Option("--outcome", "what resources do: JSON, apply and refresh by reference", metavar="FILE"),
    Option("--state", "what is there: JSON, values of properties by reference", metavar="FILE"),
    Option("--noop", "change nothing, say what would be changed", flag=True),
    Option("--tags", "only resources with one of these tags", metavar="TAGS"),
    Option("--skip-tags", "no resources with one of these tags", metavar="TAGS"),
    Option("--at", "time that schedules go by: 2030-01-31T23:30", metavar="TIME"),
    Option("--shuffle", "run N other legal orders, say what differs", metavar="N", type=int),
    Option("--seed", "of the random orders", 0, metavar="N", type=int),
    Option("--verbose", "with --format puppet: lines of level info too", flag=True),
    Option("--debug", "with --format puppet: lines of level debug too", flag=True),
    Option("--all", "list every resource; otherwise 20 of each kind", flag=True),
    DEFINE,
    NORMAL_ORDER,
    AGENT,
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)


def run(options: Options) -> int:
    """Simulate the run and print it."""
    from analyzer.apply.commands import CommandError

    wrong = one_input("apply", options)
    if wrong:
        return wrong
    path = options.inputs[0]
    if is_policy(path):
        from analyzer.cli.policy_apply import apply_policy

        return apply_policy(options)
    try:
        told = told_outcomes(options)
        now = time_of(options.at)
        state = read_json(options.state) if options.state else {}
        if not all(isinstance(values, dict) for values in state.values()):
            raise ValueError(f"{options.state}: each reference has an object of values")
    except ValueError as error:
        return usage_error("apply", str(error))
    graph = read_graph(path, options)
    try:
        if options.shuffle is not None:
            return shuffled(graph, told, state, now, options)
        timeline = simulated(graph, told, state, now, options)
    except CommandError as error:
        return usage_error("apply", str(error))
    emit(shown(timeline, options), options.output)
    return int(timeline.status == "failed")


def told_outcomes(options: Options) -> dict[str, Outcome]:
    """Return what the options say of resources.

    Raises:
        ValueError: one of them cannot be read.
    """
    from analyzer.apply.faults import read_outcomes
    from analyzer.apply.simulate import all_outcomes

    from_file = {}
    if options.outcome:
        try:
            from_file = read_outcomes(read_json(options.outcome))
        except ValueError as error:
            message = str(error)
            known = message.startswith(options.outcome)
            raise ValueError(message if known else f"{options.outcome}: {message}") from None
    return all_outcomes(options.fail or (), options.changed or (), from_file)


def read_json(path: str) -> dict[str, Any]:
    """Return the object that a file holds.

    Raises:
        ValueError: it holds something else.
        OSError: it cannot be read.
    """
    import json

    with open(path, encoding="utf-8") as file:
        try:
            found = json.load(file)
        except ValueError as error:
            raise ValueError(f"{path}: not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{path}: an object with references is wanted")
    return found


def time_of(word: str | None) -> Any:
    """Return the local time that an option gives, now if there is none.

    Raises:
        ValueError: it is no time.
    """
    from datetime import datetime

    if word is None:
        return datetime.now()
    try:
        return datetime.fromisoformat(word).replace(tzinfo=None)
    except ValueError:
        raise ValueError(f"--at: not a time such as 2030-01-31T23:30: {word}") from None


def simulated(
    graph: RelationshipGraph,
    told: dict[str, Outcome],
    state: dict[str, Any],
    now: Any,
    options: Options,
) -> Timeline:
    """Return the whole run."""
    from analyzer.apply.simulate import simulate

    return simulate(
        graph,
        outcomes=told,
        state=state,
        noop=options.noop,
        tags=options.tags or "",
        skip_tags=options.skip_tags or "",
        puppet_version=version_of(options, config_for(options.inputs[0], options.config)),
        now=now,
    )


def shown(timeline: Timeline, options: Options) -> str:
    """Return the run in the wanted format."""
    from analyzer.export import run

    if options.format == "json":
        return run.as_json(timeline)
    if options.format == "puppet":
        level = "debug" if options.debug else "info" if options.verbose else "notice"
        return run.as_console(timeline, level, style_for(options))
    return run.as_text(timeline, style_for(options), everything=options.all)


def shuffled(
    graph: RelationshipGraph,
    told: dict[str, Outcome],
    state: dict[str, Any],
    now: Any,
    options: Options,
) -> int:
    """Print what other legal orders would change; exit code 1 if anything."""
    from analyzer.apply.shuffle import shuffle
    from analyzer.apply.skipping import Settings
    from analyzer.apply.world import Simulation
    from analyzer.export import run
    from analyzer.model.tags import split_tags

    if graph.has_cycle or graph.kernel.missing:
        return usage_error("apply", "there is no order to shuffle: 'catgraph cycles' explains")
    if options.format == "puppet" or options.shuffle < 1:
        return usage_error("apply", "--shuffle takes a number above 0, and format text or json")
    settings = Settings(
        noop=options.noop,
        tags=split_tags(options.tags or ""),
        skip_tags=split_tags(options.skip_tags or ""),
        now=now,
    )
    found = shuffle(
        graph,
        options.shuffle,
        seed=options.seed,
        world=Simulation(state, graph.catalog.properties),
        settings=settings,
        outcomes=told,
    )
    render = run.differences_json if options.format == "json" else run.differences_text
    emit(render(found, options.shuffle, style_for(options)), options.output)
    return int(bool(found))
