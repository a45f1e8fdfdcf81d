"""Functions of openstacklib, whose values real Puppet gave with that module."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.compiled import compile_question

CASES: list[tuple[str, Any]] = [
    ("normalize_ip_for_uri('::1')", "[::1]"),
    ("normalize_ip_for_uri('10.0.0.1')", "10.0.0.1"),
    ("normalize_ip_for_uri([false, '::1'])", [False, "[::1]"]),
    ("normalize_ip_for_uri(false)", False),
    ("normalize_ip_for_uri(5)", 5),
]


@pytest.mark.parametrize(("code", "expected"), CASES)
def test_value(code: str, expected: Any) -> None:
    document = compile_question({"code": f"notify {{ 'x': message => {code} }}"})
    (message,) = (r["parameters"]["message"] for r in document["resources"] if r["title"] == "x")
    assert message == expected
