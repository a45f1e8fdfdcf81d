"""Random manifests of harmless types, and settings of runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

TYPES = (*("sim",) * 12, *("simmute", "simself", "notify") * 3, "simlost")
OUTCOMES = ("ok", "ok", "change", "change", "change", "fail")
LEVELS = ("debug", "info", "warning", "err", "alert", "crit", "verbose")
TAGS = ("t0", "t1", "t2::part", "sim", "notify", "k0", "k1", "d0", "class")
SCHEDULES = ("never",) * 8 + ("daily", "puppet", "nights") * 4 + ("nowhere",)
METAPARAMETERS = ("require", "subscribe", "before", "notify")
CHANCE_OF_BACK = 0.006


@dataclass(slots=True)
class Thing:
    """A resource of the manifest, or a container, and where it stands."""

    ref: str
    home: str
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return self.ref.partition("[")[0].lower()

    @property
    def title(self) -> str:
        return self.ref.partition("[")[2][1:-2]

    def written(self) -> str:
        parameters = ", ".join(f"{name} => {value}" for name, value in self.parameters.items())
        return f"{self.kind} {{ '{self.title}': {parameters} }}"


def question(seed: int) -> dict[str, Any]:
    """A question to Puppet: a manifest and settings."""
    rng = Random(seed)
    return {"id": seed, "code": "\n".join(manifest(rng)) + "\n", "settings": settings(rng)}


def settings(rng: Random) -> dict[str, Any]:
    """Noop, tags or skip_tags now and then."""
    found: dict[str, Any] = {}
    if rng.random() < 0.2:
        found["noop"] = True
    if rng.random() < 0.15:
        found["tags"] = ",".join(rng.sample(TAGS, rng.randint(1, 3)))
    if rng.random() < 0.1:
        found["skip_tags"] = ",".join(rng.sample(TAGS, rng.randint(1, 2)))
    return found


def manifest(rng: Random) -> Iterator[str]:
    """The lines of a manifest."""
    classes = [f"k{n}" for n in range(rng.randint(0, 3))]
    defines = [f"d{n}" for n in range(rng.randint(0, 2))]
    letters = "abcdefghij"[: rng.randint(2, 9)]
    homes = settled(rng, ["", "", *classes, *defines], len(letters))
    things = [
        Thing(f"{rng.choice(TYPES).capitalize()}['{letter}']", home)
        for letter, home in zip(letters, homes, strict=True)
    ]
    for thing in things:
        thing.parameters = parameters(rng, thing, things)
    containers = [f"Class['{name}']" for name in classes]
    containers += [f"{name.capitalize()}['{name}']" for name in defines]
    relate(rng, things, containers)
    if any(thing.parameters.get("schedule") == "'nights'" for thing in things):
        yield "schedule { 'nights': period => never }"
    for name in classes:
        yield from block(f"class {name}", name, things, nested(rng, name, classes))
    for name in defines:
        yield from block(f"define {name}", name, things, [])
    yield from declared(rng, classes, defines)
    yield from (thing.written() for thing in things if not thing.home)
    yield from arrows(rng, things, containers)


def parameters(rng: Random, thing: Thing, things: list[Thing]) -> dict[str, str]:
    """What a resource does, and its metaparameters but for relationships."""
    found: dict[str, str] = {}
    if thing.kind == "notify":
        if rng.random() < 0.3:
            found["withpath"] = "true"
    else:
        found["outcome"] = rng.choice(OUTCOMES)
        if thing.kind == "simlost" and rng.random() < 0.5:
            found["provider"] = "never"
        if thing.kind in ("sim", "simself") and rng.random() < 0.12:
            found["refresh_outcome"] = "fail"
        if rng.random() < 0.05:
            found["was"] = rng.choice(["'it\\'s'", "7", "true", "absent"])
        same = [t.title for t in things if t.kind == thing.kind and t.title < thing.title]
        if same and rng.random() < 0.15:
            found[f"auto_{rng.choice(('require', 'subscribe'))}"] = f"'{rng.choice(same)}'"
    for name, chance, value in (
        ("noop", 0.08, rng.choice(["true", "false"])),
        ("loglevel", 0.05, rng.choice(LEVELS)),
        ("schedule", 0.05, f"'{rng.choice(SCHEDULES)}'"),
        ("tag", 0.15, f"'{rng.choice(TAGS[:3])}'"),
    ):
        if rng.random() < chance:
            found[name] = value
    return found


def settled(rng: Random, homes: list[str], count: int) -> list[str]:
    """Homes for resources; neighbours mostly share one, so that containers can be ordered."""
    found = [rng.choice(homes)]
    while len(found) < count:
        found.append(found[-1] if rng.random() < 0.6 else rng.choice(homes))
    return found


def relate(rng: Random, things: list[Thing], containers: list[str]) -> None:
    """Give resources relationships, mostly from earlier ones to later ones."""
    for place, thing in enumerate(things):
        for name in METAPARAMETERS:
            if rng.random() > 0.25:
                continue
            ahead = name in ("require", "subscribe")
            others = [t.ref for t in (things[:place] if ahead else things[place + 1 :])]
            others += [c for c in containers if lies(c, things, place, ahead=ahead)]
            if rng.random() < CHANCE_OF_BACK:
                others = [t.ref for t in things if t is not thing]
            if others:
                chosen = rng.sample(others, min(len(others), rng.choice((1, 1, 2, 3))))
                thing.parameters[name] = f"[{', '.join(chosen)}]"


def lies(container: str, things: list[Thing], place: int, *, ahead: bool) -> bool:
    """Tell whether all that is in a container stands before a place, or all after it."""
    places = members(container, things)
    if not places:
        return ahead
    return max(places) < place if ahead else min(places) > place


def members(container: str, things: list[Thing]) -> list[int]:
    """The places of what stands in a container."""
    name = container.partition("[")[2][1:-2]
    return [place for place, thing in enumerate(things) if thing.home == name]


def nested(rng: Random, name: str, classes: list[str]) -> list[str]:
    """The classes that a class includes or contains: later ones, so that there is no ring."""
    later = classes[classes.index(name) + 1 :]
    return [f"{rng.choice(('include', 'contain'))} {c}" for c in later if rng.random() < 0.3]


def block(head: str, name: str, things: list[Thing], first: list[str]) -> Iterator[str]:
    """A class or a define with what stands in it."""
    yield f"{head} {{"
    yield from (f"  {line}" for line in first)
    yield from (f"  {thing.written()}" for thing in things if thing.home == name)
    yield "}"


def declared(rng: Random, classes: list[str], defines: list[str]) -> Iterator[str]:
    """The declarations of containers."""
    staged = rng.choice(classes) if classes and rng.random() < 0.1 else ""
    if staged:
        yield "stage { 'early': before => Stage['main'] }"
        yield f"class {{ '{staged}': stage => 'early' }}"
    for name in classes:
        if name != staged:
            yield f"{rng.choice(('include', 'include', 'contain'))} {name}"
    for name in defines:
        extra = f" noop => {rng.choice(('true', 'false'))}" if rng.random() < 0.1 else ""
        yield f"{name} {{ '{name}':{extra} }}"


def arrows(rng: Random, things: list[Thing], containers: list[str]) -> Iterator[str]:
    """A few arrows between resources and classes."""
    for _ in range(rng.choice((0, 0, 1, 2))):
        place = rng.randrange(len(things))
        after = [t.ref for t in things[place + 1 :]]
        after += [c for c in containers if lies(c, things, place, ahead=False)]
        if after:
            yield f"{things[place].ref} {rng.choice(('->', '~>', '~>'))} {rng.choice(after)}"
    spans = {c: members(c, things) for c in containers}
    spans = {c: places for c, places in spans.items() if places}
    pairs = [(a, b) for a in spans for b in spans if max(spans[a]) < min(spans[b])]
    if pairs and rng.random() < 0.2:
        yield f"{' ~> '.join(rng.choice(pairs))}"
