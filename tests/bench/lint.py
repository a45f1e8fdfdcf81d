"""The lint of all classes of the packaged modules, against what people run on them today."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, rmtree, which
from time import perf_counter

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.session.inputs import graph_of, load_catalogs
from analyzer.session.lint.profile import profiled
from analyzer.session.lint.read import read
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import lint_inputs
from tests.linter.shapes import SHAPES, written
from tests.oracle.facts import debian_11
from tests.oracle.harness import MODULES

from .frontend import manifests
from .measure import CONSOLE_SCRIPT, ENVIRONMENT, Absent, Row, cpu, cpu_of_children, take_turns


def lint_of_modules() -> Iterator[Row]:
    """From files to findings, fixes not tried, with the cache of parsed manifests.

    The others look at the same files one by one: for syntax, and for style.
    """
    tools = {"puppet parser validate": which("puppet"), "puppet-lint": which("puppet-lint")}
    absent = [name for name, path in tools.items() if path is None]
    if absent:
        raise Absent(f"no command {absent[0].split()[0]}; on Debian: apt-get install puppet-lint")
    files = sorted(manifests())
    modules = sorted(str(folder) for folder in MODULES.glob("*"))
    with tempfile.TemporaryDirectory() as place:
        facts = Path(place) / "facts.json"
        facts.write_text(json.dumps(debian_11()))
        settings = Settings(facts=(str(facts),), modulepath=(str(MODULES),))

        def our_side() -> object:
            request = Request(tuple(modules), settings_for=lambda path: settings, fixes=False)
            return lint_inputs(request).results

        our_side()
        (mine,) = take_turns(1, cpu(our_side))
    yield from (
        Row(f"lint {len(files):,} manifests, cached", mine, name, children(words, files), aim)
        for name, words, aim in (
            ("puppet parser validate", ["puppet", "parser", "validate"], 2),
            ("puppet-lint", ["puppet-lint"], 0.5),
        )
    )


def children(words: list[str], files: list[str]) -> float:
    """CPU milliseconds of a command that is given all of the files."""
    return cpu_of_children(
        lambda: subprocess.run(
            [*words, *files],
            env=ENVIRONMENT,
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    )


def lint_by_rule() -> Iterator[Row]:
    """Classes of 5,000 resources in one manifest: all of it, then each rule, against `cycles`."""
    with tempfile.TemporaryDirectory() as place:
        path = str(written(SHAPES["classes"](5_000), Path(place)))
        graph_of(load_catalogs(path, Settings())[0])
        (cycles,) = take_turns(
            3, cpu(lambda: graph_of(load_catalogs(path, Settings())[0]).has_cycle)
        )
        _, stages, rules = profiled(read(Request((path,))))
    yield Row("lint 5,000 resources", sum(stages.values()) * 1000, "cycles", cycles, 25)
    for code, seconds in rules.items():
        yield Row(f"lint 5,000 resources, {code}", seconds * 1000, "cycles", cycles, 1)


# Modules that are looked at again.
SOME = 12


def lint_again() -> Iterator[Row]:
    """Whole processes over a folder of modules: nothing kept yet, all kept, one file changed."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "modules")
        for module in sorted(MODULES.glob("*"))[:SOME]:
            copytree(module, folder / module.name)
        cache = {**ENVIRONMENT, "XDG_CACHE_HOME": str(Path(place, "cache"))}

        def look() -> float:
            command = [str(CONSOLE_SCRIPT), "lint", str(folder), "--jobs", "1"]
            nowhere = subprocess.DEVNULL
            return cpu_of_children(
                lambda: subprocess.run(
                    command, env=cache, check=False, stdout=nowhere, stderr=nowhere
                )
            )

        first, again = look(), look()
        file = next(folder.glob("*/manifests/init.pp"))
        file.write_text(file.read_text() + "# changed\n")
        changed = look()
    yield Row(f"lint {SOME} modules again", again, "the first time", first, 0.1)
    yield Row(f"lint {SOME} modules, one file changed", changed, "the first time", first, 0.2)


def lint_of_a_control_repo() -> Iterator[Row]:
    """Whole processes over a site with all packaged modules, and a node for each.

    All processes begin with nothing kept, except those that look again.
    """
    with tempfile.TemporaryDirectory() as place:
        repo, cache = control_repo(Path(place, "repo")), Path(place, "cache")
        environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(cache)}

        def look(jobs: int) -> None:
            command = [str(CONSOLE_SCRIPT), "lint", ".", "--include-vendored", "--jobs", str(jobs)]
            subprocess.run(command, cwd=repo, env=environment, check=False, capture_output=True)

        def first(jobs: int) -> float:
            rmtree(cache, ignore_errors=True)
            begun = perf_counter()
            look(jobs)
            return (perf_counter() - begun) * 1000

        two, one = take_turns(2, lambda: first(2), lambda: first(1))
        yield Row("lint a control repo, --jobs 2", two, "--jobs 1", one, 0.56)
        rmtree(cache)
        alone, again = (cpu_of_children(lambda: look(1)) for _ in range(2))
        yield Row("lint a control repo again", again, "the first time", alone, 0.1)
        for name in ("ntp/manifests/init.pp", "stdlib/manifests/init.pp"):
            file = repo / "modules" / name
            file.write_text(file.read_text() + "# changed\n")
            changed = cpu_of_children(lambda: look(1))
            row = f"lint a control repo, {name.partition('/')[0]} changed"
            yield Row(row, changed, "the first time", alone, 0.1)


def control_repo(folder: Path) -> Path:
    """Write a site with all packaged modules, and a node for each; return its folder."""
    modules = folder / "modules"
    copytree(MODULES, modules, symlinks=False, ignore_dangling_symlinks=True)
    (folder / "environment.conf").touch()
    (folder / "manifests").mkdir()
    names = [file.parts[-3] for file in sorted(modules.glob("*/manifests/init.pp"))]
    nodes = "".join(f"node '{name}' {{ include {name} }}\n" for name in names)
    (folder / "manifests" / "site.pp").write_text(nodes)
    return folder


ROWS = (lint_of_modules, lint_by_rule, lint_again, lint_of_a_control_repo)
