"""What becomes of the cases of a live run: the graphs, and the catalogs that we compile."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from analyzer.model.values import Unknown
from analyzer.session.verify.graphs import GraphDifference
from tests.known_gaps import known_gaps

from .case import Catalog, from_answer
from .compare import differences, refusal_differences
from .compiled import Ours, Verdict
from .harness import Answer

SHOWN = 8
NO_TYPE = re.compile(r"(?:Unknown resource type: '|Resource type not found: )(\w+)")
_LENGTH = 300


@dataclass(slots=True)
class Graphs:
    """Puppet's graphs against ours of the same catalogs."""

    agree: int = 0
    cyclic: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    differ: Counter[str] = field(default_factory=Counter)
    examples: list[tuple[str, list[GraphDifference]]] = field(default_factory=list)

    def add(self, answer: Answer, catalog: Catalog) -> None:
        """Count one answer."""
        if answer["ok"]:
            case = from_answer(answer, "", catalog)
            self.cyclic += bool(case.graph.cycles)
            found = differences(case)
            self.agree += not found
        else:
            self.refused[answer["stage"]] += 1
            found = refusal_differences(catalog, answer["error"])
        if found:
            self.differ.update({difference.kind for difference in found})
            self.examples.append((str(answer["id"]), found))

    def lines(self) -> Iterator[str]:
        """The rows of the summary."""
        differing = len(self.examples)
        yield f"    graphs agree {self.agree:6}  differ {differing:5}  cyclic {self.cyclic:5}"
        for stage, number in sorted(self.refused.items()):
            yield f"    Puppet stops at {stage:12} {number:6}"
        for kind, number in sorted(self.differ.items()):
            yield f"    differ in {kind:18} {number:6}"


@dataclass(slots=True)
class Catalogs:
    """Puppet's catalogs and refusals against our own of the same programs.

    `causes` are the mechanisms of what is not alike, each with its first case. `unknown` tells why
    values are Unknown, and in how many catalogs; these values are left out of the comparison.
    `lacking` counts what Puppet refuses as it lacks a type that comes with puppet-agent only.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    examples: dict[str, tuple[str, Verdict]] = field(default_factory=dict)
    unknown: Counter[str] = field(default_factory=Counter)
    lacking: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, verdict: Verdict, ours: Ours, answer: Answer) -> None:
        """Count one case."""
        lacking = lacking_type(answer)
        if lacking and not verdict.alike:
            self.lacking[lacking] += 1
            return
        self.verdicts["compiles" if answer.get("catalog") else "refuses"] += 1
        self.verdicts[verdict.kind] += verdict.alike
        if answer.get("catalog"):
            self.unknown.update(set(unknown_reasons(ours.document)))
        if not verdict.alike:
            self.causes[verdict.cause] += 1
            self.examples.setdefault(verdict.cause, (name, verdict))

    @property
    def differ(self) -> int:
        """How many are not alike."""
        return sum(self.causes.values())

    def lines(self) -> Iterator[str]:
        """The rows of the summary: figures, then the causes of the rest, largest first."""
        compiles, refuses = self.verdicts["compiles"], self.verdicts["refuses"]
        equal, alike = self.verdicts["equal"], self.verdicts["refused alike"]
        yield f"    Puppet compiles {compiles:6}  equal {equal:6}  {_share(equal, compiles)}"
        yield f"    Puppet refuses  {refuses:6}  alike {alike:6}  {_share(alike, refuses)}"
        for cause, number in self.causes.most_common():
            name, verdict = self.examples[cause]
            yield f"    {number:6} {cause}"
            yield f"           {name}"
            yield f"           ours:   {_short(verdict.ours)}"
            yield f"           Puppet: {_short(verdict.theirs)}"
        for lacking, number in self.lacking.most_common():
            yield f"    left out: {number} that Puppet refuses as it has no {lacking} here"
        for reason, number in self.unknown.most_common(SHOWN):
            yield f"    left out as Unknown in {number:4} catalogs: {reason}"
        if len(self.unknown) > SHOWN:
            yield f"    left out as Unknown for {len(self.unknown) - SHOWN} more reasons"


def lacking_type(answer: Answer) -> str:
    """The type that the installed Puppet refuses a program for, if it is one that only
    puppet-agent has; else empty.
    """
    said = (answer.get("error") or "") if not answer.get("catalog") else ""
    found = NO_TYPE.search(said)
    name = found[1].capitalize() if found else ""
    return name if name in known_gaps("types") else ""


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= _LENGTH else one_line[:_LENGTH] + " ..."


def unknown_reasons(value: Any) -> Iterator[str]:
    """Yield why values in a catalog are Unknown."""
    if isinstance(value, Unknown):
        yield value.reason
    elif isinstance(value, list):
        for one in value:
            yield from unknown_reasons(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from unknown_reasons(one)
