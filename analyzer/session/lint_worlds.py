"""What the lint finds only with some facts or parameters, each with its condition."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from analyzer.linter.rule import Rule
from analyzer.linter.run import Found
from analyzer.linter.suppress import Ledger
from analyzer.linter.texts import Names
from analyzer.session.lint_inputs import Request, has_only_policies, is_document


def found_in_worlds(
    request: Request, rules: Sequence[Rule], told: Sequence[Found], names: Names, ledger: Ledger
) -> Iterator[Found]:
    """Yield the findings of several worlds that no catalog has which is compiled anyway."""
    if request.worlds == 1:
        return
    from analyzer.session.conditional import findings_of, new_in
    from analyzer.session.exploring import explore_in

    by_code = {rule.code: rule for rule in rules}
    known = [one.finding for one in told]
    for path in request.paths:
        if is_document(path) or has_only_policies(path) or not os.path.exists(path):
            continue
        found = explore_in(path, request.settings_for(path), request.rules_for, request.worlds)
        for one in new_in(list(map(names.renamed, findings_of(found, path))), known):
            for finding in request.choice.told([one]) if one.code in by_code else ():
                if not ledger.accepts(finding):
                    yield Found(finding, by_code[one.code])
