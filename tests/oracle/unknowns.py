"""A sweep of the packaged modules with what is not known: no compile may end in our own error.

Each class is compiled without facts; with half of the facts taken away or made Unknown, at any
depth; and with some of its parameters made Unknown, by the classifier.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from analyzer.export.catalog_json import to_json
from analyzer.export.graph.view import build_view
from analyzer.export.page import html_page
from analyzer.frontends.puppet.compile import DEEPEST
from analyzer.frontends.puppet.compiler import recovery
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.results.catalog import to_catalog
from analyzer.frontends.puppet.compiler.results.record import record_of
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.machine import STRICT
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.registry import all_rules
from analyzer.model.catalog import Catalog
from analyzer.model.statements import Record
from analyzer.model.values import Sensitive, Unknown

from .classes import packaged_classes, sets_of_facts
from .facts import Facts
from .harness import MODULES

SHOWN = 20

# Of so many catalogs one is used for more. It has no factor in common with the number of kinds.
EVERY = 7


@dataclass(frozen=True, slots=True)
class Case:
    """A class to compile: with these facts, and these parameters given to it.

    A catalog that is `used` is looked at by the rules, too, and written in every format.
    """

    kind: str
    name: str
    facts: Facts | None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    used: bool = False


@dataclass(slots=True)
class Sweep:
    """What became of the compiles, by kind; `failed` has our own errors with the first trace."""

    ends: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    traces: dict[str, tuple[Case, str]] = field(default_factory=dict)

    def add(self, case: Case, error: Exception | None) -> None:
        """Count one compile."""
        if error is None or isinstance(error, (EvaluationError, ParseError)):
            self.ends[f"{case.kind}: {'a catalog' if error is None else 'refused'}"] += 1
            return
        last = traceback.extract_tb(error.__traceback__)[-1]
        cause = f"{type(error).__name__} in {Path(last.filename).name} {last.name}: {error}"
        self.ends[f"{case.kind}: our own error"] += 1
        self.failed[cause] += 1
        text = "".join(traceback.format_exception(error))
        self.traces.setdefault(cause, (case, text))

    def lines(self) -> Iterator[str]:
        """The figures."""
        yield f"unknowns: {sum(self.ends.values())} compiles, {sum(self.failed.values())} failed"
        yield from (f"    {number:6} {end}" for end, number in sorted(self.ends.items()))
        yield from (f"    {number:6} {cause}" for cause, number in self.failed.most_common(SHOWN))


def cases(facts: Path | None, seed: int, compiles: int) -> Iterator[Case]:
    """Yield so many cases, in a random order, that every class and kind has its share."""
    random = Random(seed)
    classes, sets = packaged_classes(), list(sets_of_facts(facts).values())
    done = 0
    while done < compiles:
        for name in random.sample(classes, len(classes)):
            whole = random.choice(sets)
            yield Case("no facts", name, None)
            yield Case("half of the facts", name, thinned(whole, random, None))
            yield Case("half of the facts Unknown", name, thinned(whole, random, LOST))
            yield Case("parameters Unknown", name, whole, {"*": random.random()})
            done += 4
            if done >= compiles:
                return


LOST = Unknown("it is one of those left out")


def thinned(value: Any, random: Random, instead: Unknown | None, depth: int = 0) -> Any:
    """Return data with some parts left out, or another value in their place."""
    if not isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for key, one in value.items():
        if random.random() >= (0.3 if depth else 0.5):
            found[key] = thinned(one, random, instead, depth + 1)
        elif instead is not None:
            found[key] = instead
        elif isinstance(one, dict) and random.random() < 0.5:
            found[key] = thinned(one, random, instead, depth + 1)
    return found


def unknown_parameters(known: DefinitionTable, name: str, random: Random) -> dict[str, Any]:
    """Return Unknown values for some parameters of a class, whole or inside of other values."""
    definition = known.find("class", name)
    forms = (LOST, LOST, LOST.as_text(), [LOST], {"a": LOST}, Sensitive(LOST), {LOST: 1})
    parameters = definition.node.parameters if definition is not None else ()
    return {p.name: random.choice(forms) for p in parameters if random.random() < 0.5}


def sweep(facts: Path | None, compiles: int, seed: int) -> Sweep:
    """Compile."""
    found = Sweep()
    deepest = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEPEST)
    known = DefinitionTable([str(MODULES)], "warning")
    is_internal, recovery.is_internal = recovery.is_internal, is_none_of_ours
    try:
        for number, case in enumerate(cases(facts, seed, compiles)):
            if sys.stderr.isatty():
                print(f"\runknowns {number}/{compiles} ", end="", file=sys.stderr, flush=True)
            found.add(case, outcome(known, replace(case, used=number % EVERY == 0)))
    finally:
        sys.setrecursionlimit(deepest)
        recovery.is_internal = is_internal
    return found


def is_none_of_ours(error: BaseException | None) -> bool:
    """Tell of every error that it ends the compile: here a fault of our own is to be seen."""
    return False


def outcome(known: DefinitionTable, case: Case) -> Exception | None:
    """Return the error of a compile, the catalog or its graph, None if there is none."""
    known.programs.clear()
    given: dict[str, Any] = {}
    try:
        if case.parameters:
            random = Random(case.parameters["*"])
            given = {case.name: unknown_parameters(known, case.name, random)}
            known.add_program("", "")
        else:
            known.add_program(f"include {case.name}\n", "")
        inputs = CompileInputs("node.example.com", case.facts, classes=given or None, lenient=True)
        compilation = Compiler(known, inputs).compile()
        catalog = to_catalog(compilation, "")
        catalog.record = record_of(compilation)
        graph = relate(catalog)
        if case.used:
            use(catalog, graph)
    except Exception as error:
        return error
    return None


def use(catalog: Catalog, graph: RelationshipGraph) -> None:
    """Apply every rule to a catalog, and write it in every format."""
    compiled = Compiled("", graph, catalog.record or Record(), STRICT)
    for rule in all_rules().values():
        if rule.on is Compiled:
            list(rule.check(compiled))
    to_json(catalog)
    view = build_view(graph, "relationships")
    for form in ("dot", "json_doc", "graphml", "mermaid"):
        import_module(f"analyzer.export.graph.{form}").render(view)
    html_page.render(graph, view)


def live(facts: Path | None, compiles: int, seed: int | None = None) -> int:
    """Sweep, print the figures and the first trace of each failure, return 1 if there is any."""
    if not MODULES.is_dir():
        print(f"skipped: there are no modules in {MODULES}")
        return 0
    seed = int(time.time()) if seed is None else seed
    found = sweep(facts, compiles, seed)
    for case, text in list(found.traces.values())[:SHOWN]:
        print(f"\n{case.kind}: include {case.name}\n{text}")
    print("\n".join(found.lines()), flush=True)
    return int(bool(found.failed))
