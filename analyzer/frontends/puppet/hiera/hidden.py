"""The places that have a key beside those that made its value: higher levels hide them."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from analyzer.frontends.puppet.hiera.errors import HieraError, NotFound
from analyzer.frontends.puppet.hiera.explain import LookupOutcome, LookupStep
from analyzer.frontends.puppet.hiera.lookup import Lookup
from analyzer.frontends.puppet.hiera.values.merge import MergeStrategy
from analyzer.frontends.puppet.hiera.values.schema import Type


class Every(MergeStrategy):
    """The first value found wins, and all places are asked."""

    key: ClassVar[str] = "every"
    merges: ClassVar[bool] = True
    accepted: ClassVar[Type | None] = None


def every_step(lookup: Lookup, key: str) -> list[LookupStep]:
    """Return the places that have a key, or may have it, in the order in which they are asked."""
    steps: list[LookupStep] = []
    invocation = lookup.invocation()
    invocation.steps, invocation.read = steps, None
    # What is behind an error is not asked.
    with suppress(HieraError, NotFound):
        lookup.find(key, invocation, Every())
    had = (LookupOutcome.FOUND, LookupOutcome.UNKNOWN)
    return [one for one in steps if one.outcome in had and one.depth == 0]
