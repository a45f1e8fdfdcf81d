"""A simulated cf-agent: the three passes over each bundle, without doing what a promise says.

Facts: normal ordering and promise locks as measured with cf-agent 3.21. Commands, files and the
like have the outcomes that are given; a function that needs the machine gives nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from analyzer.frontends.cfengine.actions import Actions
from analyzer.frontends.cfengine.ast import Bundle, Call, ListValue, Promise, Scalar, Value
from analyzer.frontends.cfengine.bodies import flattened
from analyzer.frontends.cfengine.classes import Classes, canonified
from analyzer.frontends.cfengine.events import SKIPPED, UNFINISHED, Aborted, Cause, Event, worse
from analyzer.frontends.cfengine.expressions import names, parsed
from analyzer.frontends.cfengine.outcomes import Outcomes
from analyzer.frontends.cfengine.policy import Policy
from analyzer.frontends.cfengine.sequence import PASSES, in_order
from analyzer.frontends.cfengine.values import Evaluator, iterations, scalars
from analyzer.frontends.cfengine.variables import Content, Key, Scope, references

DEEPEST_CALL = 50
EDITS = ("edit_line", "edit_xml")


@dataclass(slots=True)
class Frame:
    """One call of a bundle: its private classes first, then those it inherits.

    `within` is the calling promise's event, `file` what an edit bundle edits.
    """

    bundle: Bundle
    private: list[set[str]]
    within: int | None = None
    file: str = ""
    depth: int = 1


@dataclass(slots=True)
class Agent:
    """The state of a run; `run` fills `events`."""

    policy: Policy
    outcomes: Outcomes = field(default_factory=Outcomes)
    classes: Classes = field(default_factory=Classes)
    order: str = "running"
    table: dict[Key, Content] = field(default_factory=dict)
    done: set[tuple[object, ...]] = field(default_factory=set)
    handles: dict[str, int | None] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    # The pass as the agent counts it: that of the caller within edit bundles, 0 before the first.
    number: int = 0
    # Which event set a class or variable.
    setters: dict[tuple[str, ...], int] = field(default_factory=dict)
    recording: bool = False
    patterns: dict[str, list[re.Pattern[str]]] = field(default_factory=dict)

    def run(self) -> list[Event]:
        """Evaluate the bundles of the sequence, and return what happened."""
        try:
            self.prepare()
            self.recording = True
            for name, arguments in self.sequence():
                bundle = self.policy.bundle(name, "default", "agent", "common")
                if bundle is None:
                    self.warnings.append(f"bundle {name} of the bundlesequence is not there")
                else:
                    self.call(Frame(bundle, [set()]), arguments, None)
        except Aborted as aborted:
            self.warnings.append(f"the run ends: {aborted}")
        return self.events

    # ---- before the first pass

    def prepare(self) -> None:
        """Settle variables and the classes of common bundles: file by file, then all at once."""
        for tree in self.policy.files:
            self.settle(tree.bundles)
        self.settle([bundle for tree in self.policy.files for bundle in tree.bundles])
        for name in ("abortbundleclasses", "abortclasses"):
            found = [
                text
                for attribute in self.policy.control("agent", name)
                if self.classes.holds(attribute.guard, "default", [])
                for text in scalars(attribute.value)
            ]
            self.patterns[name] = [re.compile(text) for text in found]

    def settle(self, bundles: list[Bundle] | tuple[Bundle, ...]) -> None:
        """Resolve common bundles, then the variables of the others."""
        for common in (True, False):
            for bundle in bundles:
                if (bundle.type == "common") is common:
                    self.resolve(Frame(bundle, [set()]), before=True)

    def resolve(self, frame: Frame, *, before: bool = False) -> None:
        """Evaluate a bundle's variables, for a common bundle also its classes, between passes."""
        kinds = ["vars", "classes", "vars"] if frame.bundle.type == "common" else ["vars"]
        recording, self.recording = self.recording, False
        if before:
            kinds.insert(0, "meta")
        for kind in kinds:
            self.section(frame, kind, self.number)
        self.recording = recording

    def sequence(self) -> list[tuple[str, tuple[Value, ...]]]:
        """Return the bundles of the bundlesequence with their arguments."""
        for attribute in self.policy.control("common", "bundlesequence"):
            if self.classes.holds(attribute.guard, "default", []):
                value = attribute.value
                items = value.items if isinstance(value, ListValue) else (value,)
                return [pair for item in items for pair in self.named_bundles(item)]
        return [("main", ())]

    def named_bundles(self, item: Value) -> list[tuple[str, tuple[Value, ...]]]:
        """Return the bundles that one item of the bundlesequence names."""
        if isinstance(item, Call):
            return [(item.name, item.arguments)]
        scope = Scope(self.table, "default", "", {})
        found = Evaluator(scope, lambda text: None).known(item)
        names = found if isinstance(found, list) else [found]
        return [(name, ()) for name in names if isinstance(name, str)]

    # ---- bundles

    def call(self, frame: Frame, arguments: tuple[Value, ...], caller: Scope | None) -> str:
        """Take the three passes over a bundle, and return its outcome."""
        bundle = frame.bundle
        self.bind(frame, arguments, caller)
        before = self.number
        edits = bundle.type in EDITS
        if caller is not None:
            self.resolve(frame)
        outcome = SKIPPED
        kinds = in_order(bundle.type, [s.type for s in bundle.sections if s.promises], self.order)
        for number in range(1, PASSES + 1):
            if not edits:
                self.number = number
            for kind in kinds:
                outcome = worse(outcome, self.section(frame, kind, number))
                if self.aborted(frame):
                    self.number = before
                    return outcome
                if kind == "classes" and not edits:
                    self.resolve(frame)
                    self.again(frame, "defaults")
        self.number = before
        return outcome

    def again(self, frame: Frame, kind: str) -> None:
        """Evaluate a section once more, between passes."""
        recording, self.recording = self.recording, False
        self.section(frame, kind, self.number)
        self.recording = recording

    def bind(self, frame: Frame, arguments: tuple[Value, ...], caller: Scope | None) -> None:
        """Give a bundle's parameters their values."""
        scope = caller or Scope(self.table, "default", "", {})
        evaluator = Evaluator(scope, lambda text: None)
        for name, argument in zip(frame.bundle.parameters, arguments, strict=False):
            found = evaluator.known(argument)
            if isinstance(found, str | list | dict):
                self.table[frame.bundle.namespace, frame.bundle.name, name] = found

    def aborted(self, frame: Frame) -> bool:
        """Tell whether a class is set that ends the bundle.

        Raises:
            Aborted: one is set that ends the run.
        """
        names = set().union(*frame.private) | {name for _, name in self.classes.soft}
        for name in names if self.patterns.get("abortclasses") else ():
            if any(pattern.fullmatch(name) for pattern in self.patterns["abortclasses"]):
                raise Aborted(f"class {name} is set")
        patterns = self.patterns.get("abortbundleclasses", [])
        return any(pattern.fullmatch(name) for pattern in patterns for name in names)

    def section(self, frame: Frame, kind: str, number: int) -> str:
        """Take one pass over the promises of one type."""
        outcome = SKIPPED
        for section in frame.bundle.sections:
            if section.type == kind:
                for promise in section.promises:
                    outcome = worse(outcome, self.promise(frame, kind, promise, number))
                    if self.recording and any(self.patterns.values()) and self.aborted(frame):
                        return outcome
        return outcome

    # ---- promises

    def promise(self, frame: Frame, kind: str, promise: Promise, number: int) -> str:
        """Look at one promise in one pass: its guard, then each iteration of its lists."""
        bundle = frame.bundle
        start = Event(
            bundle, kind, promise, promise.promiser, number, None, SKIPPED, within=frame.within
        )
        if not self.holds(promise.guard, frame):
            self.record(replace(start, reason="class_guard", detail=promise.guard))
            return SKIPPED
        attributes = flattened(
            promise,
            kind,
            bundle.type,
            bundle.namespace,
            self.policy,
            # In a body the private classes of the bundle are not seen.
            lambda guard: bool(self.classes.holds(guard, bundle.namespace, [])),
        )
        scope = Scope(self.table, bundle.namespace, bundle.name, {"this.bundle": bundle.name})
        values = [Scalar(promise.promiser), *([promise.promisee] if promise.promisee else [])]
        texts = [text for value in [*values, *attributes.values()] for text in scalars(value)]
        if kind in ("vars", "meta", "defaults"):
            scope.special["this.type"] = kind
        look = Look(self, frame, start, attributes)
        outcome = SKIPPED
        for bound in list(iterations(texts, scope)):
            special = {**scope.special, **bound}
            inner = Scope(self.table, bundle.namespace, bundle.name, special)
            outcome = worse(outcome, look.iteration(inner))
        if not look.count and not look.noted:
            self.record(replace(start, reason="no_iteration"))
        return outcome

    def holds(self, text: str, frame: Frame) -> bool | None:
        """Evaluate a class expression as seen from a call of a bundle."""
        return self.classes.holds(text, frame.bundle.namespace, frame.private)

    def missing_allowed(self) -> bool:
        """Tell whether a call of a bundle that is not there is passed over."""
        found = [
            text
            for attribute in self.policy.control("common", "ignore_missing_bundles")
            for text in scalars(attribute.value)
        ]
        return any(text in ("true", "yes", "on") for text in found)

    def class_setter(self, name: str, frame: Frame) -> int | None:
        """Return the event that set a class as it is seen from a call of a bundle."""
        space, colon, plain = name.rpartition(":")
        own = self.setters.get(("class", str(id(frame.private[0])), name))
        shared = (space if colon else frame.bundle.namespace, plain)
        return own if own is not None else self.setters.get(("class", *shared))

    def set_by(self, key: tuple[str, ...], place: int | None) -> None:
        """Remember which event set a class or variable."""
        if place is not None:
            self.setters[key] = place

    def record(self, event: Event) -> int | None:
        """Keep an event, and return its place; between passes none is kept."""
        if not self.recording:
            return None
        self.events.append(event)
        return len(self.events) - 1


class Look:
    """One look at a promise: counts its iterations, and notes if one was not begun."""

    def __init__(
        self, agent: Agent, frame: Frame, start: Event, attributes: dict[str, Value]
    ) -> None:
        self.agent = agent
        self.frame = frame
        self.start = start
        self.attributes = attributes
        self.count = 0
        self.noted = False

    def skip(self, reason: str, detail: str) -> str:
        """Record that an iteration is not begun."""
        self.noted = True
        self.agent.record(replace(self.start, reason=reason, detail=detail))
        return SKIPPED

    def iteration(self, scope: Scope) -> str:
        """Look at one iteration: the conditions in the agent's order, then the promise itself."""
        agent, frame, start = self.agent, self.frame, self.start
        promiser = scope.expand(start.promise.promiser)
        scope.special["this.promiser"] = promiser
        evaluator = Evaluator(scope, lambda text: agent.holds(text, frame))
        if start.type == "classes" and agent.holds(canonified(promiser), frame):
            return self.skip("class_already_set", canonified(promiser))
        skipped = self.excluded(evaluator)
        if skipped:
            return self.skip(*skipped)
        self.count += 1
        event = replace(start, promiser=promiser, iteration=self.count)
        place = agent.record(event)
        actions = Actions(agent, frame, event, self.attributes, evaluator, place)
        try:
            found = actions.act()
        except Aborted:
            if place is not None:
                agent.events[place] = replace(event, outcome=UNFINISHED)
            raise
        if place is not None:
            agent.events[place] = replace(found, causes=self.causes(scope))
        return found.outcome

    def excluded(self, evaluator: Evaluator) -> tuple[str, str] | None:
        """Return which condition keeps a promise from being begun, and its text."""
        for name in ("ifvarclass", "if"):
            value = self.attributes.get(name)
            if value is not None and evaluator.condition(value) is not True:
                return "if", words(value)
        value = self.attributes.get("unless")
        if value is not None:
            found = evaluator.condition(value)
            last = self.agent.number == PASSES
            if found is True or (found is None and not last):
                return "unless", words(value)
        value = self.attributes.get("depends_on")
        if value is not None:
            names = evaluator.known(value)
            for handle in names if isinstance(names, list) else [names]:
                if handle not in self.agent.handles:
                    return "depends_on", str(handle)
        return None

    def causes(self, scope: Scope) -> tuple[Cause, ...]:
        """Return which earlier events this one rests on."""
        agent, found = self.agent, {}
        for name in guard_names(self.start.promise.guard):
            found["class", name] = agent.class_setter(name, self.frame)
        value = self.attributes.get("depends_on")
        for handle in scalars(value) if value else ():
            found["handle", handle] = agent.handles.get(scope.expand(handle))
        texts = [self.start.promise.promiser]
        for value in self.attributes.values():
            texts += scalars(value)
        for text in texts:
            for name in references(text):
                key = ("variable", *scope.key(scope.expand(name)))
                found["variable", name] = agent.setters.get(key)
        return tuple(Cause(*pair, event) for pair, event in found.items() if event is not None)


def guard_names(guard: str) -> list[str]:
    """Return the classes that a guard wants to be set."""
    expression = parsed(guard)
    return [name for name, wanted in names(expression) if wanted] if expression else []


def words(value: Value) -> str:
    """Return a condition as it is written, for a person."""
    if isinstance(value, Call):
        return f"{value.name}({','.join(words(argument) for argument in value.arguments)})"
    return value.text if isinstance(value, Scalar) else "{ ... }"
