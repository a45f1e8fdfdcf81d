"""A promise has a type that CFEngine does not have.

Why: CFEngine accepts the policy, because the name could be that of a custom promise type. At run
time, each of the promises fails in every pass.

Bad:

```cfengine
bundle agent main
{
  report:
    "hello";  # <--
}
```

Good:

```cfengine
bundle agent main
{
  reports:
    "hello";
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.diagnostics import Edit
from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import guess, hint, near, offset_of
from analyzer.linter.rule import Problem, Proposal, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.syntax.ast import Bundle, Section

# The bundles that the agent evaluates.
BUNDLES = ("agent", "common", "edit_line", "edit_xml")


@rule("CG507", on=PolicyRun, severity="error")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report promise types that neither CFEngine nor the policy declares."""
    from analyzer.frontends.cfengine.syntax.vocabulary import syntax

    declared = {block.name for tree in run.loaded.policy.files for block in tree.promise_types}
    for tree in run.loaded.policy.files:
        for bundle in tree.bundles if not declared else ():
            kinds = [k for b, k in syntax().promises if b in (bundle.type, "*") and k != "*"]
            for section in bundle.sections:
                if bundle.type not in BUNDLES or section.type in kinds or not section.promises:
                    continue
                other = near(section.type, kinds)
                if other or run.whole:
                    yield problem(run, bundle, section, other)


def problem(run: PolicyRun, bundle: Bundle, section: Section, other: str) -> Problem:
    """Return the problem of a type."""
    first = section.promises[0]
    text = run.text_of(first.span.file) or ""
    proposals: tuple[Proposal, ...] = ()
    heads = list(re.finditer(rf"\b{section.type}(?=:(?!:))", text[: offset_of(text, first.span)]))
    if other and heads:
        edit = Edit(first.span.file, heads[-1].start(), heads[-1].end(), other)
        proposals = (guess(section.type, other, (edit,)),)
    return Problem(
        f"there is no promise type '{section.type}'{hint(other)}",
        first.span,
        (bundle.name, section.type),
        proposals=proposals,
    )
