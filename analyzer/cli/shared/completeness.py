"""Prints the completeness statement: the gaps in the catalogs."""

from __future__ import annotations

from analyzer.cli.shared.options import Option
from analyzer.cli.shared.output import print_error
from analyzer.escape import shown
from analyzer.model.nouns import counted

# The most undecided resources of a catalog that are listed.
SHOWN = 5

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.cli.shared.options import Options
    from analyzer.graph.query.answer import Answer
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.completeness import Gap

ALLOW = Option(
    "--allow-incomplete",
    "exit with 0 even if something unknown may hide a relationship",
    flag=True,
)


def gaps_of(graphs: Iterable[RelationshipGraph]) -> list[Gap]:
    """Return the gaps of several catalogs, each once."""
    return list(dict.fromkeys(gap for graph in graphs for gap in graph.gaps))


def hides(gaps: Iterable[Gap]) -> bool:
    """Return whether a resource or a relationship may be missing."""
    return any(gap.hides for gap in gaps)


def exit_code(code: int, gaps: Iterable[Gap], options: Options) -> int:
    """Return the exit code of an answer: 0 becomes 3 if something unknown may change the answer."""
    from analyzer.cli.shared.exit_codes import CANNOT_COMPILE

    return code or (CANNOT_COMPILE if hides(gaps) and not options.allow_incomplete else 0)


def statement_lines(gaps: Iterable[Gap], options: Options) -> list[str]:
    """Return the statement as lines, none if all catalogs are complete."""
    found = list(gaps)
    if not found:
        return []
    from analyzer.model.completeness import statement

    return [shown(line) for line in statement(found, everything=options.explain)]


def print_gaps(gaps: Iterable[Gap], options: Options) -> None:
    """Print the statement on standard error, in addition to an answer."""
    for line in statement_lines(gaps, options):
        print_error(line)


def report_undecided(name: str, answer: Answer) -> None:
    """Print warnings and undecided resources of an answer on standard error."""
    for warning in answer.warnings:
        print_error(f"{name}: warning: {warning}")
    for ref, reason in answer.undecided[:SHOWN]:
        print_error(f"{name}: warning: cannot decide on {ref}: {reason}")
    if len(answer.undecided) > SHOWN:
        more = counted(len(answer.undecided) - SHOWN, "more resource")
        print_error(f"{name}: warning: cannot decide on {more}")
