"""Simulates cf-serverd and cf-monitord: one pass over their own and common bundles.

Facts: server_transform.c and verify_measurements of 3.21, measured with the daemons: bundles come
in load order, whatever the bundlesequence says; nothing is locked, and no variables are settled
again. cf-serverd keeps types that it does not have last, with a warning; neither prints reports.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.policy.normal_order import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analyzer.frontends.cfengine.policy.blocks import Policy
    from analyzer.frontends.cfengine.syntax.ast import Bundle

MOST_NAMES = 5
PROGRAMS = {"server": "cf-serverd", "monitor": "cf-monitord"}


def bundles_of(policy: Policy, program: str, order: str) -> Iterable[Bundle]:
    """Return the bundles of a daemon in their order; as documented the common ones are first."""
    if order == "documented":
        return chain(policy.in_load_order("common"), policy.in_load_order(program))
    return policy.in_load_order(program, "common")


def kinds_of(bundle: Bundle, program: str, order: str) -> list[str]:
    """Return the promise types of a bundle in the order in which they are evaluated."""
    present = [section.type for section in bundle.sections if section.promises]
    kind = f"{program}_common" if bundle.type == "common" else program
    return in_order(kind, present, order)


def passed_over(bundle: Bundle, program: str) -> str:
    """Return the warning about a bundle that takes arguments."""
    return f"bundle {bundle.name} takes arguments: {PROGRAMS[program]} passes it over"


def unseen(policy: Policy, program: str) -> Iterator[str]:
    """Yield notes about the bundles that other programs evaluate."""
    for other, daemon in PROGRAMS.items():
        names = [bundle.name for bundle in policy.in_load_order(other)]
        if names and other != program:
            more = f" and {len(names) - MOST_NAMES} more" * (len(names) > MOST_NAMES)
            which = ", ".join(names[:MOST_NAMES]) + more
            one = len(names) == 1
            noun, verb, what = ("bundle", "is", "it") if one else ("bundles", "are", "them")
            yield (
                f"{other} {noun} {which} {verb} not part of this run: {daemon} evaluates {what}"
                f" (--agent {other})"
            )
