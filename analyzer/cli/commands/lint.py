"""`catgraph lint`: what a reviewer who knows the whole graph would say; the gate."""

from __future__ import annotations

import sys

from analyzer.cli.shared.completeness import statement_lines, tell
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    Option,
    format_option,
    usage_error,
)
from analyzer.cli.shared.output import complain, emit, emit_bytes, style_for
from analyzer.cli.shared.policies import DEFINE, OUTCOME
from analyzer.model.nouns import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.diagnostics import Finding, Results
    from analyzer.session.lint import Lint, Request
    from analyzer.session.lint_fixes import Mended

USAGE = "PATHS..."
INPUTS = (1, None)
HELP = """Look at manifests, modules, control repos, catalogs and CFEngine policies with rules that
know the graph: cycles, collectors that find nothing, missing and contradicting relationships, what
works by luck; promises that never run, or not when they seem to.
Modules are compiled class by class, sites for every node and set of facts; the output ends with
what was not compiled or is not known of the catalogs, and why. Exit code 1 if there is
a finding that is an error or a warning (--fail-on), 3 if a site cannot be compiled or CFEngine
refuses a policy. Of a policy (.cf) the inputs are loaded with it, under whatever classes.

'catgraph rule' lists the rules. A comment '# catgraph:ignore[CG301] reason' accepts findings of
its line, or on a line of its own those of the next."""
OPTIONS = (
    format_option("text", "json", "sarif", "junit", "github", "gitlab", "markdown"),
    Option("--select", "rules to apply, by code or its beginning: CG3,CG102", metavar="CODES"),
    Option("--ignore", "rules to leave out", metavar="CODES"),
    Option("--fail-on", "least severity that fails", "warning", ("note", "warning", "error")),
    Option("--fix", "write the fixes that were tried and work", flag=True),
    Option("--diff", "print them as a patch instead", flag=True),
    Option("--unsafe-fixes", "with them, those that take order or statements away", flag=True),
    Option("--baseline", "file of known findings, which pass", metavar="FILE"),
    Option("--write-baseline", "write all findings to FILE as known ones", metavar="FILE"),
    Option("--fail-stale", "fail if a known finding is no longer there", flag=True),
    Option(
        "--changed-since", "only findings about lines changed since a git revision", metavar="REV"
    ),
    Option("--shuffle", "walk N random legal orders, report what they turn round", 0, (), "N", int),
    Option("--profile", "print on standard error what each stage and rule took", flag=True),
    DEFINE,
    OUTCOME,
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)


def run(options: Options) -> int:
    """Lint all inputs; one that cannot be read does not keep the others from it."""
    from analyzer.cli.shared.lint_request import baseline_of, request_of

    if options.unsafe_fixes and not (options.fix or options.diff):
        return usage_error("lint", "--unsafe-fixes needs --fix or --diff")
    request = request_of(options)
    if options.diff:
        return print_patch(options, request)
    if options.fix:
        lint = write_fixes(options, request)
    else:
        from analyzer.session.lint import Lint

        lint = Lint(request)
    results = profile(lint) if options.profile else lint.results()
    if options.write_baseline:
        return write_baseline(options, lint, results)
    results, stale = baseline_of(options, lint, results)
    report(options, lint, results)
    for row in stale:
        complain(
            f"{row['file'] or 'the catalog'}: {row['code']} is in the baseline and not found: "
            f"{row['message']}"
        )
    code = exit_code(options, lint, results.findings)
    return code or int(bool(stale) and options.fail_stale)


def profile(lint: Lint) -> Results:
    """Return the results, and print what they took."""
    from analyzer.session.lint_profile import profiled, table

    results, stages, rules = profiled(lint)
    print(table(stages, rules), file=sys.stderr)
    return results


def report(options: Options, lint: Lint, results: Results) -> None:
    """Print the findings."""
    if options.format != "text":
        from analyzer.export.reports.formats import render_results

        emit(render_results(options.format, results), options.output)
        for _, message in results.unreadable:
            print(message, file=sys.stderr)
        tell(results.gaps, options)
        return
    from analyzer.cli.reports.lint_text import text_report

    text = text_report(results, lint, style_for(options), explain=options.explain)
    emit("\n".join([text, *statement_lines(results.gaps, options)]), options.output)


def exit_code(options: Options, lint: Lint, findings: tuple[Finding, ...]) -> int:
    """Return the exit code: of what could not be read or compiled, else of the findings."""
    from analyzer.cli import CANNOT_COMPILE, FINDINGS, USAGE
    from analyzer.diagnostics import RANK, CompileError

    if any(not isinstance(error, CompileError) for error in lint.errors):
        return USAGE
    if lint.errors or any(finding.code in ("CG200", "CG500") for finding in findings):
        return CANNOT_COMPILE
    worst = RANK[options.fail_on]
    return FINDINGS if any(RANK[finding.severity] <= worst for finding in findings) else 0


def write_baseline(options: Options, lint: Lint, results: Results) -> int:
    """Write the findings to a file, as known ones."""
    from analyzer.linter.baseline import write

    emit(write(results.findings, options.write_baseline), options.write_baseline)
    print(f"{counted(len(results.findings), 'finding')} written", file=sys.stderr)
    for _, message in results.unreadable:
        print(message, file=sys.stderr)
    return exit_code(options, lint, ())


def write_fixes(options: Options, request: Request) -> Lint:
    """Write the fixes, and return a look at what is left."""
    from analyzer.session.lint_fixes import fix_all

    mended = fix_all(request, unsafe=options.unsafe_fixes)
    for file, text in mended.texts.items():
        emit_bytes(text.encode(), file)
    say(mended, "")
    return mended.rest


def print_patch(options: Options, request: Request) -> int:
    """Print the fixes as a patch; the exit code tells whether there are any."""
    from analyzer.session.lint_fixes import diff, fix_all

    mended = fix_all(request, unsafe=options.unsafe_fixes)
    if mended.texts:
        emit(diff(mended.texts), options.output, exact=True)
    say(mended, "would be ")
    for error in mended.rest.errors:
        print(error, file=sys.stderr)
    return exit_code(options, mended.rest, ()) or int(bool(mended.texts))


def say(mended: Mended, word: str) -> None:
    """Say on standard error what fixes do, and what order comes and goes with them."""
    for finding in mended.findings:
        fix = finding.fixes[0]
        complain(f"{finding.span}: {finding.code}: {fix.what} ({fix.effect})")
    count = counted(len(mended.findings), "finding")
    more = f", {mended.held:,} more with --unsafe-fixes" if mended.held else ""
    print(f"{count} {word}mended in {counted(len(mended.texts), 'file')}{more}", file=sys.stderr)
