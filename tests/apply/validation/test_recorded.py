"""Values are refused as Puppet refuses them, in its words."""

from __future__ import annotations

import pytest

from analyzer.apply.validation.refused_values import CHECKS, WRITTEN, refused
from analyzer.model.resource import Resource
from tests.apply.validation.record import Case, cases

# Puppet's own message goes on with the address of an object.
CUT = "undefined local variable or method `age'"


@pytest.mark.parametrize("type", sorted(CHECKS))
def test_values_are_refused_as_puppet_refuses_them(type: str) -> None:
    assert [(one, said(one)) for one in cases() if one.type == type and said(one) != one.said] == []


def said(case: Case) -> str | None:
    """Return our message about a case."""
    every = refused([Resource(case.type, case.title, case.parameters)])
    # Puppet writes such a text as several lines of the file.
    found = next((one for one in every if WRITTEN not in one), None)
    if found and case.said and CUT in found:
        return case.said if case.said.startswith(found) else found
    return found and found.splitlines()[0]


def test_every_check_has_a_refused_case() -> None:
    recorded = {(one.type, name) for one in cases() if one.said for name in one.parameters}
    rows = {(type, name) for type, checks in CHECKS.items() for name in checks}
    assert rows - recorded == set()


def test_unknown_values_are_not_looked_at() -> None:
    unknown = Resource("File", "/f", {"mode": {"__ptype": "Deferred"}})
    assert list(refused([unknown])) == []


def test_secret_values_are_refused_and_not_shown() -> None:
    """Puppet 7.23 refuses `mode => Sensitive('S3CRET')` too, and shows the value."""
    secret = Resource("File", "/f", {"mode": "S3CRET"}, sensitive=["mode"])
    why = "its value is not valid, and not shown because it is Sensitive"
    assert list(refused([secret])) == [f"Parameter mode failed on File[/f]: {why}"]


LINES = [
    ("Cron", "a\nb", {"command": "x"}, "name"),
    ("Cron", "a", {"command": "x\n* * * * * y"}, "command"),
    ("Cron", "a", {"command": "x\ry"}, "command"),
    ("Cron", "a", {"command": "x", "minute": "*/5\n* * * * * y"}, "minute"),
    ("Cron", "a", {"command": "x", "environment": ["A=b", "A=b\n* * * * * y"]}, "environment"),
    ("Ssh_authorized_key", "a", {"user": "u", "options": ["a\nssh-rsa K"]}, "options"),
    ("Mount", "/m", {"device": "/dev/x\n/dev/y"}, "device"),
]


@pytest.mark.parametrize(("type", "title", "parameters", "name"), LINES)
def test_line_ends_add_no_line(
    type: str, title: str, parameters: dict[str, object], name: str
) -> None:
    """Puppet 7.23 accepts these, and writes a job or key of its own for the second line."""
    said = list(refused([Resource(type, title, parameters)]))
    assert said == [f"Parameter {name} failed on {type}[{title}]: it must not contain {END}"]
    plain = {key: value for key, value in parameters.items() if key != name} or {"command": "x\n"}
    assert list(refused([Resource(type, "t", plain)])) == []


END = f"a line end{WRITTEN}"
