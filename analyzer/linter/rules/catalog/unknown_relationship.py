"""A relationship depends on a value that is unknown without Ruby or facts.

Why: catgraph leaves the relationship out, so it cannot find a cycle through it. Give facts
(`--facts`), or a stub for the value in `catgraph.toml`.

Evidence: the compile met a value that it could not know.

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

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.puppet.places import manifest_at
from analyzer.linter.puppet.subjects import Compiled, Manifest
from analyzer.linter.rule import Problem, rule
from analyzer.source import Span

# What an Unknown decides: the message about it.
DECIDED = {
    "relationship": "this relationship is unknown",
    "collector": "the matches of this collector are unknown",
    "condition": "it is unknown whether this relationship exists",
    "case": "it is unknown whether this relationship exists",
}

CONDITIONS = (a.IfExpression, a.UnlessExpression, a.CaseExpression)


@rule("CG204", on=Compiled, severity="note")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check what an Unknown should have decided."""
    decided: dict[str, dict[Span, list[Span]]] = {}
    for undecided in compiled.record.undecided:
        if undecided.what in ("relationship", "collector"):
            spans = [undecided.span]
        elif undecided.what in DECIDED:
            file = undecided.span.file
            if file not in decided:
                decided[file] = by_condition(manifest_at(compiled, undecided.span))
            spans = decided[file].get(undecided.span, [])
        else:
            continue
        for span in spans:
            yield Problem(f"{DECIDED[undecided.what]}: {undecided.reason}", span)


def by_condition(manifest: Manifest | None) -> dict[Span, list[Span]]:
    """Return where the relationships stand that the conditions of a manifest decide about."""
    found: dict[Span, list[Span]] = {}
    for node, around in manifest.nodes(a.RelationshipExpression) if manifest else ():
        # Of a chain, the whole is one: the arrows in it stand inside others.
        if manifest is None or isinstance(around[-1], a.RelationshipExpression):
            continue
        for test in {manifest.span(one.test) for one in around if isinstance(one, CONDITIONS)}:
            found.setdefault(test, []).append(manifest.span(node))
    return found
