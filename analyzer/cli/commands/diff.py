"""`catgraph diff A B`: compare two catalogs, or two runs."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import partial

from analyzer.cli.shared.completeness import ALLOW, exit_code, gaps_of, print_gaps
from analyzer.cli.shared.inputs import graph_at, settings_for
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    SIMULATE,
    Option,
    format_option,
)
from analyzer.cli.shared.output import emit, style_for, usage_error, warn
from analyzer.cli.shared.policies import request_of
from analyzer.session.inputs import (
    compile_manifests,
    graph_of,
    is_manifest,
    kind_of,
    load_catalogs,
    maybe_run,
    read_input,
)
from analyzer.session.settings import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.cli.reports.diff_catalogs import CausesOfDiff
    from analyzer.cli.shared.options import Options
    from analyzer.config import Config
    from analyzer.diagnostics import CompileError
    from analyzer.export.reports.diff_parts import ComparedNode
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.session.attribution.trees import Tree
    from analyzer.session.inputs import Kind
    from analyzer.session.repository.revisions import Checkout

USAGE = "A [B]"
INPUTS = (1, 2)
HELP = """Compare two catalogs, manifests, control repos or policies (.cf): resources,
parameters, relationships and their statements, orderings gained and lost, cycles, and what the
changes refresh. Orderings are shown as the fewest pairs that imply the rest.

  catgraph diff old.json new.json
  catgraph diff --rev main .              the branch main and the working tree
  catgraph diff --rev main... .           where this branch left main, and the working tree
  catgraph diff --rev v1.0..v1.1 site.pp

Or compare two runs: new failures, newly skipped resources, new or vanished changes and restarts,
and resources applied at another position. Runs are reports (last_run_report.yaml, JSON, or
PuppetDB's), journals of 'catgraph apply --real', or simulated outcomes in JSON.

Sensitive values, and parameters named like secrets, are not shown. Exit code 1 if there is a
difference, such as a new cycle; a cycle that both have is shown, but is not a difference. Of
nodes that do not compile, what does is compared; exit code 3 if there is no difference then."""
OPTIONS = (
    format_option("text", "json", "markdown"),
    Option(
        "--rev",
        "compare one input with its git revision REV; also REV..REV and REV...",
        metavar="REV",
    ),
    Option("--all", "list everything, not only 20 of each kind", flag=True),
    Option("--no-causes", "do not look for the changed lines behind the differences", flag=True),
    ALLOW,
    OUTPUT,
    CONFIG,
    *SIMULATE,
    *COMPILE,
    COLOR,
)

# The graph of each node; a single graph is compared with any other.
Graphs = dict[str, "RelationshipGraph"]
# Those of an input, and the error of its nodes that do not compile.
Side = tuple[Graphs, "CompileError | None"]


def run(options: Options) -> int:
    """Print the differences."""
    inputs = options.inputs
    if (len(inputs) == 1) != bool(options.rev):
        return usage_error("diff", "expected two inputs A and B, or one input and --rev REV")
    if inputs == ["-", "-"]:
        return usage_error("diff", "only one of the two inputs can be standard input")
    if options.rev:
        return between_revisions(options)
    kinds = [kind_of(path) for path in inputs]
    data = [
        read_input(path) if kind == "data" else None
        for path, kind in zip(inputs, kinds, strict=True)
    ]
    runs = [is_run(path, read) for path, read in zip(inputs, data, strict=True)]
    if all(runs):
        from analyzer.cli.reports.diff_runs import compare_runs

        return compare_runs(inputs, data, options)
    if any(runs):
        catalog = inputs[runs.index(False)]
        return usage_error(
            "diff", f"cannot compare a run with a catalog: {catalog} is not the report of a run"
        )
    first, second = (
        read_side(path, options, kind, read)
        for path, kind, read in zip(inputs, kinds, data, strict=True)
    )
    return print_differences(first, second, options, trees=lambda: trees_of_inputs(inputs, kinds))


def is_run(path: str, data: bytes | None) -> bool:
    """Return whether an input is the report of a run."""
    if data is None or not maybe_run(data):
        return False
    from analyzer.apply.report.runs import holds_run

    return holds_run(data, path)


def catalogs_of(
    path: str, options: Options, config: Config | None, kind: Kind, data: bytes | None
) -> tuple[Sequence[Catalog], CompileError | None]:
    """Read the catalogs of an input; for a policy, simulate a run with the options.

    Also return the error of nodes that do not compile, if others do.
    """
    if kind == "manifests":
        outcome = compile_manifests(path, settings_for(kind, options, config))
        error = outcome.error
        # An error without nodes concerns all of them.
        of_some = error is not None and all(one.nodes for one in (error, *error.others))
        return (outcome.catalogs, error) if of_some else (outcome.all(), None)
    if kind != "policy":
        return load_catalogs(path, None, data, kind=kind), None
    from analyzer.session.policies import policy_catalog

    request = request_of(options)
    waiting = policy_catalog(path, request, loops=True)
    # Promises that are never evaluated are compared only if they wait for each other.
    return [waiting if graph_of(waiting).has_cycle else policy_catalog(path, request)], None


def read_side(path: str, options: Options, kind: Kind, data: bytes | None = None) -> Side:
    """Return the graph of each catalog of an input.

    Raises:
        InputError: it cannot be read.
        CompileError: no node compiles.
    """
    config = config_for(path, options.config)
    found: Graphs = {}
    catalogs, error = catalogs_of(path, options, config, kind, data)
    for catalog in catalogs:
        graph = graph_at(path, catalog, options, config)
        warn(path, catalog.warnings + graph.warnings)
        number = sum(name.partition(" #")[0] == catalog.name for name in found)
        found[f"{catalog.name} #{number + 1}" if number else catalog.name] = graph
    print_gaps(gaps_of(found.values()), options)
    return found, error


def between_revisions(options: Options) -> int:
    """Compare an input at a revision with its current state, or with another revision."""
    from analyzer.session.repository.revisions import checked_out, is_unchanged, older_and_newer

    path = options.inputs[0]
    older, newer = older_and_newer(options.rev)
    if options.facts:
        # A name such as `@debian-12` is no file.
        options.facts[:] = [f if f.startswith("@") else os.path.abspath(f) for f in options.facts]
    if options.outcome:
        vars(options)["outcome"] = os.path.abspath(options.outcome)
    with ExitStack() as stack:
        before = stack.enter_context(checked_out(path, older))
        after = stack.enter_context(checked_out(path, newer)) if newer else None
        with before.entered() as there:
            first = read_side(there, options, kind_of(there))
        # A few digits of a commit's hash are enough.
        labels = f"A, {older[:12] if len(older) == 40 else older}", f"B, {newer or 'now'}"
        if after is not None:
            with after.entered() as there:
                second = read_side(there, options, kind_of(there))
        else:
            second = read_side(path, options, kind_of(path))
        unchanged = partial(is_unchanged, older, newer)

        def trees() -> tuple[Tree, Tree] | None:
            return trees_of_revisions(path, before, after) if is_manifest(path) else None

        return print_differences(first, second, options, labels, unchanged=unchanged, trees=trees)


def print_differences(
    before: Side,
    after: Side,
    options: Options,
    labels: tuple[str, str] = ("A", "B"),
    *,
    unchanged: Callable[[], bool] = lambda: False,
    trees: Callable[[], tuple[Tree, Tree] | None] = lambda: None,
) -> int:
    """Print the differences between the catalogs of each node, as far as it compiles.

    Of `unchanged` inputs, values that are unknown in both catalogs are the same. `trees` returns
    the files of both sides if the lines behind differences can be found in them.
    """
    from analyzer.cli.reports.diff_catalogs import FORMATS
    from analyzer.cli.shared.exit_codes import CANNOT_COMPILE, FINDINGS
    from analyzer.export.reports.diff_parts import ComparedNode

    first, second = before[0], after[0]
    failed = report_failed(before[1], after[1])
    if len(first) == len(second) == 1 and not failed:
        second = dict(zip(first, second.values(), strict=True))
    both = first.keys() & second.keys()
    names = [one for one in dict.fromkeys([*first, *second]) if one in both or one not in failed]
    nodes = [ComparedNode(name, first.get(name), second.get(name), labels) for name in names]
    if any(node.diff is not None and node.diff.undecided for node in nodes) and unchanged():
        for node in nodes:
            node.same_inputs()
    shown = None if options.all else 20
    causes = causes_for(nodes, trees, options)
    emit(FORMATS[options.format](nodes, style_for(options), shown, causes), options.output)
    gaps = gaps_of([*first.values(), *second.values()])
    code = FINDINGS if any(node.differs for node in nodes) else CANNOT_COMPILE if failed else 0
    return exit_code(code, gaps, options)


def report_failed(*errors: CompileError | None) -> set[str]:
    """Print the errors of nodes that do not compile, each once; return the names of the nodes."""
    from analyzer.cli.shared.output import report_error

    failed: set[str] = set()
    texts: set[str] = set()
    for error in filter(None, errors):
        failed.update(name for one in (error, *error.others) for name in one.nodes)
        if str(error) not in texts:
            report_error(error)
        texts.add(str(error))
    return failed


def causes_for(
    nodes: Sequence[ComparedNode], trees: Callable[[], tuple[Tree, Tree] | None], options: Options
) -> CausesOfDiff | None:
    """Return the changed lines behind the differences, None where nobody looks for them."""
    if options.no_causes or not any(node.differs for node in nodes):
        return None
    sides = trees()
    if sides is None:
        return None
    from analyzer.cli.reports.diff_catalogs import CausesOfDiff
    from analyzer.cli.shared.attribution import find_causes

    return CausesOfDiff(find_causes(nodes, sides, options), sides)


def trees_of_inputs(inputs: Sequence[str], kinds: Sequence[Kind]) -> tuple[Tree, Tree] | None:
    """Return the files of two inputs, None unless both are manifests."""
    if any(kind != "manifests" for kind in kinds):
        return None
    from analyzer.cli.shared.attribution import trees_of

    return trees_of(*inputs)


def trees_of_revisions(path: str, before: Checkout, after: Checkout | None) -> tuple[Tree, Tree]:
    """Return the files of two revisions of an input; without a second one those on disk."""
    from analyzer.git import GitRepository
    from analyzer.session.attribution.trees import Tree
    from analyzer.session.repository.revisions import OPTION

    old = Tree(before.path, os.path.realpath(before.top), before.start)
    if after is not None:
        return old, Tree(after.path, os.path.realpath(after.top), after.start)
    return old, Tree(path, GitRepository(OPTION).top, os.path.realpath(os.getcwd()))
