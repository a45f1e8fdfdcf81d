"""Rules read values of every type: Puppet checks most of them only where a catalog is applied."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from analyzer.linter.choice import Choice
from analyzer.linter.registry import all_rules
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request
from tests.amount import examples

VALUE = re.compile(r"=>\s*('[^']*'|[\w:]+|\[[^\]]*\]|\"[^\"]*\")")
ODD = ("['a', 'b']", "{'a' => 1}", "5", "undef", "true", "[['/a'], '/b']", "''", "Sensitive('x')")


def odd_programs() -> Iterator[str]:
    """Yield the examples of all rules, each with one value replaced by one of another type."""
    for rule in all_rules().values():
        for one in (*rule.docs.bad, *rule.docs.good, *rule.docs.silent):
            for found in VALUE.finditer(one.text) if one.language == "puppet" else ():
                for odd in ODD:
                    yield one.text[: found.start(1)] + odd + one.text[found.end(1) :]


def test_no_value_is_an_internal_error(tmp_path: Path) -> None:
    programs = random.Random(1).sample([*odd_programs()], examples(600))
    path = tmp_path / "site.pp"
    for text in programs:
        path.write_text(text)
        found = check_inputs(Request((str(path),), Choice(("CG",)), fixes=False)).found
        assert "CG205" not in [one.finding.code for one in found], text
