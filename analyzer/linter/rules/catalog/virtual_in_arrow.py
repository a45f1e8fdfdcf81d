"""An arrow names a virtual resource that nothing realizes.

Why: on the left of an arrow, the relationship is lost without a message, because it belongs to a
resource that is not applied. On the right, Puppet stops the run: 'Could not find dependent'.

Evidence: a complete catalog. If resources may be missing, nothing is reported.

Bad:

```puppet
@user { 'deploy': ensure => present }
notify { 'ready': }
User['deploy'] -> Notify['ready']  # <--
```

Good:

```puppet
@user { 'deploy': ensure => present }
realize User['deploy']
notify { 'ready': }
User['deploy'] -> Notify['ready']
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.statements import Chain, Link, Operand


@rule("CG203", on=Compiled, severity="warning", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the ends of each arrow."""
    for chain in compiled.record.chains:
        for link, source, target in arrows(chain):
            for ref in source.refs:
                if ref in compiled.record.virtual:
                    yield Problem(
                        f"{ref} is virtual and not realized: "
                        f"the relationship with {target.text} is lost",
                        link.span,
                        (ref, *target.refs),
                    )
            if compiled.record.virtual.intersection(source.refs):
                continue
            for ref in target.refs:
                if ref in compiled.record.virtual:
                    yield Problem(
                        f"{ref} is virtual and not realized: Puppet stops the run, "
                        f"'Could not find dependent {ref} for {source.text}'",
                        link.span,
                        (ref, *source.refs),
                        severity="error",
                    )


def arrows(chain: Chain) -> Iterator[tuple[Link, Operand, Operand]]:
    """Yield each arrow with its source and its target."""
    for link, left, right in zip(chain.links, chain.operands, chain.operands[1:], strict=False):
        yield (link, right, left) if link.reversed else (link, left, right)
