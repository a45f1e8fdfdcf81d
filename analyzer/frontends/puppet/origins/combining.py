"""The table of how the parts of an expression combine, by the kind of its node."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.frontends.puppet.origins.contributors import Trail, flat, same_value
from analyzer.frontends.puppet.origins.parts import Evaluated
from analyzer.frontends.puppet.origins.recorder import Recorder

Combine = Callable[[Recorder, Evaluated], Trail]

COMBINE: dict[type, Combine] = {}


def combines(*kinds: type) -> Callable[[Combine], Combine]:
    """Register the way in which the parts of these kinds of nodes are combined."""

    def register(combine: Combine) -> Combine:
        COMBINE.update(dict.fromkeys(kinds, combine))
        return combine

    return register


def together(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of a value that all parts contribute to."""
    if type(it.value) in (list, dict):
        # An array or hash that is passed on keeps its elements.
        same = [trail for _, one, trail in it.parts if one is it.value]
        if same:
            others = flat(trail for _, one, trail in it.parts if one is not it.value)
            return same[0].within(*(one for trail in same[1:] for one in trail.shape), *others)
    known = same_value(it.value, ((one, trail) for _, one, trail in it.parts))
    everything = it.everything
    return Trail(everything) if known is None else known.within(*everything)
