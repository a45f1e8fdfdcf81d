"""Every safe fix of the packaged modules applied to copies, and what real Puppet says of them then.

`python -m tests.linter.mended [--facts FOLDER] [MODULE...]`: modules by name, by default all. The
fixes are found with one set of facts after the other; the classes of what they change are compiled
with all sets, before and after. A class that Puppet took before and refuses then, or finds a cycle
in, fails. The fixed modules go into `build/mended` with `--keep`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.session.lint.fixes import fix_all
from analyzer.session.lint.request import Request
from tests.oracle.classes import packaged_classes, sets_of_facts
from tests.oracle.facts import Facts
from tests.oracle.harness import MODULES, ROOT, Answer, Question, ask, installed

# What the comparison needs of an answer.
WANTED = {"report": False}


def live(facts: Path | None = None, names: Sequence[str] = (), *, keep: bool = False) -> int:
    """Fix copies of modules, compile them, print the figures, return 1 if anything broke."""
    start = perf_counter()
    sets = sets_of_facts(facts)
    with working_folder(keep) as place:
        copy = place / "modules"
        shutil.copytree(MODULES, copy, symlinks=False, ignore_dangling_symlinks=True)
        done, held = Counter[str](), Counter[str]()
        for name in names or sorted(path.name for path in copy.iterdir()):
            for number, (facts_name, values) in enumerate(sets.items()):
                file = place / f"{number}.json"
                file.write_text(json.dumps(values))
                fixed, left = fix(copy / name, file, copy)
                done[name] += fixed
                held[name] += left
                if fixed or left:
                    print(f"{name}, {facts_name}: {fixed} applied, {left} held", file=sys.stderr)
        changed = [name for name, count in done.items() if count]
        broken = compared(changed, sets, copy)
    print(
        f"fixes of {len(done)} modules: {done.total()} applied in {len(changed)} modules, "
        f"{held.total()} unsafe ones held, {perf_counter() - start:.0f} s"
    )
    return broken


@contextmanager
def working_folder(keep: bool) -> Iterator[Path]:
    """A folder to work in; one that stays is made anew."""
    if not keep:
        with tempfile.TemporaryDirectory() as made:
            yield Path(made)
        return
    kept = ROOT / "build" / "mended"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    yield kept


def fix(module: Path, facts: Path, modules: Path) -> tuple[int, int]:
    """Write the safe fixes of a module, and return how many those are and how many were held."""
    settings = Settings(facts=(str(facts),), modulepath=(str(modules),))
    mended = fix_all(Request((str(module),), settings_for=lambda path: settings))
    for file, text in mended.texts.items():
        Path(file).write_bytes(text.encode())
    return len(mended.findings), mended.held


def compared(changed: Sequence[str], sets: dict[str, Facts], copy: Path) -> int:
    """Compile the classes of changed modules before and after, return 1 if one was broken."""
    count = fine = broken = 0
    for facts_name, values in sets.items():
        classes = [one for one in packaged_classes(copy) if one.partition("::")[0] in set(changed)]
        sides = [list(ask(questions(classes, values, side))) for side in (MODULES, copy)]
        for name, before, after in zip(classes, *sides, strict=True):
            count += 1
            fine += is_ok(before)
            if is_ok(before) and not is_ok(after):
                broken += 1
                why = after.get("error") or f"cycle: {after.get('cycles')}"
                print(f"    broken: {name} with {facts_name}: {why}")
    print(f"{count} classes compiled before and after, {fine} were fine, {broken} broken")
    return int(broken > 0)


def questions(classes: Sequence[str], facts: Facts, modules: Path) -> list[Question]:
    """Return the questions about classes, each included alone."""
    common = {"modulepath": [str(modules)], "facts": facts, **WANTED}
    return [{"id": name, "code": f"include {name}", **common} for name in classes]


def is_ok(answer: Answer) -> bool:
    """Tell whether Puppet would apply the catalog."""
    return bool(answer.get("ok")) and not answer.get("cycles")


def main(words: list[str]) -> int:
    """Sweep as the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m tests.linter.mended", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--facts", type=Path)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args(words)
    if installed() is None:
        print("skipped: no Puppet here")
        return 0
    return live(options.facts, options.modules, keep=options.keep)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
