"""`catgraph check`: the gate, which fails only for what the baseline does not accept."""

from __future__ import annotations

import os
from dataclasses import replace

from analyzer.cli.commands.lint import OPTIONS as OF_LINT
from analyzer.cli.commands.lint import (
    exit_code,
    print_acceptances,
    print_stale,
    report,
    write_baseline,
)
from analyzer.cli.shared.options import Option
from analyzer.cli.shared.output import print_error
from analyzer.model.nouns import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from analyzer.cli.shared.options import Options
    from analyzer.linter.baseline import Baseline
    from analyzer.session.lint.check import LintCheck
    from analyzer.session.lint.gate import Verdict
    from analyzer.session.lint.request import Request
    from analyzer.session.lint.results import Linted

USAGE = "[PATHS...]"
INPUTS = (0, None)
HELP = """Check a control repo, modules or catalogs (the current folder) as a gate: dependency
cycles and all other findings, nodes that do not compile, and what is unknown. The exit code is
about what is new, compared with a baseline.

  catgraph check --write-baseline   accept what is there now
  catgraph check                    fail for anything new

The baseline is .catgraph-baseline.json beside the input, unless --baseline or catgraph.toml names
another file. Its entries survive edits elsewhere in the code.

Exit codes: 0 nothing new; 1 a new finding; 3 something is newly unknown or no longer compiles."""
NAME = ".catgraph-baseline.json"
# Options of `lint` that are about single findings, and those that `check` has in another form.
NOT_HERE = ("fix", "diff", "unsafe_fixes", "baseline", "write_baseline", "changed_since", "shuffle")
OPTIONS = (
    Option("--baseline", "the baseline (.catgraph-baseline.json beside the input)", metavar="FILE"),
    Option("--write-baseline", "accept everything that is found: write the baseline", flag=True),
    Option(
        "--baseline-from",
        "compare with the baseline as it is in a git revision, such as origin/main",
        metavar="REV",
    ),
    Option(
        "--assume",
        "usual: what a checkout cannot have, such as private data, is absent; none: it is a gap",
        "usual",
        ("usual", "none"),
    ),
    *(option for option in OF_LINT if option.name not in NOT_HERE),
)


def run(options: Options) -> int:
    """Check all inputs, compare them with the baseline, and print what is new."""
    from analyzer.cli.shared.lint_request import baseline_path, request_of, without_accepted

    options.inputs = options.inputs or [os.curdir]
    # Options that only `lint` has.
    vars(options).update(changed_since=None, shuffle=0)
    path = baseline_path(options) or os.path.join(folder_of(options.inputs[0]), NAME)
    if options.write_baseline:
        return write_baseline(path, linted_by(options, request_of(options)))
    baseline = read_baseline(options, path)
    linted = linted_by(options, request_of(options, baseline))
    assume = options.assume == "usual"
    outside, verdict = without_accepted(linted, baseline, assume=assume)
    coverage = coverage_of(linted, verdict)
    summary = "\n".join([head_of(coverage), *assumed_lines(options, verdict), outside.summary])
    report(options, linted, replace(outside, summary=summary, coverage=coverage))
    for decline in verdict.declines:
        cause = f": {decline.gap}" if decline.gap else ""
        print_error(f"{decline.node}: {decline.before} in the baseline, {decline.now} now{cause}")
    print_stale(verdict.stale_findings)
    print_acceptances(options.baseline_from, linted.done, None)
    return verdict_code(options, linted.done, verdict)


def linted_by(options: Options, request: Request) -> Linted:
    """Return the check of a request; unless it is about some nodes only, of all code of its own."""
    from analyzer.session.lint.gate import with_uncompiled
    from analyzer.session.lint.results import lint_inputs

    linted = lint_inputs(request)
    chosen = options.node or options.nodes_dir or vars(options)["class"]
    return linted if chosen else with_uncompiled(linted)


def verdict_code(options: Options, done: LintCheck, verdict: Verdict) -> int:
    """Return the exit code: a new finding counts before what is newly unknown."""
    from analyzer.cli.commands.lint import is_refused
    from analyzer.cli.shared.exit_codes import CANNOT_COMPILE, FINDINGS

    seen = [one for one in verdict.findings if not is_refused(one, done.sources.request.paths)]
    code = exit_code(options, done, verdict.findings, has_unseen=verdict.is_unknown)
    if code == CANNOT_COMPILE and exit_code(options, done, seen, has_unseen=False) == FINDINGS:
        return FINDINGS
    return code or int(bool(verdict.stale_findings) and options.fail_stale)


def assumed_lines(options: Options, verdict: Verdict) -> list[str]:
    """Return a line with the number of assumptions; with --explain, one for each."""
    if not verdict.assumptions:
        return []
    if options.explain:
        return [f"assumed: {gap}" for gap in verdict.assumptions]
    count = counted(len(verdict.assumptions), "assumption")
    return [f"under {count} (--explain lists them, --assume none refuses them)"]


def folder_of(path: str) -> str:
    """Return the folder of an input."""
    return path if os.path.isdir(path) else os.path.dirname(path)


def read_baseline(options: Options, path: str) -> Baseline:
    """Return the baseline, an empty one if nobody has written one.

    Raises:
        InputError: it cannot be read.
    """
    from analyzer.linter.baseline import Baseline, folder_of, parse, read

    empty = Baseline(folder_of(path), gaps=())
    expected = options.baseline is not None and options.baseline_from is None
    known = read(path) if expected or os.path.lexists(path) else empty
    if options.baseline_from is None:
        return known
    from analyzer.git import file_at
    from analyzer.session.lint.acceptances import entries_of

    data = file_at("--baseline-from", options.baseline_from, path)
    before = empty if data is None else parse(data.decode("utf-8", "replace"), path)
    added = entries_of(known) - entries_of(before)
    if added:
        count = counted(added.total(), "entry", "entries")
        print_error(f"{path}: {count} not in {options.baseline_from}, and not used")
    return before


def coverage_of(linted: Linted, verdict: Verdict) -> dict[str, object]:
    """Return the numbers of nodes by state, of accepted entries, and of compiled definitions."""
    from analyzer.linter.baseline import STATES
    from analyzer.session.lint.own_code import not_in

    catalogs, definitions = linted.seen.catalogs, linted.done.sources.definitions
    names = linted.done.sources.names
    of_nodes = [one for one in catalogs if not one.without_node]
    by_kind = {k: [one for one in definitions if one.kind == k] for k in ("class", "define")}
    nodes = [state for name, state in verdict.nodes.items() if not name.startswith("class ")]
    return {
        "nodes": {state: nodes.count(state) for state in reversed(STATES)},
        "accepted": {"findings": verdict.accepted, "gaps": verdict.accepted_gaps},
        "assumptions": [str(gap) for gap in verdict.assumptions],
        "definitions": {
            kind: {
                "total": len(own),
                "without_node": [one.name for one in not_in(own, of_nodes, names)],
                "not_compiled": [one.name for one in not_in(own, catalogs, names)],
            }
            for kind, own in by_kind.items()
        },
    }


def head_of(coverage: dict[str, Any]) -> str:
    """Return a line about how much was compiled: nodes, and the repository's own code."""
    nodes = {state: count for state, count in coverage["nodes"].items() if count}
    listed = ", ".join(f"{count:,} {state}" for state, count in nodes.items())
    gaps = coverage["accepted"]["gaps"]
    accepted = f" ({counted(gaps, 'accepted gap')})" if gaps else ""
    parts = [f"{counted(sum(nodes.values()), 'node')}: {listed}{accepted}"] if nodes else []
    words, alone = [], 0
    for kind, plural in (("class", "classes"), ("define", "defined types")):
        own = coverage["definitions"][kind]
        if own["total"]:
            done = own["total"] - len(own["not_compiled"])
            words.append(f"{done:,} of {own['total']:,} {plural}")
            alone += len(own["without_node"]) - len(own["not_compiled"])
    if words:
        how = f", {alone:,} of them by themselves" if alone else ""
        parts.append(f"{' and '.join(words)} of this code compiled{how}")
    return "; ".join(parts) or "nothing was compiled"
