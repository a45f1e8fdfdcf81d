"""Resources depend on each other in a cycle.

Why: Puppet applies nothing when the relationship graph has a cycle. Remove the statements named in
the finding. The code does not show which relationship is wrong, so `--fix` removes one only with
`--unsafe-fixes`.

Evidence: the relationship graph of a compiled catalog, which Puppet builds in the same way.

Bad:

```puppet
package { 'ntp': require => File['/etc/ntp.conf'] }  # <--
file { '/etc/ntp.conf': require => Package['ntp'] }
```

```puppet
class base {
  contain common
}
class web {
  contain common
}
class common {
  package { 'curl': }
}
include base, web
Class['base'] -> Class['web']  # <--
```

```puppet
package { 'python3': }
package { 'wheels': tag => 'python', require => File['/etc/pip.conf'] }
file { '/etc/pip.conf': }
Package <| tag == 'python' |> -> File['/etc/pip.conf']  # <--
```

Good:

```puppet
package { 'ntp': }
file { '/etc/ntp.conf': require => Package['ntp'] }
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from analyzer.graph.cycles.search import Cycle
from analyzer.graph.findings import cycle_finding
from analyzer.linter.puppet.edits import drop, replace_word
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, Proposal, rule


@rule("CG301", on=Compiled, severity="error")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Explain each cyclic component."""
    for cycle in compiled.graph.cycles():
        found = cycle_finding(compiled.name, cycle)
        statements = cycle.cut.statements
        proposals = drop(compiled, statements[0].example) if len(statements) == 1 else ()
        # The orderings lost by the cut: in a cycle, every member is before every other member.
        lost = cycle.cut.lost, cycle.cut.lost_count
        proposals = tuple(replace(proposal, lost=lost) for proposal in proposals)
        proposals += tuple(uncontained(compiled, cycle))
        notes = (*collectors(compiled, cycle), *found.notes)
        yield Problem(found.message, found.span, found.refs, found.steps, notes, proposals)


def collectors(compiled: Compiled, cycle: Cycle) -> Iterator[str]:
    """Yield a note for each collector that matched a resource on the path."""
    arrows = {
        link.span: (left, right)
        for chain in compiled.record.chains
        for link, left, right in zip(chain.links, chain.operands, chain.operands[1:], strict=False)
    }
    told = set()
    for relationship in (r for hop in cycle.hops for r in hop.relationships):
        span = relationship.origin.span
        for ref in (str(relationship.source), str(relationship.target)):
            for operand in arrows.get(span, ()) if span else ():
                if operand.span and ref in operand.refs and (ref, operand.text) not in told:
                    told.add((ref, operand.text))
                    yield f"{ref} is one of {len(operand.refs):,} matches of `{operand.text}`"


def uncontained(compiled: Compiled, cycle: Cycle) -> Iterator[Proposal]:
    """Yield a proposal for each contained class on the path, to include it instead.

    Applying them later shows which one removes the cycle.
    """
    made = {r.origin: r for hop in cycle.hops for r in hop.relationships}
    for relationship in made.values():
        span = relationship.origin.span
        if relationship.kind == "contains" and relationship.target.type == "Class" and span:
            for proposal in replace_word(compiled, span, "contain", "include"):
                yield replace(proposal, unsafe=True)
