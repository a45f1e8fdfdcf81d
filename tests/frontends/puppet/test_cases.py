"""Our parser makes of each case what Puppet's makes of it."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.parsing.parser import parse, parse_epp
from analyzer.frontends.puppet.syntax.pn import to_pn

from .cases import Case, all_cases, refusal


def ours(case: Case) -> str:
    read = parse_epp if "epp" in case.flags else parse
    try:
        return to_pn(read(case.code, tasks="tasks" in case.flags))
    except ParseError as error:
        found = error.diagnostic
        return refusal(found.line, found.column, found.message)


@pytest.mark.parametrize("case", list(all_cases()), ids=lambda case: f"{case.topic}: {case.name}")
def test_case(case: Case) -> None:
    assert ours(case) == case.result
