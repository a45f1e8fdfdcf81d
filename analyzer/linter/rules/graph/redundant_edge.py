"""Other relationships already imply this relationship.

Why: you can remove it: the order stays the same, with one statement less to maintain. (A
notification is never redundant.)

Evidence: the graph without the relationship has the same order. The rule is off by default.

Bad:

```puppet
notify { 'a': before => Notify['b', 'c'] }  # <--
notify { 'b': before => Notify['c'] }
notify { 'c': }
```

Good:

```puppet
notify { 'a': before => Notify['b'] }
notify { 'b': before => Notify['c'] }
notify { 'c': }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.graph.algorithms.reduction import transitive_reduction
from analyzer.graph.phrases import sentence
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule


@rule("CG314", on=Compiled, severity="note", default=False, acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each relationship that another path implies."""
    graph = compiled.graph
    every = list(map(frozenset, graph.successors))
    kept = list(map(frozenset, transitive_reduction(graph.successors)))
    for relationship in compiled.explicit:
        s, t = compiled.number(relationship.source), compiled.number(relationship.target)
        if relationship.event or s is None or t is None:
            continue
        start = graph.completed[s]
        if t in every[start] and t not in kept[start]:
            yield Problem(
                f"{sentence(relationship)}, which other relationships imply",
                relationship.origin.span,
                (str(relationship.source), str(relationship.target)),
            )
