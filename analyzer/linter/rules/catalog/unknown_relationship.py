"""A relationship depends on a value that catgraph cannot compute.

Why: catgraph leaves the relationship out, so it cannot find a cycle through it. Let catgraph run
the Ruby code of the modules (`--ruby auto`), or add a stub for the value to `catgraph.toml`.

Evidence: the compiler could not compute a value. A value is not reported if it is unknown only
because an input is missing (facts, Hiera data, a module that is not installed), because Ruby code
was not run, or because another statement was not compiled. The completeness statement counts such
values, and `--explain` and `--format json` list their places.

Bad:

```puppet
notify { ['a', 'b']: }
Notify['a'] -> Notify[generate('/usr/bin/role')]  # <--
```

```puppet
$role = generate('/usr/bin/role')
notify { 'a': require => Notify[$role] }  # <--
Package <| tag == $role |> -> Notify['a']  # <--
if $role == 'web' {
  Notify['a'] -> Notify['a']  # <--
}
```

Good:

```puppet
notify { ['a', 'b']: }
Notify['a'] -> Notify['b']
```

Silent:

```puppet
notify { 'a': require => Notify[$facts['role']] }
Package <| tag == $facts['role'] |> -> Notify['a']
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.puppet.places import manifest_at
from analyzer.linter.puppet.subjects import Compiled, Manifest
from analyzer.linter.rule import Problem, rule
from analyzer.source import Span

# The message for each kind of decision that depends on an unknown value.
DECIDED = {
    "relationship": "this relationship is unknown",
    "collector": "the matches of this collector are unknown",
    "condition": "it is unknown whether this relationship exists",
    "case": "it is unknown whether this relationship exists",
}

# Reasons that the completeness statement reports: a missing input, or a statement left out.
STATED = re.compile(
    r"\(--(?:facts|hiera-config|modulepath|allow-read|param|ruby)\b|\[stubs\.facts\]"
    r"| is not installed| in what is known$| cannot be evaluated$| is written in Ruby$"
    r"| depends on the machine$|^key '.*' of Hiera: "
)

CONDITIONS = (a.IfExpression, a.UnlessExpression, a.CaseExpression)


@rule("CG204", on=Compiled, severity="note")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each decision that depends on an unknown value."""
    decided: dict[str, dict[Span, list[Span]]] = {}
    for undecided in compiled.record.undecided:
        if STATED.search(undecided.reason):
            continue
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
    """Return the places of relationships by the place of a condition that they depend on."""
    found: dict[Span, list[Span]] = {}
    for node, around in manifest.nodes(a.RelationshipExpression) if manifest else ():
        # Count a chain once: its other arrows are operands of the last one.
        if manifest is None or isinstance(around[-1], a.RelationshipExpression):
            continue
        for test in {manifest.span(one.test) for one in around if isinstance(one, CONDITIONS)}:
            found.setdefault(test, []).append(manifest.span(node))
    return found
