"""One statement creates a very large number of relationships.

Why: if a line puts all resources of one set before all of another set, a single failure on the left
skips everything on the right, and each of the relationships can close a cycle.

Evidence: the number of relationships that the statement adds to the graph. Statements with only
anchors, which cannot fail, on the left are accepted, as are those with a single resource on the
right.

Bad:

```puppet
range(1, 11).each |$n| {
  file { "/srv/${n}": tag => 'early' }
  package { "app${n}": tag => 'late' }
}
File <| tag == 'early' |> -> Package <| tag == 'late' |>  # <--
```

Good:

```puppet
file { '/srv/1': }
package { 'app1': require => File['/srv/1'] }
```

Silent:

```puppet
range(1, 101).each |$n| {
  notify { "${n}": }
}
anchor { ['begin', 'end']: }
Anchor['begin'] -> Notify <| |> -> Anchor['end']
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.source import Span

# Types that never fail.
INFALLIBLE = frozenset({"Anchor", "Notify"})

# A statement with more relationships is reported.
THRESHOLD = 100


@rule("CG315", on=Compiled, severity="note")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Count the relationships of each arrow."""
    provenance = compiled.graph.provenance
    made: dict[Span, list[tuple[int, int]]] = {}
    for source, target, span in provenance.arrows():
        made.setdefault(span, []).append((source, target))
    for span, pairs in made.items():
        sources, targets = ({pair[end] for pair in pairs} for end in (0, 1))
        fallible = any(compiled.graph.resources[one].type not in INFALLIBLE for one in sources)
        if len(pairs) > THRESHOLD and len(targets) > 1 and fallible:
            one = provenance.refs[min(sources)]
            first = one if len(sources) == 1 else f"one of {len(sources):,} resources"
            yield Problem(
                f"this arrow creates {len(pairs):,} relationships: if {first} fails, "
                f"{len(targets):,} are skipped",
                span,
            )
