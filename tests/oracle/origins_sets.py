"""The values of a compile, and the set of each: the places that it was computed from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from analyzer.compiles.compile import CompileRun
from analyzer.compiles.plan import plan_of
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.origins.contributors import ANYTHING, Contributor, reach
from analyzer.frontends.puppet.origins.data import DataPlace
from analyzer.frontends.puppet.origins.explanation import Explanation
from analyzer.frontends.puppet.origins.trace import Trace
from analyzer.frontends.puppet.regex.example import examples
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.model.certnames import EXAMPLE_NODE

Place = tuple[str, int]
# The values of a catalog: for each resource its parameters as text.
Values = dict[str, dict[str, str]]
# The arms that constructs took.
Arms = dict[Place, set[int]]
# The key of the gaps of a catalog.
MISSING = "missing"
# Contributors that decide, and are no part of the value itself.
TESTING = frozenset({"condition", "collector", "loop"})
# The texts of one regular expression that a literal may become.
MOST_EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compile: the values of its catalog, the arms taken, and the gaps.

    There are no values if it ended in an error. Puppet also refuses a catalog with `gaps` that were
    not there before: what lacks its target.
    """

    values: Values | None
    taken: Arms
    gaps: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Origins:
    """A set: the places of literals, the facts, and the keys of data by file.

    `anything`: others may be part of it. `tested` and `tested_facts` are those that only tests
    compare with, `of_paths` the facts that only paths of Hiera have. `decisions` are the constructs
    on the way, `aims` the texts that a test on the way may compare with.
    """

    places: frozenset[Place]
    tested: frozenset[Place]
    facts: frozenset[str]
    tested_facts: frozenset[str]
    of_paths: frozenset[str]
    data: frozenset[DataPlace]
    anything: bool
    decisions: frozenset[Place]
    aims: tuple[str, ...]


@dataclass(slots=True)
class Explained:
    """An explained compile, with the contributors of each decision."""

    explanation: Explanation
    decisions: dict[Place, frozenset[Contributor]]
    # The name of the node, and what collectors may ask for.
    name: str = EXAMPLE_NODE
    tags: tuple[str, ...] = ()
    aims: dict[Contributor, tuple[str, ...]] = field(default_factory=dict)


def compiled(path: str, settings: Settings) -> Compiled:
    """Return the values of the catalog and the arms taken; no values if it does not compile."""
    watcher = Watcher()
    try:
        (result,) = CompileRun(plan_of(path, settings, watcher)).results()
    except (CompileError, InputError):
        return Compiled(None, watcher.taken)
    if result.catalog is None or result.error is not None:
        return Compiled(None, watcher.taken)
    values = {
        str(one.ref): {name: repr(value) for name, value in one.parameters.items()}
        for one in result.catalog.resources
    }
    # What lacks its target: Puppet refuses it.
    record = result.catalog.record
    missing = [str(one.ref) for one in record.missing] if record is not None else []
    gaps = [*map(str, result.catalog.gaps), *missing]
    values[MISSING] = dict.fromkeys(gaps, "")
    return Compiled(values, watcher.taken, frozenset(gaps))


def explained(path: str, settings: Settings) -> Explained | None:
    """Return the explained compile of the only target; None if it does not compile."""
    trace = Trace(whole=True)
    (result,) = CompileRun(plan_of(path, settings, Watcher(trace))).results(save=False)
    if result.catalog is None or result.error is not None:
        return None
    decisions = {place: frozenset(tested) for place, tested in trace.decisions.items()}
    explanation = Explanation(trace)
    tags = (tag for entry in explanation.entries() for tag in (*entry.tags, entry.title))
    name = settings.node or EXAMPLE_NODE
    return Explained(explanation, decisions, name, tuple(dict.fromkeys(tags)))


def sets_of(node: Explained, values: Values) -> dict[tuple[str, str], Origins]:
    """Return the set of each value; a resource itself has an empty name."""
    found, explanation = {}, node.explanation
    for ref in values:
        entry = explanation.find(ref)
        if entry is None:
            continue
        presence = explanation.presence_of(entry)
        others = explanation.others.get(id(entry), [])
        found[ref, ""] = origins_of(node, [presence, *others])
        for name in values[ref]:
            trail = explanation.values.get((id(entry), name))
            own = list(trail.everything()) if trail is not None else []
            found[ref, name] = origins_of(node, [presence, *own])
    return found


def origins_of(node: Explained, several: list[Contributor]) -> Origins:
    """Return the places of a set."""
    every = list(reach(several))
    computed = list(reach(several, TESTING))
    direct = list(reach(several, TESTING | {"data", "lookup"}))
    places, facts = frozenset(literals_among(every)), facts_among(every)
    data = frozenset(
        one.value
        for one in every
        if isinstance(one.value, DataPlace) and one.value.file is not None
    )
    tested = set(every).difference(computed)
    compared = [*(one for one in every if one in tested), *computed]
    compared.sort(key=lambda one: one.kind == "collector")
    return Origins(
        places,
        places - frozenset(literals_among(computed)),
        facts,
        facts - facts_among(computed),
        facts_among(computed) - facts_among(direct),
        data,
        ANYTHING in every,
        frozenset(on_the_way(node, every)),
        tuple(dict.fromkeys(text for one in compared for text in aims_of(node, one))),
    )


def on_the_way(node: Explained, every: list[Contributor]) -> Iterator[Place]:
    """Yield the constructs that decide about a value: all that their tests read is in its set."""
    own = set(every)
    for one in every:
        if one.kind in ("condition", "loop") and one.unit is not None:
            yield one.unit.file, one.offset
    for place, tested in node.decisions.items():
        if tested and tested <= own:
            yield place


def aims_of(node: Explained, one: Contributor) -> tuple[str, ...]:
    """Return the texts that a literal is, or that its regular expression matches."""
    if one not in node.aims:
        value, found = one.value, list[str]()
        if type(value) is a.LiteralRegularExpression:
            found = list(islice(examples(value.pattern), MOST_EXAMPLES))
        elif isinstance(value, a.LiteralString | a.QualifiedName | a.LiteralInteger):
            found = [str(value.value)]
        elif one.kind == "collector":
            found = list(node.tags)
        elif one.kind == "node name":
            found = [node.name]
        node.aims[one] = tuple(found)
    return node.aims[one]


def literals_among(several: Iterable[Contributor]) -> Iterator[Place]:
    """Yield the places of the literals among contributors."""
    for one in several:
        if one.unit is not None and one.kind in ("literal", "node name"):
            yield one.unit.file, one.offset


def facts_among(several: Iterable[Contributor]) -> frozenset[str]:
    """Return the facts among contributors."""
    return frozenset(one.name for one in several if one.kind == "fact")
