"""A collector in a chain matches nothing.

Why: at either end of a chain, an empty collector orders nothing, and Puppet prints no message. In
the middle, Puppet before 4.10.5 (PUP-1410, PUP-996) loses the order of its neighbours; later
versions connect them. On the right of a reversed arrow, it makes the left side depend on itself,
which is a dependency cycle. (If the collector matches on another node, it is not reported.)

Evidence: a complete catalog. A collector is reported only if it matches nothing in any catalog of
the input. A collector without a condition at either end of a chain is accepted: it applies to
whatever a node has, even if that is nothing.

Bad:

```puppet puppet-version=4
notify { ['first', 'last']: }
Notify['first'] -> Package <| tag == 'extra' |> -> Notify['last']  # <--
```

```puppet puppet-version=4
$extra = []
notify { ['first', 'last']: }
Notify['first'] -> $extra -> Notify['last']  # <--
```

```puppet
notify { 'first': }
Notify['first'] -> Package <| tag == 'extra' |>  # <--
```

```puppet
notify { 'first': }
Notify['first'] <- Package <| tag == 'extra' |>  # <--
```

Good:

```puppet
notify { ['first', 'last']: }
package { 'curl': tag => 'extra' }
Notify['first'] -> Package <| tag == 'extra' |> -> Notify['last']
```

Silent:

```puppet
Yumrepo <| |> -> Package <| |>
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, no_problem, rule
from analyzer.linter.rules.catalog.unset_attribute import unset
from analyzer.model.statements import Chain, Operand

# The number of pairs that a message names; it counts the others.
SHOWN = 5


@rule("CG302", on=Compiled, severity="warning", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the collectors of each chain."""
    explained = {c.span for c in compiled.record.collections if unset(compiled, c)}
    for chain in compiled.record.chains:
        for place, operand in enumerate(chain.operands):
            if operand.span and operand.refs:
                yield no_problem(operand.span)
            elif operand.empty:
                found = problem(compiled, chain, place, operand)
                # CG104 reports why it orders nothing.
                if operand.span in explained and found and not (found.notes or found.severity):
                    continue
                if found and not (compiled.partial and found.severity != "error"):
                    yield found
            elif not operand.refs and 0 < place < len(chain.links):
                yield from broken_by_list(compiled, chain, place)


def problem(compiled: Compiled, chain: Chain, place: int, operand: Operand) -> Problem | None:
    """Return the effect of an empty collector at a place of a chain."""
    left = chain.links[place - 1] if place else None
    right = chain.links[place] if place < len(chain.links) else None
    if left and left.reversed and puppet_closes_gaps(compiled):
        return self_dependency(chain, place, operand)
    if left is None or right is None:
        return orders_nothing(operand, f"at the {'end' if left else 'beginning'} of a chain")
    if left.reversed != right.reversed:
        return orders_nothing(operand, "between two arrows that point to it")
    before, after = nearest(chain.operands[:place][::-1]), nearest(chain.operands[place + 1 :])
    if before is None or after is None:
        return orders_nothing(operand, "without resources beside it")
    if left.reversed:
        before, after = after, before
    shown = islice(((a, b) for a in before.refs for b in after.refs), SHOWN)
    pairs = [f"{a} before {b}" for a, b in shown]
    more = len(before.refs) * len(after.refs) - len(pairs)
    refs = (*before.refs, *after.refs)
    if not puppet_closes_gaps(compiled):
        message = f"`{operand.text}` matches nothing: Puppet before 4.10.5 breaks the chain here"
        return Problem(message, operand.span, refs, notes=lines("ordering lost: ", pairs, more))
    arrow = chain.links[place + gap(chain.operands[place:]) - 1].operator
    message = f"`{operand.text}` matches nothing: Puppet connects its neighbours with `{arrow}`"
    notes = lines("", pairs, more)
    return Problem(message, operand.span, refs, notes=notes, severity="note", unless_ok=True)


def broken_by_list(compiled: Compiled, chain: Chain, place: int) -> Iterator[Problem]:
    """Yield the effect of a list without entries, which Puppet now ignores."""
    left, right = chain.links[place - 1 : place + 1]
    if left.reversed == right.reversed and not puppet_closes_gaps(compiled):
        between = Operand("[]", (), right.span)
        found = problem(compiled, chain, place, between)
        if found:
            yield replace(
                found, message=found.message.replace("`[]` matches nothing", "the list is empty")
            )


def puppet_closes_gaps(compiled: Compiled) -> bool:
    """Return whether this version of Puppet connects the neighbours of an empty collector
    (PUP-996)."""
    return compiled.puppet_version >= 5


def nearest(operands: Sequence[Operand]) -> Operand | None:
    """Return the first operand that matches anything."""
    return next((operand for operand in operands if operand.refs), None)


def gap(operands: Sequence[Operand]) -> int:
    """Return the number of operands before the first that matches anything."""
    return next(n for n, operand in enumerate(operands) if operand.refs)


def self_dependency(chain: Chain, place: int, operand: Operand) -> Problem | None:
    """Return the effect of a reversed arrow over an empty collector (EmptyAlternativeAdapter)."""
    stands = nearest(chain.operands[:place][::-1])
    if stands is None:
        return orders_nothing(operand, "without resources beside it")
    return Problem(
        f"`{operand.text}` matches nothing: the reversed arrow makes {stands.text} "
        "depend on itself",
        operand.span,
        stands.refs,
        notes=("Puppet then applies nothing: reverse the arrow or correct the collector",),
        severity="error",
    )


def orders_nothing(operand: Operand, where: str) -> Problem | None:
    """Return the problem of an empty collector, or None if it has no condition."""
    if "<||>" in "".join(operand.text.split()):
        return None
    message = f"`{operand.text}` {where} matches nothing, so it orders nothing"
    return Problem(message, operand.span, unless_ok=True)


def lines(head: str, pairs: list[str], more: int) -> tuple[str, ...]:
    """Return a line for each pair, and one for the number of other pairs."""
    return (*(f"{head}{pair}" for pair in pairs), *([f"... and {more:,} more"] if more else []))
