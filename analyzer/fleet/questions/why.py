"""Whether one resource comes before another on every node, and which statements order them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from analyzer.diagnostics import Severity
from analyzer.fleet.fold import fold, place
from analyzer.fleet.questions.graphs import PLAIN, Graphs
from analyzer.fleet.questions.statements import statements_of, unknown_of
from analyzer.fleet.values import AnswerOfCatalog, CauseStatement, Occurrence
from analyzer.model.catalog import Catalog

HEADS = {
    "before": "{} is applied before {}",
    "after": "{} is applied after {}",
    "cycle": "{} and {} are in a dependency cycle",
    "contains": "{} and {} are not ordered, because one contains the other",
    "unordered": "{} and {} are unordered",
}


@dataclass(frozen=True, slots=True)
class WhyQuestion:
    """The question of `catgraph fleet why A B`: nodes with the same explanation are together."""

    by_content: ClassVar[bool] = True

    first: str
    second: str
    graphs: Graphs = PLAIN

    @property
    def key(self) -> str:
        """Return the name with both references."""
        return f"why {self.first} {self.second} {self.graphs.state}"

    def answer(self, catalog: Catalog, name: str) -> AnswerOfCatalog:
        """Return the one explanation of a node."""
        graph = self.graphs.of(catalog)
        try:
            found = graph.why(self.first, self.second)
        except KeyError as error:
            return AnswerOfCatalog((), unknown_of(graph), lacks=error.args[0])
        head = HEADS[found.verdict].format(place(0), place(1))
        ends = fold(str(found.first), name), fold(str(found.second), name)
        severity: Severity = "note" if found.verdict == "before" else "warning"
        made = (CauseStatement("", 0, head, ends, ""), *statements_of(graph, found.hops, name))
        path = (
            [found.hops[0].source_ref, *(hop.target_ref for hop in found.hops)]
            if found.hops
            else []
        )
        names = tuple(fold(str(ref), name) for ref in dict.fromkeys(path))
        return AnswerOfCatalog((Occurrence("why", severity, made, names),), unknown_of(graph))
