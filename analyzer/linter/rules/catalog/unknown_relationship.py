"""A relationship depends on a value that cannot be known without running Ruby or having facts.

Why: the relationship is missing in everything that is said about this catalog, so that a cycle
through it would not be found. Give facts (`--facts`), or the value as a stub in `catgraph.toml`.

Bad:

```puppet
notify { ['a', 'b']: }
Notify['a'] -> Notify[$facts['role']]  # <--
```

```puppet
notify { 'a': require => Notify[$facts['role']] }  # <--
Package <| tag == $facts['role'] |> -> Notify['a']  # <--
if $facts['is_virtual'] {
  Notify['a'] -> Notify['a']  # <--
}
```

Good:

```puppet
notify { ['a', 'b']: }
Notify['a'] -> Notify['b']
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.frontends.puppet import ast as a
from analyzer.linter.edits import manifest_at
from analyzer.linter.rule import Problem, rule
from analyzer.linter.subjects import Compiled
from analyzer.model.statements import Undecided
from analyzer.source import Span

# What an Unknown decides: what is said of it.
DECIDED = {
    "relationship": "this relationship is not known",
    "collector": "what this collector finds is not known",
    "condition": "whether this relationship is there is not known",
    "case": "whether this relationship is there is not known",
}

CONDITIONS = (a.IfExpression, a.UnlessExpression, a.CaseExpression)


@rule("CG204", on=Compiled, severity="note")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Look at what an Unknown should have decided."""
    for undecided in compiled.record.undecided:
        if undecided.what in DECIDED:
            for span in places(compiled, undecided):
                yield Problem(f"{DECIDED[undecided.what]}: {undecided.reason}", span)


def places(compiled: Compiled, undecided: Undecided) -> Iterator[Span]:
    """Yield where the relationships stand: for a condition those that it decides about."""
    if undecided.what in ("relationship", "collector"):
        yield undecided.span
        return
    manifest = manifest_at(compiled, undecided.span)
    for node, around in manifest.nodes(a.RelationshipExpression) if manifest else ():
        decided = [one for one in around if isinstance(one, CONDITIONS)]
        if manifest and any(manifest.span(one.test) == undecided.span for one in decided):
            yield manifest.span(outermost(node, around))


def outermost(node: Any, around: tuple[Any, ...]) -> Any:
    """Return the whole chain that an arrow is part of."""
    for one in reversed(around):
        if not isinstance(one, a.RelationshipExpression):
            break
        node = one
    return node
