"""Fixes of small manifests: what is written, what order comes and goes, what is not offered.

Cases stand in `fixes.txt`: the rule and what the case is, a manifest, and behind `---` what is said
and what the manifest becomes. `--update` writes that part anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.choice import Choice
from analyzer.session.lint.fixes import Fixed, fix_all
from analyzer.session.lint.request import Request

FILE = Path(__file__).with_name("fixes.txt")


class Case(NamedTuple):
    """A rule, what the case is, the manifest, and what comes of it."""

    code: str
    name: str
    before: str
    after: str


def cases() -> Iterator[Case]:
    for part in FILE.read_text().split("=== ")[1:]:
        title, _, body = part.partition("\n")
        before, _, after = body.partition("---\n")
        code, _, name = title.partition(" ")
        yield Case(code, name, before.rstrip("\n") + "\n", after.rstrip("\n") + "\n")


CASES = list(cases())


def mended(path: Path, code: str) -> Fixed:
    """What fixes for one rule make of a manifest."""
    request = Request((str(path),), Choice((code,)), lambda path: Settings())
    return fix_all(request, unsafe=True)


def outcome(path: Path, code: str) -> str:
    """What is said, and the text then."""
    found = mended(path, code)
    lines = []
    for finding in found.findings:
        fix = finding.fixes[0]
        lines.append(f"{fix.word}: {fix.what}".replace(f"{path.parent}/", ""))
        lines += [f"unsafe: {fix.doubt}"] if fix.doubt else []
        lines += [f"gained: {first} before {second}" for first, second in fix.gained]
        lines += [f"lost: {first} before {second}" for first, second in fix.lost]
    left = [one.finding for one in found.rest.found]
    lines += [f"left: line {finding.span and finding.span.line}" for finding in left]
    return "\n".join(lines or ["no findings"]) + "\n" + "".join(found.texts.values())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code} {case.name}")
def test_fix(case: Case, tmp_path: Path, update: bool) -> None:
    path = tmp_path / "site.pp"
    path.write_text(case.before)
    found = outcome(path, case.code)
    if update:
        old = f"=== {case.code} {case.name}\n"
        head, _, rest = FILE.read_text().partition(old)
        tail = rest.partition("=== ")
        new = f"{old}{case.before}---\n{found}\n"
        FILE.write_text(head + new + "".join(tail[1:]))
    else:
        assert case.after == found
