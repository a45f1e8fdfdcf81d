"""Checks that need all files of a policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.syntax.ast import PolicyFile
from analyzer.frontends.cfengine.syntax.problems import PolicyError, Problem
from analyzer.frontends.cfengine.syntax.validate import (
    by_name,
    check_arity,
    duplicate_handles,
    duplicates,
    runnable,
)


def check_whole(policy: Policy, texts: Mapping[str, str]) -> None:
    """Check all files of a policy together; `texts` has their texts by path.

    Raises:
        PolicyError: CFEngine refuses the policy.
    """
    merged = PolicyFile(
        policy.files[0].path,
        tuple(bundle for tree in policy.files for bundle in tree.bundles),
        tuple(body for tree in policy.files for body in tree.bodies),
    )
    problems = list(problems_of(merged, policy))
    if problems:
        first = problems[0]
        raise PolicyError(problems, texts.get(first.span.file, ""))


def problems_of(merged: PolicyFile, policy: Policy) -> Iterator[Problem]:
    """Yield the problems of all files together."""
    yield from duplicates(merged.bundles)
    yield from duplicates(body for body in merged.bodies if body.type != "file")
    known = by_name(merged.bundles)
    for bundle in merged.bundles:
        for section in bundle.sections if bundle.type in ("agent", "common") else ():
            for promise in section.promises if section.type == "methods" else ():
                yield from check_arity(promise, bundle, known)
    yield from duplicate_handles(merged)
    # An excluded input may define the missing blocks.
    if not policy.warnings:
        yield from runnable(merged)
