"""`catgraph apply`: what a run of Puppet does with a catalog; simulated unless --real is given."""

from __future__ import annotations

from analyzer.cli.shared.inputs import version_of
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    Option,
    format_option,
    usage_error,
)
from analyzer.cli.shared.output import emit, style_for, warn
from analyzer.cli.shared.policies import (
    AGENT,
    BUNDLESEQUENCE,
    DEFINE,
    NORMAL_ORDER,
    is_policy,
    one_input,
)
from analyzer.reading import read_text
from analyzer.session import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.apply.engine.events import Outcome
    from analyzer.apply.engine.skipping import Settings
    from analyzer.apply.engine.world import Simulation
    from analyzer.apply.host import Host
    from analyzer.apply.report.from_timeline import Clock
    from analyzer.apply.timeline import Timeline
    from analyzer.cli.runs.hosts import Unannounced
    from analyzer.cli.shared.options import Options
    from analyzer.graph.relationship_graph import RelationshipGraph

USAGE = "INPUT"
INPUTS = (1, None)
HELP = """Simulate a run of Puppet: the order, what changes, fails, is skipped and refreshed. No
host is touched or looked at: what is there already is told with --state, otherwise nothing is.
With --from-host it starts from this host as it is, which is only looked at (conditions of execs
are run). What would fail there, but may not once a package or a command before it has done its
work, is told and taken to succeed. With --fail and the like it answers what would happen if.

With --real this host is changed. What will be changed is shown first, and has to be confirmed.
--real --noop shows that and changes nothing, also of resources that say `noop => false`. With
--root DIR all that happens inside of a folder as if it were /. Ctrl-C ends the run after the
resource in hand, once more ends it at once. A program that a provider runs may take an hour, an
exec its `timeout`. The state folder (/var/lib/catgraph for root, else ~/.local/state/catgraph)
keeps the journals of runs and what files held before they were changed.

What is not all known is not applied (exit code 3), unless --allow-incomplete is given.

Of a CFEngine policy (.cf) it is a run of the agent: bundles, passes and what each promise did,
with the classes and variables that it set; --all shows what was skipped too. --fail, --changed and
--outcome steer it.

Exit code 1 when a resource fails, a promise is not kept, or the plan is not confirmed; 130 after
Ctrl-C."""
OPTIONS = (
    format_option("text", "json", "puppet"),
    Option("--fail", "let a resource fail, or its refresh", metavar="REF[=refresh]", many=True),
    Option("--changed", "let a resource change in any case", metavar="REF", many=True),
    Option("--outcome", "what resources do: JSON, apply and refresh by reference", metavar="FILE"),
    Option("--state", "what is there: JSON, values of properties by reference", metavar="FILE"),
    Option("--noop", "change nothing, say what would be changed", flag=True),
    Option("--tags", "only resources with one of these tags", metavar="TAGS"),
    Option("--skip-tags", "no resources with one of these tags", metavar="TAGS"),
    Option("--from-host", "start from this host as it is; nothing is changed", flag=True),
    Option("--real", "change this host", flag=True),
    Option("--yes", "with --real: do not ask", flag=True),
    Option("--allow-incomplete", "with --real: though not all is known of it", flag=True),
    Option("--root", "the folder that is taken for /, of a host", metavar="DIR"),
    Option("--state-dir", "with --real: the state folder", metavar="DIR"),
    Option("--report", "write Puppet's report: FILE.yaml or FILE.json", metavar="FILE"),
    Option("--at", "time that schedules go by: 2030-01-31T23:30", metavar="TIME"),
    Option("--shuffle", "run N other legal orders, say what differs", metavar="N", type=int),
    Option("--seed", "of the random orders", 0, metavar="N", type=int),
    Option("--verbose", "with --format puppet: lines of level info too", flag=True),
    Option("--debug", "with --format puppet: lines of level debug too", flag=True),
    Option("--all", "list every resource; otherwise 20 of each kind", flag=True),
    DEFINE,
    BUNDLESEQUENCE,
    NORMAL_ORDER,
    AGENT,
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)


# What can only be said of a simulated run.
SIMULATED = ("fail", "changed", "outcome", "state", "shuffle")


def run(options: Options) -> int:
    """Simulate the run and print it, or make it."""
    from analyzer.apply.engine.commands import CommandError

    code = one_input("apply", options)
    if code:
        return code
    wrong = next(misuses(options), None)
    if wrong:
        return usage_error("apply", wrong)
    if options.real:
        from analyzer.cli.runs.real_run import run_real

        return run_real(options, time_of(options.at))
    if is_policy(options.inputs[0]):
        from analyzer.cli.runs.policy_run import apply_policy

        return apply_policy(options)
    try:
        told = told_outcomes(options)
        now = time_of(options.at)
        state = read_json(options.state) if options.state else {}
        if not all(isinstance(values, dict) for values in state.values()):
            raise ValueError(f"{options.state}: each reference has an object of values")
    except ValueError as error:
        return usage_error("apply", str(error))
    try:
        return simulated(told, state, now, options)
    except CommandError as error:
        return usage_error("apply", str(error))


def misuses(options: Options) -> Iterator[str]:
    """Yield what is wrong with the options together."""
    for name in (*SIMULATED, "from_host") if options.real else ():
        if getattr(options, name):
            yield f"--{name.replace('_', '-')} is about a simulated run, --real makes a real one"
    if options.real and options.inputs[0].endswith(".cf"):
        yield "--real applies catalogs and manifests; cf-agent applies policies"
    for name in () if options.real else ("yes", "state_dir", "allow_incomplete"):
        if getattr(options, name):
            yield f"--{name.replace('_', '-')} is for --real"
    yield from misplaced(options)
    try:
        time_of(options.at)
    except ValueError as error:
        yield str(error)


def misplaced(options: Options) -> Iterator[str]:
    """Yield what is wrong with the files and folders that options name."""
    import os

    if options.root:
        if not options.real and not options.from_host:
            yield "--root is for --real and --from-host: without them no host is looked at"
        if not os.path.isdir(options.root):
            yield f"--root: there is no folder {options.root}"
    if options.report:
        folder = os.path.dirname(options.report) or "."
        if not options.report.endswith((".yaml", ".yml", ".json")):
            yield "--report: a name that ends in .yaml or .json is wanted"
        if not os.path.isdir(folder):
            yield f"--report: there is no folder {folder}"


def told_outcomes(options: Options) -> dict[str, Outcome]:
    """Return what the options say of resources.

    Raises:
        ValueError: one of them cannot be read.
    """
    from analyzer.apply.engine.faults import read_outcomes
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

    try:
        found = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
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


def simulated(told: dict[str, Outcome], state: dict[str, Any], now: Any, options: Options) -> int:
    """Simulate the run and print it."""
    from analyzer.apply.engine.run_graph import RunGraph
    from analyzer.apply.engine.world import Observed, Simulation
    from analyzer.apply.host import EMPTY
    from analyzer.apply.timeline import Timeline
    from analyzer.cli.runs.hosts import graph_for, providers_for

    path = options.inputs[0]
    config = config_for(path, options.config)
    providers = providers_for(path, options, config)
    host: Host = EMPTY
    if options.from_host:
        from analyzer.apply.overlay import Overlay
        from analyzer.apply.providers.machine.local import LocalHost

        local = LocalHost(options.root or "/")
        # Other orders begin anew: what the one before would have changed is not remembered.
        host = local if options.shuffle is not None else Overlay(local)
    graph, unannounced = graph_for(path, options, providers, host)
    kind = Observed if options.from_host else Simulation
    world = kind(state, graph.catalog.properties, providers.find, host)
    # Without a host nothing is wrong with what cannot be found out about one.
    settings = settings_of(options, now, unannounced if options.from_host else ())
    if options.shuffle is not None:
        return shuffled(graph, told, world, settings, options)
    timeline = Timeline(RunGraph(graph), world, settings, told).run()
    emit(shown(timeline, options), options.output)
    if isinstance(world, Observed) and options.format != "puppet":
        warn(path, [f"{ref} {note.message}" for ref, note in world.doubted.items()])
    if options.report:
        write_report(timeline, options.report)
    return int(timeline.status == "failed")


def settings_of(options: Options, now: Any, unannounced: Unannounced) -> Settings:
    """Return the settings of a run."""
    from analyzer.apply.engine.skipping import Settings
    from analyzer.model.tags import split_tags

    return Settings(
        noop=options.noop,
        look_only=options.noop and options.real,
        tags=split_tags(options.tags or ""),
        skip_tags=split_tags(options.skip_tags or ""),
        puppet_version=version_of(options, config_for(options.inputs[0], options.config)),
        now=now,
        unannounced=unannounced,
    )


def write_report(timeline: Timeline, path: str, clock: Clock | None = None, *words: str) -> None:
    """Write Puppet's report of a run.

    Raises:
        OSError: it cannot be written.
    """
    import time

    from analyzer.apply.report import from_timeline, write_json, write_yaml

    clock = clock or from_timeline.Clock(time.time())
    report = from_timeline.report_of(timeline, clock, last_words=words)
    writer = write_json if path.endswith(".json") else write_yaml
    emit(writer.dump(report), path, private=True)


def shown(timeline: Timeline, options: Options) -> str:
    """Return the run in the wanted format."""
    from analyzer.export.runs import result as run

    if options.format == "json":
        return run.as_json(timeline)
    if options.format == "puppet":
        return run.as_console(timeline, level_of(options), style_for(options))
    return run.as_text(timeline, style_for(options), everything=options.all)


def level_of(options: Options) -> str:
    """Return the least level whose lines are printed."""
    return "debug" if options.debug else "info" if options.verbose else "notice"


def shuffled(
    graph: RelationshipGraph,
    told: dict[str, Outcome],
    world: Simulation,
    settings: Settings,
    options: Options,
) -> int:
    """Print what other legal orders would change; exit code 1 if anything."""
    from analyzer.apply.shuffle import shuffle
    from analyzer.export.runs import result as run

    if graph.has_cycle or graph.missing_count:
        return usage_error("apply", "there is no order to shuffle: 'catgraph cycles' explains")
    if options.format == "puppet" or options.shuffle < 1:
        return usage_error("apply", "--shuffle takes a number above 0, and format text or json")
    found = shuffle(
        graph,
        options.shuffle,
        seed=options.seed,
        world=world,
        settings=settings,
        outcomes=told,
    )
    render = run.differences_json if options.format == "json" else run.differences_text
    emit(render(found, options.shuffle, style_for(options)), options.output)
    return int(bool(found))
