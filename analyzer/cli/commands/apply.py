"""`catgraph apply`: simulate a run of Puppet, or make it with --real."""

from __future__ import annotations

from analyzer.cli.shared.completeness import exit_code
from analyzer.cli.shared.options import (
    AGENT,
    BUNDLESEQUENCE,
    COLOR,
    COMPILE,
    CONFIG,
    DEFINE,
    HOST,
    NORMAL_ORDER,
    OUTPUT,
    Option,
    format_option,
)
from analyzer.cli.shared.output import emit, style_for, usage_error, warn
from analyzer.cli.shared.policies import one_input
from analyzer.model.documents import JsonObject
from analyzer.reading import read_text
from analyzer.session.inputs import kind_of
from analyzer.session.settings import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from analyzer.apply.engine.events import Outcome
    from analyzer.apply.engine.skipping import RunSettings
    from analyzer.apply.engine.world import Simulation
    from analyzer.apply.host import Host
    from analyzer.cli.shared.options import Options
    from analyzer.graph.relationship_graph import RelationshipGraph

USAGE = "INPUT"
INPUTS = (1, None)
HELP = """Simulate a run of Puppet: the order, and which resources change, fail, are skipped or
refreshed. By default no host is read or changed; the simulation starts from an empty state, or
from the state that --state gives. --fail and --changed answer "what if" questions.

--from-host starts from the state of this host, which is only read, except that the conditions of
execs run. A failure that an earlier package or command of the run may prevent is reported as a
warning and counted as a success.

--real changes this host. You see the plan first and have to confirm it. --real --noop shows the
plan and changes nothing, even for resources with 'noop => false'. With --root DIR, the folder DIR
is used as /. Ctrl-C stops the run after the current resource; a second Ctrl-C stops it at once. The
programs of a provider may run for an hour, an exec for its 'timeout'. Journals and backups of
changed files are kept in the state folder (/var/lib/catgraph for root, else
~/.local/state/catgraph).

If the catalog is incomplete, a real run applies nothing and a simulated one shows the known part;
both end with exit code 3 unless you give --allow-incomplete.

For a CFEngine policy (.cf), a run of the agent is simulated: bundles, passes, the outcome of each
promise, and the classes and variables it sets. --all includes skipped promises. Control outcomes
with --fail, --changed and --outcome.

Exit code 1 if a resource fails, a promise is not kept, or you do not confirm the plan; 130 after
Ctrl-C."""
OPTIONS = (
    format_option("text", "json", "puppet"),
    Option(
        "--fail",
        "assume that a resource, or its refresh, fails",
        metavar="REF[=refresh]",
        many=True,
    ),
    Option("--changed", "assume that a resource changes", metavar="REF", many=True),
    Option("--outcome", "outcomes by reference, in JSON: apply and refresh", metavar="FILE"),
    Option(
        "--state", "state before the run, in JSON: property values by reference", metavar="FILE"
    ),
    Option("--noop", "change nothing; show what would change", flag=True),
    Option("--tags", "apply only resources with one of these tags", metavar="TAGS"),
    Option("--skip-tags", "skip resources with one of these tags", metavar="TAGS"),
    Option("--from-host", "start from the state of this host; change nothing", flag=True),
    Option("--real", "change this host", flag=True),
    Option("--yes", "with --real: do not ask for confirmation", flag=True),
    Option(
        "--allow-incomplete",
        "apply an incomplete catalog; the exit code is that of the run",
        flag=True,
    ),
    Option("--root", "with --real or --from-host: the folder to use as /", metavar="DIR"),
    Option("--state-dir", "with --real: the state folder", metavar="DIR"),
    Option("--report", "write Puppet's report: FILE.yaml or FILE.json", metavar="FILE"),
    Option("--at", "time of the run, for schedules: 2030-01-31T23:30", metavar="TIME"),
    Option("--shuffle", "run N other valid orders; show what differs", metavar="N", type=int),
    Option("--seed", "seed of the random orders", 0, metavar="N", type=int),
    Option("--verbose", "with --format puppet: also print messages of level info", flag=True),
    Option("--debug", "with --format puppet: also print messages of level debug", flag=True),
    Option("--all", "list all resources, not only 20 of each kind", flag=True),
    DEFINE,
    HOST,
    BUNDLESEQUENCE,
    NORMAL_ORDER,
    AGENT,
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)


# The options that only a simulated run accepts.
SIMULATED = ("fail", "changed", "outcome", "state", "shuffle")


def run(options: Options) -> int:
    """Simulate the run and print it, or make it."""
    from analyzer.apply.engine.commands import CommandError

    code = one_input("apply", options)
    if code:
        return code
    wrong = next(usage_errors(options), None)
    if wrong:
        return usage_error("apply", wrong)
    if options.real:
        from analyzer.cli.runs.real_run import run_real

        return run_real(options, time_of(options.at))
    if kind_of(options.inputs[0]) == "policy":
        from analyzer.cli.runs.policy_run import apply_policy

        return apply_policy(options)
    try:
        told = given_outcomes(options)
        now = time_of(options.at)
        state = read_json(options.state) if options.state else {}
        if not all(isinstance(values, dict) for values in state.values()):
            raise ValueError(
                f"{options.state}: expected an object of property values for each reference"
            )
    except ValueError as error:
        return usage_error("apply", str(error))
    try:
        return print_simulation(told, state, now, options)
    except CommandError as error:
        return usage_error("apply", str(error))


def usage_errors(options: Options) -> Iterator[str]:
    """Yield errors about options that contradict each other."""
    for name in (*SIMULATED, "from_host") if options.real else ():
        if getattr(options, name):
            yield f"--{name.replace('_', '-')} is for simulated runs and cannot be used with --real"
    if options.real and options.inputs[0].endswith(".cf"):
        yield "--real applies catalogs and manifests; use cf-agent to apply policies"
    for name in () if options.real else ("yes", "state_dir"):
        if getattr(options, name):
            yield f"--{name.replace('_', '-')} needs --real"
    yield from path_errors(options)
    try:
        time_of(options.at)
    except ValueError as error:
        yield str(error)


def path_errors(options: Options) -> Iterator[str]:
    """Yield errors about files and folders that options name."""
    import os

    if options.root:
        if not options.real and not options.from_host:
            yield "--root needs --real or --from-host"
        if not os.path.isdir(options.root):
            yield f"--root: no such folder: {options.root}"
    if options.report:
        folder = os.path.dirname(options.report) or "."
        if not options.report.endswith((".yaml", ".yml", ".json")):
            yield "--report: the file name must end in .yaml or .json"
        if not os.path.isdir(folder):
            yield f"--report: no such folder: {folder}"


def given_outcomes(options: Options) -> dict[str, Outcome]:
    """Return the outcomes that the options set for resources.

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


def read_json(path: str) -> dict[str, object]:
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
        raise ValueError(f"{path}: expected an object whose keys are references")
    return found


def time_of(word: str | None) -> datetime:
    """Return the local time that an option gives, now if there is none.

    Raises:
        ValueError: it is not a time.
    """
    from datetime import datetime

    if word is None:
        return datetime.now()
    try:
        return datetime.fromisoformat(word).replace(tzinfo=None)
    except ValueError:
        raise ValueError(f"--at: expected a time such as 2030-01-31T23:30, not {word}") from None


def print_simulation(
    told: dict[str, Outcome], state: JsonObject, now: datetime, options: Options
) -> int:
    """Simulate the run and print it."""
    from analyzer.apply.engine.run_graph import RunGraph
    from analyzer.apply.engine.world import ObservedHost, Simulation
    from analyzer.apply.host import EMPTY
    from analyzer.apply.timeline import Timeline
    from analyzer.cli.runs.hosts import graph_for, providers_for
    from analyzer.cli.runs.results import rendered, settings_of, write_report

    path = options.inputs[0]
    config = config_for(path, options.config)
    providers = providers_for(path, options, config)
    host: Host = EMPTY
    if options.from_host:
        from analyzer.apply.overlay import FileOverlay
        from analyzer.apply.providers.machine.local import LocalHost

        local = LocalHost(options.root or "/")
        # Each order starts from the initial state, without the changes of earlier ones.
        host = local if options.shuffle is not None else FileOverlay(local)
    graph, unannounced = graph_for(path, options, providers, host)
    kind = ObservedHost if options.from_host else Simulation
    world = kind(state, graph.catalog.properties, providers.find, host)
    # Without a host, facts that cannot be determined about one are no problem.
    settings = settings_of(options, now, unannounced if options.from_host else ())
    if options.shuffle is not None:
        return print_shuffled(graph, told, world, settings, options)
    timeline = Timeline(RunGraph(graph), world, settings, told).run()
    emit(rendered(timeline, options), options.output)
    if isinstance(world, ObservedHost) and options.format != "puppet":
        warn(path, [f"{ref} {note.message}" for ref, note in world.doubted.items()])
    if options.report:
        write_report(timeline, options.report)
    return exit_code(int(timeline.status == "failed"), graph.gaps, options)


def print_shuffled(
    graph: RelationshipGraph,
    told: dict[str, Outcome],
    world: Simulation,
    settings: RunSettings,
    options: Options,
) -> int:
    """Print the differences in other valid orders; return exit code 1 if there are any."""
    from analyzer.apply.shuffle import shuffle
    from analyzer.export.runs import result as run

    if graph.has_cycle or graph.missing_count:
        return usage_error("apply", "there is no valid order; run 'catgraph cycles' to see why")
    if options.format == "puppet" or options.shuffle < 1:
        return usage_error("apply", "--shuffle needs a number above 0 and --format text or json")
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
    return exit_code(int(bool(found)), graph.gaps, options)
