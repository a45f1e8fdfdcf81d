"""A sweep of the lint over the packaged modules: no traceback, and how often each rule finds.

`python -m tests.linter.live [FOLDER...]`: modules, by default the packaged ones. `--findings`
prints what is found, `--no-fixes` tries none.
"""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.graph.findings import finding_text
from analyzer.linter.registry import all_rules
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import lint_inputs
from tests.oracle.facts import debian_11
from tests.oracle.harness import MODULES


def live(folders: Sequence[Path] = (), *, fixes: bool = True, findings: bool = False) -> int:
    """Lint module by module, print the figures, return 1 if anything went wrong."""
    folders = folders or sorted(MODULES.glob("*"))
    found: list[Finding] = []
    failed, start = 0, perf_counter()
    with tempfile.TemporaryDirectory() as place:
        facts = Path(place) / "facts.json"
        facts.write_text(json.dumps(debian_11()))
        settings = Settings(facts=(str(facts),), modulepath=(str(MODULES),))
        for number, folder in enumerate(folders, 1):
            if sys.stderr.isatty():
                print(f"\rlint {number}/{len(folders)} ", end="", file=sys.stderr, flush=True)
            request = Request((str(folder),), settings_for=lambda path: settings, fixes=fixes)
            try:
                found += lint_inputs(request).results.findings
            except Exception:
                failed += 1
                print(f"{folder}:\n{traceback.format_exc()}")
    print(f"lint of {len(folders)} modules: {perf_counter() - start:.0f} s, {failed} failed")
    show(found)
    failed += sum(one.code == "CG205" for one in found)
    if findings:
        print("\n".join(finding_text(one) for one in found))
    return int(failed > 0)


def show(found: Sequence[Finding]) -> None:
    """Print how often each rule finds something, and how often it has a fix that works."""
    counts = Counter(one.code for one in found)
    fixed = Counter(one.code for one in found if one.fixes)
    for code, rule in all_rules().items():
        if rule.default:
            print(f"    {code} {rule.name:28} {counts[code]:5}  with a fix {fixed[code]:4}")


def main(words: list[str]) -> int:
    """Sweep as the arguments say."""
    folders = [Path(word) for word in words if not word.startswith("--")]
    return live(folders, fixes="--no-fixes" not in words, findings="--findings" in words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
