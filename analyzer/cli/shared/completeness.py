"""The completeness statement on the command line: what an answer could not take into account."""

from __future__ import annotations

from analyzer.cli.shared.options import Option
from analyzer.cli.shared.output import complain
from analyzer.escape import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.cli.shared.options import Options
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.completeness import Gap

ALLOW = Option(
    "--allow-incomplete",
    "exit with 0 though something is not known that may hide a relationship",
    flag=True,
)


def gaps_of(graphs: Iterable[RelationshipGraph]) -> list[Gap]:
    """Return the gaps of several catalogs, each once."""
    return list(dict.fromkeys(gap for graph in graphs for gap in graph.gaps))


def hides(gaps: Iterable[Gap]) -> bool:
    """Return whether a resource or a relationship may be missing."""
    return any(gap.hides for gap in gaps)


def statement_lines(gaps: Iterable[Gap], options: Options) -> list[str]:
    """Return the statement as lines, none for what is complete."""
    found = list(gaps)
    if not found:
        return []
    from analyzer.model.completeness import statement

    return [shown(line) for line in statement(found, everything=options.explain)]


def tell(gaps: Iterable[Gap], options: Options) -> None:
    """Print the statement on standard error, beside an answer."""
    for line in statement_lines(gaps, options):
        complain(line)
