"""What the rules say of their examples is what a real agent did with them, as recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from analyzer.frontends.cfengine.policy.sites import Sites
from analyzer.frontends.cfengine.syntax.check import check_text
from analyzer.linter.docs import Example
from analyzer.linter.policies import PolicyRun
from analyzer.linter.policy_files import load_all
from analyzer.linter.promises import ref_of
from analyzer.linter.registry import all_rules
from analyzer.linter.run import apply
from analyzer.linter.texts import read
from tests.frontends.cfengine import runs
from tests.frontends.cfengine.runs import policies

from .agent_runs import NEVER, begun_all_the_same, examples, recorded
from .examples import findings

RECORDED = recorded()
EXAMPLES = dict(examples())
BAD = [name for name in EXAMPLES if " bad " in name]
# Rules whose good examples hold what is not begun, on purpose.
SWITCHED_OFF = ("CG515", "CG524", "CG525")
NEVER_LOCKED = ("vars", "classes", "meta", "defaults")

Look = list[Any]


def begun(name: str) -> list[Look]:
    """The looks at which a promise was begun."""
    rows: list[Look] = RECORDED[name]["looks"]
    return [row for row in rows if row[-1] != "skipped"]


def said(name: str) -> str:
    return "\n".join(RECORDED[name]["said"])


def promises(example: Example) -> Iterable[tuple[str, str, int]]:
    for bundle in check_text(example.text, "example.cf").tree.bundles:
        for section in bundle.sections:
            for promise in section.promises:
                yield bundle.name, section.type, promise.line


def is_refused(name: str) -> bool:
    return RECORDED[name]["said"] in (["refused"], ["FAILSAFE"])


def lines_of(name: str, folder: Path) -> set[int]:
    """The lines of the promises that the findings of an example name."""
    rule = all_rules()[name.split(maxsplit=1)[0]]
    found = findings(rule, EXAMPLES[name], folder)
    refs = {found.finding.refs[0] for found in found}
    path = folder / "example.cf"

    sites = Sites(load_all(str(path), read).policy)
    lines = {site.promise.line for site in sites.all if ref_of(site) in refs}
    assert lines, name
    return lines


def never(name: str, folder: Path) -> bool:
    """None of the promises that are found is ever begun."""
    return not lines_of(name, folder) & {row[2] for row in begun(name)}


def kept_once(name: str, folder: Path) -> bool:
    """What is found is passed over, or calls a bundle in which nothing is kept."""
    rows = [row for row in begun(name) if row[1] not in NEVER_LOCKED]
    return len({(row[0], row[2]) for row in rows}) < len(list(promises(EXAMPLES[name]))) or all(
        row[-1] == "kept" for row in rows if row[2] in lines_of(name, folder)
    )


CLAIMS: dict[str, Callable[[str, Path], bool]] = {
    "CG500": lambda name, folder: is_refused(name),
    "CG501": lambda name, folder: "missing bundle" in said(name) and "R: done" not in said(name),
    "CG502": lambda name, folder: is_refused(name),
    "CG503": lambda name, folder: "R: database" not in said(name),
    # Nothing is done with it, in the good case too: it is there in vain.
    "CG504": lambda name, folder: "/bin/echo confi" in said(name),
    "CG505": lambda name, folder: sum(row[2] == 9 for row in begun(name)) == 1,
    "CG507": lambda name, folder: "Undefined promise type 'report'" in said(name),
    "CG511": never,
    "CG512": never,
    "CG513": never,
    "CG514": never,
    # The report goes on when the first is done: in the record the second is done before it too.
    "CG515": lambda name, folder: "R: go on" in said(name),
    "CG521": never,
    "CG522": never,
    "CG523": never,
    "CG524": lambda name, folder: {"R: keeping", "R: migrating"} <= set(said(name).split("\n")),
    "CG525": never,
    # The command is a report.
    "CG526": lambda name, folder: "R: /bin/echo printed, not run" in said(name),
    "CG531": lambda name, folder: "R: installed $(verson)" in said(name),
    "CG532": lambda name, folder: all(f"install {v}" in said(name) for v in ("$(version)", "1.2")),
    "CG533": never,
    "CG541": lambda name, folder: (
        [row[2] for row in begun(name)] != sorted(row[2] for row in begun(name))
    ),
    "CG542": kept_once,
    "CG544": lambda name, folder: "made" in RECORDED[name]["said"],
    "CG543": lambda name, folder: all(row[1] != "defaults" for row in RECORDED[name]["looks"]),
}


def test_every_example_is_recorded() -> None:
    assert list(RECORDED) == list(EXAMPLES)
    assert {name.split()[0] for name in BAD} == set(CLAIMS)


@pytest.mark.parametrize("name", BAD)
def test_the_agent_does_what_is_told(name: str, tmp_path: Path) -> None:
    assert CLAIMS[name.split(maxsplit=1)[0]](name, tmp_path)


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in BAD])
def test_all_of_a_good_example_is_begun(name: str) -> None:
    if name.split(maxsplit=1)[0] in SWITCHED_OFF:
        return
    kept = {tuple(row[:3]) for row in begun(name)}
    assert set(promises(EXAMPLES[name])) <= kept


@pytest.mark.parametrize("path", policies(), ids=lambda path: path.stem)
def test_what_is_never_begun_was_not(path: Path) -> None:
    assert begun_all_the_same(path, runs.recorded(path)) == []


@pytest.mark.slow
def test_the_runs_have_what_is_never_begun() -> None:
    found = {
        code
        for path in policies()
        for code in NEVER
        for _ in apply(all_rules()[code], PolicyRun(str(path), load_all(str(path), read)))
    }
    assert found >= set(NEVER) - {"CG513", "CG525"}
