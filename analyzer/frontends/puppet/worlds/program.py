"""A node or a class as a program of its inputs: compiled in any world, with the arms it takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compile import CatalogResult
from analyzer.frontends.puppet.compiler.calls.data import LOOKUP
from analyzer.frontends.puppet.compiler.parameters import REQUIRED, unseen_key
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.facts import complete, own_facts, read_facts
from analyzer.frontends.puppet.node.systems import MARK, SYSTEMS
from analyzer.frontends.puppet.node.typical import typical_facts
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.worlds.certain import CertainErrors
from analyzer.frontends.puppet.worlds.expressions import OTHER, distinct
from analyzer.frontends.puppet.worlds.learning import Learner
from analyzer.frontends.puppet.worlds.outcomes import EVERYWHERE, Place
from analyzer.frontends.puppet.worlds.question import Question
from analyzer.frontends.puppet.worlds.questions import Questions
from analyzer.frontends.puppet.worlds.refusals import EXAMPLE, MOST_ASSUMED, errors_of, missing_in
from analyzer.frontends.puppet.worlds.required import (
    completions,
    examples_for,
    filled,
    not_given,
    values_given,
)
from analyzer.frontends.puppet.worlds.tests import ABSENT, Test, Value, fits, same
from analyzer.frontends.puppet.worlds.types import allowed_by, definition_in, values_of
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.frontends.puppet.worlds.world import Facts, World, put, value_at
from analyzer.frontends.puppet.worlds.world_result import WorldResult
from analyzer.model.catalog import Catalog
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.source import Span, place_of

# The systems that are tried before others that fit as well.
USUAL = ("debian-12", "rocky-9", "ubuntu-24.04", "windows-2022", "freebsd-14", "sles-15")
PREFERRED = (*USUAL, *(name for name in SYSTEMS if name not in USUAL))

# Values that a fact has on the usual systems for it to tell them apart.
FEW_SYSTEMS = 2

# Variables that hold other inputs.
WHOLE = frozenset({"facts", "trusted", "environment", "servername", "module_name", "name", "title"})

# Values of parameters that code can test, and that do not hide others.
PLAIN = (str, int, float, list, dict)

NONE_MORE: Mapping[str, Any] = {}

# Compiles with facts (None: all are unknown), trusted extensions and parameters of classes.
Compile = Callable[[Facts | None, Settings], CatalogResult]


class Program:
    """Compiles a node or a class in worlds.

    `questions` are those of its code, which programs share. `own` are the names of modules whose
    classes' parameters are inputs, none for a node. Facts that the user gave are no inputs.
    """

    def __init__(
        self,
        name: str,
        compile_with: Compile,
        questions: Questions,
        watcher: Watcher,
        settings: Settings,
        own: frozenset[str] = frozenset(),
        node: str = EXAMPLE_NODE,
        origin: str = "class",
    ) -> None:
        self.name = name
        self.origin = origin
        self.compile_with = compile_with
        self.known = questions.known
        self.watcher = watcher
        self.settings = settings
        self.own = own
        self.node = node
        self.questions = questions
        self.given = [f for f in settings.facts if not f.startswith(MARK)]
        # Facts of the site itself, which its code cannot do without.
        self.assumed: Facts = {}
        # Whether the user named the class, and it alone.
        self.named = bool(settings.classes)
        # What traced compiles show about constructs.
        self.learner = Learner(None)
        # The errors that are gaps: what compiles in spite of them is searched.
        self.certain: CertainErrors | None = None
        # The parameters that the class itself was compiled with, by system.
        self.bound: dict[str, Facts] = {}
        self._facts: dict[str, Facts] = {}
        self._usual: dict[str, list[Value]] = {}

    @property
    def systems(self) -> Sequence[str]:
        """Return the systems to begin with: those that the user named, else the most usual."""
        named = tuple(f.removeprefix(MARK) for f in self.settings.facts)
        return named or USUAL[:1]

    def facts_of(self, system: str) -> Facts:
        """Return the facts of a system, or of a file that the user gave."""
        if system not in self._facts:
            own = own_facts(self.settings, self.node)
            typical = system not in self.given or f"{MARK}{system}" in self.settings.facts
            if own is None and typical:
                self._facts[system] = typical_facts(system, self.node)
            else:
                self._facts[system] = read_facts(own or system)
        return self._facts[system]

    def facts_in(self, world: World) -> Facts:
        """Return the facts of a world."""
        facts = {**self.assumed, **self.facts_of(world.system)}
        for name, value in world.values.items():
            if "::" not in name and not name.startswith("trusted."):
                facts = put(facts, name.removeprefix("facts."), value)
        given = world.system in self.given
        legacy = self.settings.legacy_facts or not given
        return complete(facts, replace(self.settings, legacy_facts=legacy))

    def settings_in(self, world: World) -> Settings:
        """Return the settings of a world: trusted data and parameters of classes."""
        trusted: Facts = {"trusted": {"extensions": {}, **self.settings.trusted}}
        parameters = dict(self.settings.parameters)
        for name, value in world.values.items():
            if name.startswith("trusted."):
                trusted = put(trusted, name, value)
            elif "::" in name:
                parameters[name] = None if value is ABSENT else value
        return replace(self.settings, trusted=trusted["trusted"], parameters=parameters)

    def run(self, world: World) -> WorldResult:
        """Compile in a world; a variable of the top scope that is not there gets a value."""
        while True:
            ran = self.run_once(world)
            found = self.lacking(world, ran.error)
            if not found or len(self.assumed) >= MOST_ASSUMED:
                return ran
            for name in found:
                self.assumed = put(self.assumed, name, EXAMPLE)

    def may_assume(self, world: World, name: str) -> bool:
        """Return whether a fact is the site's own, and was not given a value yet."""
        root = name.partition(".")[0]
        if root in WHOLE or root in world.values or f"facts.{root}" in world.values:
            return False
        known = value_at(self.facts_of(world.system), root)
        return known is ABSENT and value_at(self.assumed, name) is ABSENT and not self.given

    def needs(self, world: World, facts: Facts, ran: WorldResult) -> bool:
        """Return whether a compile is refused without some of these facts, and lacks no other.

        It needs them like those before it where it evaluates what needed them there.
        """
        if not self.questions.lacking.isdisjoint(file for file, _ in ran.taken):
            return True
        known, self.assumed = self.assumed, {}
        found = self.lacking(world, self.run_once(world).error)
        self.assumed = known
        return bool(found) and all(value_at(facts, name) is not ABSENT for name in found)

    def lacking(self, world: World, error: CompileError | None) -> list[str]:
        """Return the facts of the site that a compile was refused for, to be given a value."""
        missing = list(missing_in(error, self.watcher.texts))
        found = [(name, file) for name, file in missing if self.may_assume(world, name)]
        self.questions.lacking.update(file for _, file in found)
        return [name for name, _ in found]

    def run_once(self, world: World) -> WorldResult:
        """Compile in a world."""
        self.watcher.read()
        made = self.compile_with(self.facts_in(world), self.settings_in(world))
        catalog, error = made.catalog, made.error
        certain = error is None or (self.certain is not None and self.certain.include(error))
        if catalog is None or not certain:
            return self.refused(catalog, error)
        if self.own and not any("::" in name for name in world.values):
            self.bind(world.system, catalog)
        taken = self.watcher.read()
        nobody = REQUIRED, unseen_key(f"{self.name.removeprefix('class ')}::")
        for place in self.at(gap.span for gap in catalog.gaps if gap.reason.startswith(nobody)):
            taken.setdefault(place, frozenset())
        return WorldResult(taken, catalog, None)

    def compile_known(self, parameters: Mapping[str, Any] = NONE_MORE) -> CatalogResult:
        """Compile with further parameters and the facts that the user gave, else unknown ones."""
        facts = self.facts_in(World(self.systems[0])) if self.given else None
        given = {**parameters, **self.settings.parameters}
        return self.compile_with(facts, replace(self.settings, parameters=given))

    def refused(self, catalog: Catalog | None, error: CompileError | None) -> WorldResult:
        """Return the result of a compile with an error, which counts as an arm of its place."""
        taken = self.watcher.read()
        for place in self.at(one.span for one in errors_of(error)):
            taken.setdefault(place, frozenset())
        fault = () if error is None else tuple(self.around(error, taken))
        return WorldResult(taken, catalog, error, fault)

    def bind(self, system: str, catalog: Catalog) -> None:
        """Keep the values that the parameters of the class have on a system."""
        name = self.name.removeprefix("class ")
        given = values_given(name, [catalog]) if system not in self.bound else None
        if given is not None:
            self.bound[system] = {k: v for k, v in given.items() if isinstance(v, PLAIN)}

    def completions(
        self, world: World, ran: WorldResult, others: Iterable[Catalog | None]
    ) -> Iterator[Facts]:
        """Yield choices of values for the required parameters that a world does not have.

        `others` are catalogs of other worlds.
        """
        given, name = {**self.settings.parameters, **world.values}, self.name.removeprefix("class ")
        missing = not_given(self.known, name, given, [ran.catalog, *others]) if self.own else ()
        return completions(self.known, name, missing, self.asked(ran.taken))

    def at(self, spans: Iterable[Span | None]) -> Iterator[Place]:
        """Yield the constructs on lines whose tests did not end, or with no result."""
        for span in filter(None, spans):
            text = self.watcher.texts.get(span.file)
            for offset in self.questions.ends_in(span.file) if text else ():
                place = span.file, offset
                if text and place in self.questions and place_of(text, offset)[0] == span.line:
                    yield place

    def around(self, error: CompileError, taken: Mapping[Place, Any]) -> Iterator[Place]:
        """Yield the constructs that errors are part of, the innermost of each error first."""
        for one in errors_of(error):
            file, place = one.span.file, (one.span.line or 0, one.span.column or 0)
            text = self.watcher.texts.get(file)
            for start, end in sorted(self.questions.ends_in(file).items(), reverse=True):
                reached = text and (file, start) in taken
                if text and reached and place_of(text, start) <= place < place_of(text, end):
                    yield file, start

    def value_in(self, world: World, name: str) -> Value:
        """Return the value of an input in a world, `ABSENT` where it is not there or computed."""
        if name in world.values:
            return world.values[name]
        if name.startswith("trusted."):
            return value_at({"trusted": self.settings.trusted}, name)
        if "::" in name:
            return self.default_of(name, world.system)
        facts = {**self.assumed, **self.facts_of(world.system)}
        return value_at(facts, name.removeprefix("facts."))

    def default_of(self, name: str, system: str = "") -> Value:
        """Return a literal default of a class's parameter, else what it was bound to, or `ABSENT`.

        Without a system, or one where it was not compiled, it is the value of the first one.
        """
        parameter = self.parameter(name)
        value = None if parameter is None else parameter.value
        first = next(iter(self.bound.values()), {})
        bound = self.bound.get(system, first).get(name.rpartition("::")[2], ABSENT)
        return getattr(value, "value", ABSENT) if bound is ABSENT else bound

    def parameter(self, name: str) -> a.Parameter | None:
        """Return the parameter of a class or a defined type by its name, `app::port`."""
        owner, _, last = name.rpartition("::")
        definition = definition_in(self.known, owner)
        found = definition.node.parameters if definition is not None else ()
        return next((one for one in found if one.name == last), None)

    def free(self, name: str) -> bool:
        """Return whether an input is for the explorer to choose."""
        if name.startswith(LOOKUP):
            return bool(self.own) and name not in self.settings.parameters
        if "::" in name:
            mine = self.own and f"class {name.rpartition('::')[0]}" == self.name
            return bool(mine and self.parameter(name)) and name not in self.settings.parameters
        if name.startswith("trusted."):
            return name.startswith("trusted.extensions.")
        if self.given or name.startswith("server_facts") or name in WHOLE:
            return False
        return not isinstance(self.value_in(World(USUAL[0]), name), dict)

    def systems_with(self, name: str, value: Value) -> Iterator[str]:
        """Yield the systems on which an input has a value, the most usual first."""
        if "::" in name or name.startswith("trusted."):
            return
        for system in PREFERRED:
            if same(self.value_in(World(system), name), value):
                yield system

    def values(self, name: str) -> list[Value]:
        """Return values that the type of a parameter allows."""
        parameter = self.parameter(name) if "::" in name else None
        if parameter is None:
            return []
        found = list(values_of(parameter.type_expr, parameter.name))
        return [*found, *filled(parameter, self.known)]

    def examples(self, name: str) -> list[Value]:
        """Return values of the type of a parameter, with a text for types of any text."""
        parameter = self.parameter(name) if "::" in name else None
        if parameter is None:
            return []
        return distinct([*self.values(name), *examples_for(parameter, self.known)])

    def learn(self, world: World, places: Collection[Place]) -> bool:
        """Find out what decides constructs that a world reaches; return whether that is new."""
        return self.learner.learn(self, self.questions, world, places)

    def allowed(self, name: str, values: list[Value]) -> list[Value]:
        """Return the values that an input may have: for a typed parameter not none, unless so."""
        if "::" not in name and not name.startswith("trusted."):
            return self.on_systems(name, values)
        parameter = self.parameter(name) if "::" in name else None
        if parameter is None or parameter.type_expr is None:
            return values
        return allowed_by(parameter.type_expr, values)

    def on_systems(self, name: str, values: list[Value]) -> list[Value]:
        """Return values of a fact with those of the usual systems; it is there if it always is."""
        if name not in self._usual:
            self._usual[name] = [self.value_in(World(system), name) for system in USUAL]
        usual = self._usual[name]
        real = [value for value in usual if value is not ABSENT]
        absent = [ABSENT] if len(real) < len(usual) else []
        values = [value for value in values if value is not ABSENT]
        if len({repr(value) for value in real}) < FEW_SYSTEMS:
            # What all typical systems have alike is not so everywhere.
            alike = bool(values) and all(same(value, one) for value in values for one in real)
            real = [OTHER] if real and alike and isinstance(real[0], str) else []
        return values + real + absent

    def asked(self, taken: Mapping[Place, frozenset[int]]) -> dict[str, list[Value]]:
        """Return the inputs that constructs ask for, with the values to try, and defaults."""
        found: dict[str, list[Value]] = {}
        for place in (EVERYWHERE, *taken):
            for name, values in self.asked_at(place).items():
                found.setdefault(name, []).extend(values)
        for name, values in found.items():
            if "::" in name:
                values.append(self.default_of(name))
        return found

    def asked_at(self, place: Place) -> dict[str, list[Value]]:
        """Return the inputs that a construct asks for, with the values to try.

        For a value that is looked up these are the inputs of Hiera's paths.
        """
        found: dict[str, list[Value]] = {}
        for question in (*self.questions.get(place, ()), *self.learner.questions.get(place, ())):
            if question.naming and self.free(question.input):
                named = self.questions.names.values(self, question)
                found.setdefault(question.input, []).extend(named or ())
            elif self.free(question.input):
                values = found.setdefault(question.input, self.values(question.input))
                values += self.allowed(question.input, list(question.values))
            elif "::" in question.input and place != EVERYWHERE and self.is_looked_up(question):
                for name, values in self.asked_at(EVERYWHERE).items():
                    found.setdefault(name, []).extend(values)
        return found

    def names_at(self, place: Place) -> list[tuple[str, list[Value] | None]]:
        """Return the inputs of a computed class name with the values to try, None if unknown."""
        asked = (*self.questions.get(place, ()), *self.learner.questions.get(place, ()))
        naming = (one for one in asked if one.naming and self.free(one.input))
        return [(one.input, self.questions.names.values(self, one)) for one in naming]

    def is_looked_up(self, question: Question) -> bool:
        """Return whether Hiera may have the input of a question: not that of a defined type."""
        definition = definition_in(self.known, question.input.rpartition("::")[0])
        return definition is None or definition.kind == "class"

    def is_own(self, place: Place) -> bool:
        """Return whether a construct is in the module of the class that is explored, or none is."""
        return not self.own or place[0].startswith(self.folder)

    @cached_property
    def folder(self) -> str:
        """Return the folder of the module of the class."""
        definition = definition_in(self.known, self.name.removeprefix("class "))
        return "" if definition is None else definition.unit.file.rpartition("manifests/")[0]

    def classes_at(self, place: Place, name: str, value: Value) -> Hashable:
        """Return the results of a construct's tests; without tests each value is its own."""
        if any(q.input == name for q in self.learner.questions.get(place, ())):
            return repr(value)
        tests = [t for q in self.questions.get(place, ()) if q.input == name for t in q.tests]
        return tuple(fits(op, wanted, value) for op, wanted in tests) if tests else repr(value)

    def tests(self, taken: Mapping[Place, frozenset[int]]) -> dict[str, list[Test]]:
        """Return the tests that constructs make of inputs."""
        found: dict[str, list[Test]] = {}
        by_place = self.learner.questions
        for place in taken:
            for question in (*self.questions.get(place, ()), *by_place.get(place, ())):
                found.setdefault(question.input, []).extend(question.tests)
        return found
