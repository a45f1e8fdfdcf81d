"""What a real cf-agent does with the examples of the rules about policies (`agent_runs.json`).

`python -m tests.linter.agent_runs` records it anew: for each example what the agent says - reports,
errors, quoted output - and, where its log can be followed, each look at a promise.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer.diagnostics import Finding, InputError
from analyzer.frontends.cfengine.agent.loading import load_policy
from analyzer.frontends.cfengine.policy.sites import Site
from analyzer.linter.docs import Example
from analyzer.linter.policies import PolicyRun
from analyzer.linter.policy_files import load_all
from analyzer.linter.promises import guard_place, ref_of
from analyzer.linter.registry import all_rules
from analyzer.linter.run import apply
from analyzer.linter.texts import read
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import lint_inputs
from analyzer.source import Span
from tests.frontends.cfengine.agent_log import Fold
from tests.frontends.cfengine.live import HOW_TO_INSTALL, MASTERFILES
from tests.frontends.cfengine.promises import installed
from tests.frontends.cfengine.runs import (
    FIELDS,
    NotValid,
    check_harmless,
    random_run,
    run_agent,
)
from tests.frontends.cfengine.test_reach import too_late

RECORD = Path(__file__).parent / "agent_runs.json"
SAID = re.compile(r"^\s*(R: .*|error: .*|notice: Q: .*)$", re.MULTILINE)
# Their examples name files that are not there, in the good case too.
UNRUN = ("CG506",)
RANDOM_RUNS = 40
# Rules that say of a promise that it is never begun.
NEVER = ("CG511", "CG512", "CG513", "CG514", "CG523", "CG525", "CG533")

Row = dict[str, Any]


def examples() -> Iterator[tuple[str, Example]]:
    """The examples in the language of policies, by code, kind and number."""
    for code, rule in all_rules().items():
        for kind, found in (("bad", rule.docs.bad), ("good", rule.docs.good)):
            for number, example in enumerate(found, 1):
                if example.language == "cfengine" and code not in UNRUN:
                    yield f"{code} {kind} {number}", example


def run(example: Example) -> Row:
    """What the agent does with an example."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.cf"
        path.write_text(example.text, encoding="utf-8")
        work = Path(folder) / "work"
        try:
            check_harmless(path)
            log = run_agent(path, work)
        except NotValid:
            return {"said": ["FAILSAFE"], "looks": None}
        except InputError:
            # What we refuse is not run: `cf-promises` says whether the agent refuses it too.
            return {"said": ["refused" if is_refused(path, work) else "accepted"], "looks": None}
        made = ["made"] if (work / "made").exists() else []
        said = made + [line.replace(str(work), "WORK") for line in SAID.findall(log)]
        return {"said": list(dict.fromkeys(said)), "looks": looks(path, log)}


def is_refused(path: Path, work: Path) -> bool:
    """Whether `cf-promises` refuses a policy, as an agent does before it runs one."""
    for folder in ("inputs", "state"):
        (work / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    path.chmod(0o600)
    words = ["cf-promises", "-c", "--eval-functions=no", "-w", str(work), "-f", str(path)]
    environment = dict(os.environ, CFENGINE_TEST_OVERRIDE_WORKDIR=str(work), LC_ALL="C")
    return subprocess.run(words, capture_output=True, check=False, env=environment).returncode != 0


def looks(path: Path, log: str) -> list[list[Any]] | None:
    """Each look at a promise, None where the log does not tell."""
    try:
        rows = Fold(load_policy(str(path))).run(log)
    except (AssertionError, IndexError):
        return None
    return [[row[field] for field in FIELDS] for row in rows]


def recorded() -> dict[str, Row]:
    found: dict[str, Row] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def record() -> None:
    rows = [f" {json.dumps(name)}: {json.dumps(run(example))}" for name, example in examples()]
    RECORD.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def compare_examples() -> Iterator[str]:
    """The examples with which the agent does now something else than is recorded."""
    known = recorded()
    for name, example in examples():
        if run(example) != known.get(name):
            yield f"example {name}"


def begun_all_the_same(path: Path, rows: list[list[Any]]) -> list[str]:
    """The promises of a policy that rules say are never begun, and an agent did begin."""
    policy = PolicyRun(str(path), load_all(str(path), read), text_of=read)
    places = {(row[0], row[1], row[2]) for row in rows if row[-1] not in ("skipped", "not_set")}
    begun = [s for s in policy.sites.all if (s.bundle.name, s.type, s.promise.line) in places]
    found = [
        one.finding
        for code in NEVER
        for one in apply(all_rules()[code], policy)
        if one.finding.span is not None
    ]
    return [
        f"{finding.code} {site.promise.line} {ref_of(site)}"
        for finding in found
        for site in begun
        if finding.refs[0] == ref_of(site) and finding.span == blamed(policy, site, finding)
    ]


def blamed(policy: PolicyRun, site: Site, finding: Finding) -> Span | None:
    """The place of a finding, if it is that of a promise, of its guard, or within it."""
    last = max([site.promise.line, *(a.line for a in site.promise.attributes)])
    line = finding.span.line if finding.span else 0
    own = site.promise.span.line <= line <= last or finding.span == guard_place(policy, site)
    return finding.span if own else None


def compare_best(count: int) -> Iterator[str]:
    """Random policies of which an agent keeps something before it seemed possible, or at all
    though it should never."""
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            found = random_run(seed, Path(folder))
            path = Path(folder) / f"{seed}.cf"
            if found and too_late(path, found[0][0]):
                yield f"random run {seed}"
            for words in begun_all_the_same(path, found[0][0]) if found else ():
                yield f"random run {seed}: {words}"


def sweep() -> Counter[str]:
    """What is found in the packaged policies, by code."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(MASTERFILES, Path(folder) / "masterfiles")
        findings = lint_inputs(Request((folder,), fixes=False)).results.findings
    return Counter(finding.code for finding in findings)


def live(count: int = RANDOM_RUNS) -> int:
    """Print what differs; 1 if anything does."""
    if not installed():
        print(f"skipped: {HOW_TO_INSTALL}")
        return 0
    found, chance = list(compare_examples()), list(compare_best(count))
    for line in found + chance:
        print(f"differs: {line}")
    print(f"rules for policies: {len(recorded())} examples, {len(found)} differ; ", end="")
    print(f"{count} random runs, {len(chance)} differ")
    print(f"    in the packaged policies: {dict(sorted(sweep().items()))}")
    return int(bool(found or chance))


if __name__ == "__main__":
    record()
