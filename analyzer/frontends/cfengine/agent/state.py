"""A simulated cf-agent: the three passes over each bundle, without doing what a promise says.

Facts: normal ordering and promise locks as measured with cf-agent 3.21. Commands, files and the
like have the outcomes that are given; a function that needs the machine gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.bundlesequence import bundles_of
from analyzer.frontends.cfengine.agent.events import SKIPPED, Aborted, Event, worse
from analyzer.frontends.cfengine.agent.frames import Frame
from analyzer.frontends.cfengine.agent.journal import Journal
from analyzer.frontends.cfengine.agent.look import Look
from analyzer.frontends.cfengine.agent.outcomes import Outcomes
from analyzer.frontends.cfengine.agent.plan import Plan
from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.classes import Classes
from analyzer.frontends.cfengine.policy.evaluator import Evaluator, scalars
from analyzer.frontends.cfengine.policy.normal_order import PASSES, in_order
from analyzer.frontends.cfengine.policy.variables import Content, Key, Scope, elements
from analyzer.frontends.cfengine.syntax.ast import Bundle, Promise, Value
from analyzer.source import Span

EDITS = ("edit_line", "edit_xml")
# The bundles that a program looks at, before its first pass and later.
SETTLED = {
    "agent": ("agent", *EDITS),
    "server": ("server",),
    "monitor": ("monitor",),
}
MOST_LOOKS = 5_000_000
COMMON = ["vars", "classes", "vars"]


@dataclass(slots=True)
class Agent:
    """The state of a run; `run` fills `events`, and `journal` where there is one.

    `program` is agent, server or monitor: whose bundles are evaluated; `bundles` are those of
    `-b`, none: the policy's own.
    """

    policy: Policy
    outcomes: Outcomes = field(default_factory=Outcomes)
    classes: Classes = field(default_factory=Classes)
    order: str = "running"
    program: str = "agent"
    bundles: tuple[str, ...] = ()
    journal: Journal | None = None
    table: dict[Key, Content] = field(default_factory=dict)
    # The locks of the run, and which event took each.
    done: dict[tuple[object, ...], int | None] = field(default_factory=dict)
    handles: dict[str, int | None] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    # Bundles of the bundlesequence that are not there, and the place that lists them.
    absent: list[tuple[str, Span]] = field(default_factory=list)
    # The pass as the agent counts it: that of the caller within edit bundles, 0 before the first.
    number: int = 0
    # Which event set a class or variable.
    setters: dict[tuple[str, ...], int] = field(default_factory=dict)
    recording: bool = False
    # Patterns or expressions of classes that end the run, or a bundle.
    aborts: dict[str, list[str]] = field(default_factory=dict)
    # A class that ends the bundle was just set; files that were created.
    leaving: bool = False
    stack: list[Frame] = field(default_factory=list)
    looks: int = 0
    created: set[str] = field(default_factory=set)
    # Variables whose values still hold others, by namespace and bundle.
    loose: dict[tuple[str, str], set[Key]] = field(default_factory=dict)
    plans: dict[int, Plan] = field(default_factory=dict)
    sections: dict[int, dict[str, tuple[Promise, ...]]] = field(default_factory=dict)

    def run(self) -> list[Event]:
        """Evaluate the bundles of the sequence, and return what happened."""
        from analyzer.frontends.cfengine.agent.daemons import evaluate

        try:
            self.mark(journal.PREPARE)
            self.prepare()
            self.recording = True
            if self.program == "agent":
                self.evaluate()
            else:
                evaluate(self)
        except Aborted as aborted:
            self.warnings.append(f"the run ends: {aborted}")
        except RecursionError:
            self.warnings.append("the run ends: a value or a call is nested too deep")
        self.mark(journal.END)
        return self.events

    def evaluate(self) -> None:
        """Evaluate the bundles of the bundlesequence."""
        for bundle, arguments in bundles_of(self):
            self.call(Frame(bundle), arguments, None)

    # ---- before the first pass

    def prepare(self) -> None:
        """Settle variables and the classes of common bundles, as on loading, then all at once."""
        self.install()
        for bundles in self.policy.rounds:
            self.settle(bundles)
        self.settle([bundle for tree in self.policy.files for bundle in tree.bundles])
        for name in ("abortclasses", "abortbundleclasses"):
            self.aborts[name] = [
                text
                for attribute in self.policy.control("agent", name)
                if self.classes.holds(attribute.guard, "default", [])
                for text in scalars(attribute.value)
            ]

    def install(self) -> None:
        """Set the classes that are given, and what the augments say."""
        self.classes.hard |= {self.program, *self.policy.classes}
        for key, value in self.policy.augments.variables.items():
            self.set_variable(key, value, None)
        for condition in self.policy.augments.classes:
            known = self.classes.hard | {name for _, name in self.classes.soft}
            if condition.holds(known, lambda text: self.classes.holds(text, "default", [])):
                self.set_class(("default", condition.name), None)

    def settle(self, bundles: Iterable[Bundle]) -> None:
        """Resolve common bundles, then the variables of the others that this program looks at."""
        wanted = [b for b in bundles if b.type == "common" or b.type in SETTLED[self.program]]
        for common in (True, False):
            for bundle in wanted:
                if (bundle.type == "common") is common:
                    self.expand_loose(bundle)
                    self.resolve(Frame(bundle), before=True)

    def resolve(self, frame: Frame, *, before: bool = False) -> None:
        """Evaluate a bundle's variables, for a common bundle also its classes, between passes."""
        kinds = COMMON if frame.bundle.type == "common" else COMMON[:1]
        self.between(frame, ["meta", *kinds] if before else kinds)

    def between(self, frame: Frame, kinds: list[str]) -> None:
        """Evaluate sections once more, between passes."""
        recording, self.recording = self.recording, False
        for kind in kinds:
            self.section(frame, kind, self.number)
        self.recording = recording

    # ---- bundles

    def call(self, frame: Frame, arguments: tuple[Value, ...], caller: Scope | None) -> str:
        """Take the three passes over a bundle, and return its outcome."""
        bundle = frame.bundle
        self.stack.append(frame)
        self.mark(journal.ENTER, frame)
        self.expand_loose(bundle)
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
            self.mark(journal.PASS, frame, number)
            for kind in kinds:
                outcome = worse(outcome, self.section(frame, kind, number))
                if frame.left:
                    self.leave(frame, before)
                    return outcome
                if kind == "classes" and not edits:
                    self.mark(journal.SETTLE, frame, number)
                    self.resolve(frame)
                    self.between(frame, ["defaults"])
                    self.unmark()
        self.leave(frame, before)
        return outcome

    def leave(self, frame: Frame, number: int) -> None:
        """End the call of a bundle, whose private classes go with it."""
        self.number = number
        self.stack = [call for call in self.stack if call is not frame]
        self.mark(journal.LEAVE, frame)
        if self.journal is not None:
            for name in sorted(frame.private[0]):
                self.journal.note(journal.PRIVATE, (str(frame.owners[0]), name), "", None)

    def bind(self, frame: Frame, arguments: tuple[Value, ...], caller: Scope | None) -> None:
        """Give a bundle's parameters their values."""
        scope = caller or Scope(self.table, "default", "", {})
        evaluator = Evaluator(scope, lambda text: None)
        for name, argument in zip(frame.bundle.parameters, arguments, strict=False):
            found = evaluator.known(argument)
            if isinstance(found, str | list | dict):
                self.set_variable((frame.bundle.namespace, frame.bundle.name, name), found, None)

    def unbind(self, bundle: Bundle) -> None:
        """Take a bundle's parameters away, as CFEngine does after a call by methods."""
        for name in bundle.parameters:
            key = (bundle.namespace, bundle.name, name)
            value = self.table.pop(key, None)
            if self.journal is not None:
                self.journal.note(journal.VARIABLE, key, value, None)

    def check_abort(self, name: str, frame: Frame, *, new: bool = True) -> None:
        """See whether a class that is set just now ends the bundle, or, where it is new, lets an
        expression hold that does.

        Raises:
            Aborted: it ends the run.
        """
        for kind, texts in self.aborts.items():
            for text in texts:
                pattern = compiled(text)
                space, private = frame.bundle.namespace, frame.private
                named = pattern is not None and pattern.fullmatch(name) is not None
                if named or (new and self.classes.holds(text, space, private)):
                    if kind == "abortclasses":
                        raise Aborted(f"class {name} is set")
                    self.leaving = True

    def section(self, frame: Frame, kind: str, number: int) -> str:
        """Take one pass over the promises of one type."""
        outcome = SKIPPED
        for promise in self.promises(frame.bundle).get(kind, ()):
            outcome = worse(outcome, self.promise(frame, kind, promise, number))
            if self.recording and self.leaving:
                frame.left, self.leaving = True, False
                return outcome
        return outcome

    def promises(self, bundle: Bundle) -> dict[str, tuple[Promise, ...]]:
        """Return the promises of a bundle by type."""
        found = self.sections.get(id(bundle))
        if found is None:
            found = {section.type: section.promises for section in bundle.sections}
            self.sections[id(bundle)] = found
        return found

    def promise(self, frame: Frame, kind: str, promise: Promise, number: int) -> str:
        """Look at one promise in one pass: its guard, then each iteration of its lists."""
        plan = self.plans.get(id(promise))
        if plan is None:
            plan = self.plans[id(promise)] = Plan(promise, kind, frame.bundle, self.policy)
        return Look(self, frame, plan, number).run()

    def count_look(self) -> None:
        """Count a look at a promise.

        Raises:
            Aborted: there are more than a run of a policy has that ends at all.
        """
        self.looks += 1
        if self.looks > MOST_LOOKS:
            raise Aborted(f"promises were looked at more than {MOST_LOOKS:,} times")

    # ---- what changes

    def set_variable(self, key: Key, value: Content, place: int | None) -> None:
        """Give a variable a value; `place` is the event that does."""
        if self.journal is not None:
            self.journal.note(journal.VARIABLE, key, self.table.get(key), value)
        if place is not None:
            self.setters["variable", *key] = place
        self.table[key] = value
        if holds_variables(value):
            self.loose.setdefault(key[:2], set()).add(key)

    def expand_loose(self, bundle: Bundle) -> None:
        """Expand the values of a bundle's variables once more, as CFEngine does on entering it."""
        keys = self.loose.pop((bundle.namespace, bundle.name), None)
        scope = Scope(self.table, bundle.namespace, bundle.name, {})
        for key in sorted(keys or ()):
            value = self.table.get(key)
            if isinstance(value, str):
                self.set_variable(key, scope.expand(value), None)
            elif type(value) is list:
                self.set_variable(key, list(expanded(value, scope)), None)

    def set_class(
        self, key: tuple[str, str], place: int | None, frame: Frame | None = None
    ) -> None:
        """Set a class for a namespace; `frame` is the call of a bundle in which that is done."""
        if self.journal is not None and key not in self.classes.soft:
            self.journal.note(journal.CLASS, key, None, "")
        if place is not None:
            self.setters["class", *key] = place
        new = key not in self.classes.soft
        self.classes.soft.add(key)
        if new and frame is not None and self.aborts:
            self.check_abort(key[1], frame)

    def set_private(self, frame: Frame, name: str, place: int | None) -> None:
        """Set a class for one call of a bundle."""
        key = (str(frame.owners[0]), name)
        if self.journal is not None and name not in frame.private[0] and self.recording:
            self.journal.note(journal.PRIVATE, key, None, "")
        if place is not None:
            self.setters["class", *key] = place
        new = name not in frame.private[0]
        frame.private[0].add(name)
        if self.aborts:
            self.check_abort(name, frame, new=new)

    def cancel_class(self, frame: Frame, name: str) -> None:
        """Take a class away, from the namespace and from all calls of bundles that are open."""
        key = (frame.bundle.namespace, name)
        if self.journal is not None and key in self.classes.soft:
            self.journal.note(journal.CLASS, key, "", None)
        self.classes.soft.discard(key)
        for call in self.stack:
            if self.journal is not None and name in call.private[0]:
                self.journal.note(journal.PRIVATE, (str(call.owners[0]), name), "", None)
            call.private[0].discard(name)

    def keep_handle(self, name: str, place: int | None) -> None:
        """Remember that the promise of a handle is kept."""
        if self.journal is not None and name not in self.handles:
            self.journal.note(journal.HANDLE, (name,), None, "")
        self.handles.setdefault(name, place)

    def class_setter(self, name: str, frame: Frame) -> int | None:
        """Return the event that set a class as it is seen from a call of a bundle."""
        space, colon, plain = name.rpartition(":")
        own = self.setters.get(("class", str(frame.owners[0]), name))
        shared = (space if colon else frame.bundle.namespace, plain)
        return own if own is not None else self.setters.get(("class", *shared))

    def mark(
        self, kind: str, frame: Frame | None = None, number: int = 0, event: int | None = None
    ) -> None:
        """Begin a step of the time line, if there is one."""
        if self.journal is not None:
            self.journal.mark(kind, frame, number, event)

    def unmark(self) -> None:
        """Drop a step in which nothing happened."""
        if self.journal is not None:
            self.journal.unmark()


def holds_variables(value: Content) -> bool:
    """Tell whether a text, or an item of a list, holds variables."""
    if isinstance(value, str):
        return "$" in value or value[:1] == "@"
    return type(value) is list and any(holds_variables(item) for item in value)


def expanded(items: list[object], scope: Scope) -> Iterator[object]:
    """Yield a list's items with their variables, those of `@(x)` in its place."""
    for item in items:
        found = scope.list(item) if isinstance(item, str) and item[:2] in ("@(", "@{") else None
        if found is not None:
            yield from elements(found)
        else:
            yield scope.expand(item) if isinstance(item, str) else item


@cache
def compiled(text: str) -> re.Pattern[str] | None:
    """Return a regular expression, None where Python does not read it as PCRE does."""
    try:
        return re.compile(text)
    except re.error:
        return None
