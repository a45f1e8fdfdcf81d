"""The search for worlds, and the smallest conditions, on programs that are tables."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pickle import dumps, loads
from random import Random

import pytest

from analyzer.frontends.puppet.worlds.conditions import Conjunct, condition_of
from analyzer.frontends.puppet.worlds.exploration import NO_VALUE, STOPPED
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer
from analyzer.frontends.puppet.worlds.outcomes import EVERYWHERE, Place
from analyzer.frontends.puppet.worlds.tests import ABSENT, Value
from analyzer.frontends.puppet.worlds.world import World, put, value_at
from tests.amount import examples

SYSTEMS = {
    "debian": {"os": {"family": "Debian", "name": "Debian"}},
    "ubuntu": {"os": {"family": "Debian", "name": "Ubuntu"}},
    "rocky": {"os": {"family": "RedHat", "name": "Rocky"}},
}

Test = Callable[[Value], bool]


@dataclass(frozen=True)
class Ran:
    taken: Mapping[Place, frozenset[int]]
    bug: bool
    refused: bool = False
    fault: tuple[Place, ...] = ()

    @property
    def behaviour(self) -> object:
        return tuple(sorted((place, tuple(arms)) for place, arms in self.taken.items()))


class Program:
    """A chain of nested `if`s, one for each input; the innermost hides a bug."""

    def __init__(self, tests: Mapping[str, tuple[Test, tuple[Value, ...]]]) -> None:
        self.tests = tests
        self.runs = 0

    def value_in(self, world: World, name: str) -> Value:
        if name in world.values:
            return world.values[name]
        return value_at({"facts": SYSTEMS[world.system]}, name)

    def run(self, world: World) -> Ran:
        self.runs += 1
        taken: dict[Place, frozenset[int]] = {}
        for number, (name, (test, _)) in enumerate(self.tests.items()):
            holds = test(self.value_in(world, name))
            taken["p", number] = frozenset({0 if holds else 1})
            if not holds:
                return Ran(taken, bug=False)
        return Ran(taken, bug=True)

    def has_bug(self, world: World) -> bool:
        return self.run(world).bug

    def is_own(self, place: Place) -> bool:
        return True

    def classes_at(self, place: Place, name: str, value: Value) -> object:
        return repr(value)

    def asked_at(self, place: Place) -> Mapping[str, Sequence[Value]]:
        if place == EVERYWHERE:
            return {}
        name, (_, values) = list(self.tests.items())[place[1]]
        return {name: values}

    def names_at(self, place: Place) -> Sequence[tuple[str, Sequence[Value] | None]]:
        return []

    def learn(self, world: World, places: Collection[Place]) -> bool:
        return False

    def systems_with(self, name: str, value: Value) -> Iterable[str]:
        return [s for s in SYSTEMS if self.value_in(World(s), name) == value]

    def explorer(self, budget: Budget) -> Explorer:
        arms = {("p", number): 2 for number in range(len(self.tests))}
        return Explorer(arms, self.run, self, budget)

    def asked(self) -> dict[str, tuple[Value, ...]]:
        return {name: values for name, (_, values) in self.tests.items()}


def is_value(wanted: Value) -> tuple[Test, tuple[Value, ...]]:
    return (lambda value: value == wanted), (wanted, ABSENT)


def above(limit: int) -> tuple[Test, tuple[Value, ...]]:
    def test(value: Value) -> bool:
        return isinstance(value, int) and value > limit

    return test, (limit, limit - 1, limit + 1, ABSENT)


INPUTS: dict[str, tuple[tuple[Test, tuple[Value, ...]], str]] = {
    "facts.os.family": (is_value("RedHat"), "facts.os.family is 'RedHat'"),
    "facts.os.name": (is_value("Rocky"), "facts.os.name is 'Rocky'"),
    "role": (is_value("web"), "$role is 'web'"),
    "app::purge": (is_value(True), "$app::purge is true"),
    "app::size": (above(256), "$app::size > 256"),
    "trusted.extensions.pp_zone": (is_value("dmz"), "trusted.extensions.pp_zone is 'dmz'"),
}


def test_conditions_of_every_depth() -> None:
    for seed in range(examples(60)):
        random = Random(seed)
        names = random.sample(sorted(INPUTS), random.randint(1, 4))
        if {"facts.os.family", "facts.os.name"} <= set(names):
            continue
        program = Program({name: INPUTS[name][0] for name in names})
        explorer = program.explorer(Budget())
        found = explorer.explore(["debian"])
        witness = next(world for world, _ in found.worlds if program.has_bug(world))
        systems = list(SYSTEMS)
        _, condition = condition_of(
            witness, program.has_bug, program.asked(), systems, program.value_in
        )
        assert sorted(map(str, condition)) == sorted(INPUTS[name][1] for name in names), seed
        assert found.exhausted
        assert not found.never(explorer.arms)


def test_what_always_holds_has_no_condition() -> None:
    program = Program({"role": ((lambda value: True), ("web", ABSENT))})
    witness, condition = condition_of(
        World("debian", {"role": "web"}),
        program.has_bug,
        program.asked(),
        list(SYSTEMS),
        program.value_in,
    )
    assert (witness, condition) == (World("debian"), ())


def test_real_systems_come_first() -> None:
    program = Program({"facts.os.family": is_value("RedHat")})
    worlds = program.explorer(Budget()).explore(["debian"]).worlds
    assert [world for world, _ in worlds] == [World("debian"), World("rocky")]


def test_a_budget_ends_the_search() -> None:
    program = Program({name: test for name, (test, _) in INPUTS.items()})
    explorer = program.explorer(Budget(worlds=2))
    found = explorer.explore(["debian"])
    assert found.runs == 2
    assert not found.exhausted
    assert {one.reason for one in found.never(explorer.arms)} == {STOPPED}


def test_the_cpu_time_of_all_searches_ends_one() -> None:
    program = Program({name: test for name, (test, _) in INPUTS.items()})
    explorer = program.explorer(Budget())
    explorer.start([World("debian")])
    explorer.cpu_end = 0.0
    found = explorer.explore(["rocky"])
    assert (found.runs, found.exhausted) == (1, False)


def test_an_arm_that_nothing_leads_to() -> None:
    program = Program({"role": ((lambda value: False), ("web", ABSENT))})
    explorer = program.explorer(Budget())
    found = explorer.explore(["debian"])
    assert [(one.arm, one.reason) for one in found.never(explorer.arms)] == [(0, NO_VALUE)]


class Refused(Program):
    """A program whose every world ends in an error that no input can mend."""

    FAULT = (("q", 0), ("q", 1))

    def run(self, world: World) -> Ran:
        ran = super().run(world)
        fault = ("q", int(self.value_in(world, "app::q0") is True))
        taken = {**ran.taken, **{place: frozenset({0}) for place in self.FAULT}}
        return Ran(taken, ran.bug, refused=True, fault=(fault,))

    def asked_at(self, place: Place) -> Mapping[str, Sequence[Value]]:
        if place not in self.FAULT:
            return super().asked_at(place)
        return {f"app::q{number}": (True, False, "x", "y", ABSENT) for number in range(6)}


def test_an_error_that_cannot_be_mended_leaves_budget_for_the_rest() -> None:
    program = Refused({name: INPUTS[name][0] for name in ("role", "app::size", "facts.os.family")})
    found = program.explorer(Budget(worlds=24)).explore(["debian"])
    assert any(program.has_bug(world) for world, _ in found.worlds)


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("a.b", 1, {"a": {"b": 1, "c": 2}}),
        ("a", ABSENT, {}),
        ("a.c", ABSENT, {"a": {}}),
        ("x.y", True, {"a": {"c": 2}, "x": {"y": True}}),
    ],
)
def test_put(path: str, value: Value, expected: object) -> None:
    assert put({"a": {"c": 2}}, path, value) == expected


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"m": True, 1: [None, 2.0]}, "$a is {'m' => true, 1 => [undef, 2.0]}"),
        ("it's", r"$a is 'it\'s'"),
        ("true", "$a is 'true'"),
        ([], "$a is []"),
        (ABSENT, "$a is not given"),
    ],
)
def test_values_are_shown_as_puppet_writes_them(value: Value, words: str) -> None:
    assert str(Conjunct("a", "is", value)) == words


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: loads(dumps(one))])
def test_a_copy_of_what_is_absent_is_itself(again: Callable[[Value], Value]) -> None:
    """Conditions from another process are compared with those of this one."""
    assert again({"a": ABSENT})["a"] is ABSENT
