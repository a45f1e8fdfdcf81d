"""Values are refused as Puppet refuses them, in its words."""

from __future__ import annotations

import pytest

from analyzer.apply.validation.refused_values import CHECKS, refused
from analyzer.model.resource import Resource
from tests.apply.validation.record import Case, cases

# Puppet's own message goes on with the address of an object.
CUT = "undefined local variable or method `age'"


@pytest.mark.parametrize("type", sorted(CHECKS))
def test_values_are_refused_as_puppet_refuses_them(type: str) -> None:
    assert [(one, said(one)) for one in cases() if one.type == type and said(one) != one.said] == []


def said(case: Case) -> str | None:
    """Return our message about a case."""
    found = next(refused([Resource(case.type, case.title, case.parameters)]), None)
    if found and case.said and CUT in found:
        return case.said if case.said.startswith(found) else found
    return found and found.splitlines()[0]


def test_every_check_has_a_refused_case() -> None:
    recorded = {(one.type, name) for one in cases() if one.said for name in one.parameters}
    rows = {(type, name) for type, checks in CHECKS.items() for name in checks}
    assert rows - recorded == set()


def test_secret_and_unknown_values_are_not_looked_at() -> None:
    secret = Resource("File", "/f", {"mode": 1}, sensitive=["mode"])
    unknown = Resource("File", "/f", {"mode": {"__ptype": "Deferred"}})
    assert list(refused([secret, unknown])) == []
