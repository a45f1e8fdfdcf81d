"""Rules take at most 2.3 times the steps for twice the resources, whatever their shape."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from analyzer.cli import main
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.checked import CheckedCatalog, CheckedManifest
from analyzer.linter.choice import Choice
from analyzer.linter.docs import Example
from analyzer.linter.policies import PolicyText
from analyzer.linter.puppet.subjects import Compiled, Manifest
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import Rule
from analyzer.linter.run import Subject, applied
from analyzer.linter.suppress import Ledger, comments
from analyzer.session.inputs import load_catalogs
from analyzer.session.lint.catalogs import compile_inputs
from analyzer.session.lint.check import subjects_of as all_subjects
from analyzer.session.lint.read import parse, read
from analyzer.session.lint.request import Request

from .copies import repeated
from .shapes import SHAPES, Files, written

RULES = all_rules()
SIZE = 60
MOST = 2.3

# Steps below which a rule has nothing to do with the shape.
FEW = 200

# What does not grow evenly yet: the cheapest cut of one large knot.
STEEP = {"large_cycle": {"CG301"}}

# A catalog of each rule's own bad examples, so many of them.
BAD = [(rule, example) for rule in RULES.values() for example in rule.docs.bad]
COPIES = 12

# Names that are not there are compared with all that are.
COMPARING = {"CG501"}

# What is found once however often it is written: of one statement, of one name,
# or in the few orders that are walked; what is found in several catalogs only.
ONCE = {"CG106", "CG305", "CG319", "CG323", "CG329", "CG332", "CG401", "CG502", "CG506", "CG523"}

# What tables of the rules name, and types that stand for those of modules: a copy has other names.
FIXED = (
    *("sshd_config", "mariadb", "sysusers.d", "git+https:", "geoip", "probed-agent"),
    *("define file_line", "define ini_setting"),
)

# All before all is as many relationships as pairs, in Puppet's catalogs too.
EVEN = {name: make for name, make in SHAPES.items() if name != "collectors"}


def steps(work: Callable[[], object]) -> int:
    """Lines of Python that a call runs, each turn of a loop anew."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def subjects_of(files: Files, folder: Path, puppet_version: int = 8) -> list[Subject]:
    """Everything that rules look at in an input."""
    codes = tuple(RULES)
    path = str(written(files, folder))
    settings = Settings(puppet_version=puppet_version)
    sources = read(
        Request((path,), Choice(codes), lambda _: settings, load=load_catalogs, shuffle=2)
    )
    ledger = Ledger(sources.texts.get)
    texts: list[Manifest | PolicyText] = [*sources.manifests.trees, *sources.policies.readable]
    used = [ledger.comments_of(one, codes, codes, codes) for one in texts if comments(one.text)]
    subjects = all_subjects(sources, parse(sources), compile_inputs(sources))
    plain = [one for one in subjects if not isinstance(one, CheckedManifest | CheckedCatalog)]
    return [*plain, *used]


def apply_all(code: str, subjects: Iterable[Subject]) -> int:
    """Apply one rule to all that it is about, and return how much it finds."""
    return sum(
        1
        for subject in subjects
        if isinstance(subject, RULES[code].on)
        for _ in applied(RULES[code], subject)
    )


def declared(subjects: Iterable[Subject]) -> int:
    """How many relationships catalogs declare: collectors declare one of every pair."""
    return sum(
        len(targets)
        for subject in subjects
        if isinstance(subject, Compiled)
        for _, _, targets in subject.graph.declared
    )


@pytest.mark.parametrize("shape", EVEN)
def test_every_rule_grows_with_its_input(shape: str, tmp_path: Path) -> None:
    counts = []
    for size in (SIZE, 2 * SIZE):
        subjects = subjects_of(EVEN[shape](size), tmp_path / str(size))
        assert subjects
        counts.append({code: steps(partial(apply_all, code, subjects)) for code in RULES})
    small, large = counts
    steep = {c: (small[c], large[c]) for c in RULES if large[c] > MOST * small[c] + FEW}
    assert steep.keys() <= STEEP.get(shape, set()), steep


@pytest.mark.parametrize(("rule", "example"), BAD, ids=lambda x: getattr(x, "code", ""))
def test_every_rule_grows_with_what_it_finds(rule: Rule, example: Example, tmp_path: Path) -> None:
    suffix = "cf" if example.language == "cfengine" else "pp"
    version = int(example.options.get("puppet-version", 8))

    def cost(copies: int) -> tuple[int, int]:
        text = repeated(example, copies)
        subjects = subjects_of({f"example.{suffix}": text}, tmp_path / str(copies), version)
        found: list[int] = []
        count = steps(lambda: found.append(apply_all(rule.code, subjects)))
        is_fixed = any(word in example.text for word in FIXED)
        assert found[0] >= copies or rule.code in ONCE or is_fixed
        return count, declared(subjects)

    def is_even(small: tuple[int, int], large: tuple[int, int]) -> bool:
        grown = max(2.0, large[1] / max(1, small[1])) / 2
        return large[0] <= MOST * grown * small[0] + FEW

    # What is made at the first use is not counted.
    cost(1)
    costs = [cost(COPIES), cost(2 * COPIES)]
    if not is_even(*costs):
        # What is bounded comes to its bound.
        costs = [costs[1], cost(4 * COPIES)]
    assert is_even(*costs) or rule.code in COMPARING, costs


def test_a_rule_that_compares_all_with_all_is_noticed() -> None:
    def pairs(n: int) -> int:
        return sum(a is b for a in range(n) for b in range(n))

    assert steps(lambda: pairs(2 * SIZE)) > MOST * steps(lambda: pairs(SIZE)) + FEW


def test_a_profile_names_every_rule_and_stage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(written(SHAPES["classes"](20), tmp_path))
    assert main(["lint", "--profile", path]) == 0
    told = [line.partition(" ms  ")[2] for line in capsys.readouterr().err.splitlines()]
    assert told[:6] == [
        "read manifests",
        "compile and relate",
        "search other worlds",
        "load policies",
        "apply rules",
        "test fixes",
    ]
    assert sorted(told[6:]) == sorted(code for code, rule in RULES.items() if rule.default)
