"""Examples made into what rules look at."""

from __future__ import annotations

from pathlib import Path

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.choice import Choice
from analyzer.linter.docs import Example
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import Rule
from analyzer.linter.run import Found
from analyzer.linter.suppress import Comments
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request


def findings(rule: Rule, example: Example, folder: Path) -> list[Found]:
    """Return the findings of a rule in an example."""
    version = int(example.options.get("puppet-version", 8))
    path = folder / ("example.cf" if example.language == "cfengine" else "example.pp")
    path.write_text(example.text, encoding="utf-8")
    facts = tuple(filter(None, example.options.get("facts", "").split(",")))
    settings = Settings(puppet_version=version, facts=facts)
    # Rules about comments need those whose findings the comments accept.
    others = [one.code for one in all_rules().values() if one.default and rule.on is Comments]
    request = Request(
        (str(path),),
        Choice((rule.code, *others)),
        lambda path: settings,
        shuffle=int(example.options.get("shuffle", 0)),
    )
    return [found for found in check_inputs(request).found if found.rule is rule]
