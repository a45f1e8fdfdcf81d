"""versioncmp, the order of versions that Puppet's packages use."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.evaluate.ruby import compare
from analyzer.frontends.puppet.functions.registry import Call, function

PART = re.compile(r"[-.]|[0-9]+|[^-.0-9]+")
ZEROS = re.compile(r"([.0]+)$", re.M)
NUMBER = re.compile(r"^[0-9]+$", re.M)


@function("versioncmp", "String $a, String $b, Boolean $ignore_trailing_zeroes = false")
def versioncmp(call: Call, left: str, right: str, ignore_trailing_zeroes: bool = False) -> int:
    """Return -1, 0 or 1."""
    if ignore_trailing_zeroes:
        if not (left.strip("-") and right.strip("-")):
            call.fail("undefined method `sub!' for nil:NilClass")
        left, right = trimmed(left), trimmed(right)
    for one, other in zip(PART.findall(left), PART.findall(right), strict=False):
        if one != other:
            return order(one, other)
    return compare(left, right)


def order(one: str, other: str) -> int:
    """Return the order of two parts that differ."""
    for separator in "-.":
        if one == separator:
            return -1
        if other == separator:
            return 1
    if NUMBER.search(one) and NUMBER.search(other):
        if not (one.startswith("0") or other.startswith("0")):
            return compare(int(one), int(other))
        return compare(one, other)
    return compare(one.upper(), other.upper())


def trimmed(version: str) -> str:
    """Return a version without the zeros at the end of its first part."""
    first, *rest = version.split("-")
    while rest and not rest[-1]:
        rest.pop()
    return "-".join([ZEROS.sub("", first, count=1), *rest])
