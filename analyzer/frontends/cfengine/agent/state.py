"""The state of a simulated agent: variables, classes, handles, locks, and past events.

The methods are the only places that change it, and each notes the change in the journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.events import Event
from analyzer.frontends.cfengine.agent.frames import Frame
from analyzer.frontends.cfengine.agent.journal import Journal
from analyzer.frontends.cfengine.agent.outcomes import Outcomes
from analyzer.frontends.cfengine.agent.plan import Plan
from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.classes import Classes, canonified
from analyzer.frontends.cfengine.policy.evaluator import Evaluator
from analyzer.frontends.cfengine.policy.host_files import Files
from analyzer.frontends.cfengine.policy.patterns import surely_matches
from analyzer.frontends.cfengine.policy.setters import promises_of
from analyzer.frontends.cfengine.policy.unknown import Unknown
from analyzer.frontends.cfengine.policy.variables import (
    Aborted,
    Content,
    Key,
    Scope,
    Table,
    elements,
)
from analyzer.frontends.cfengine.policy.world import VERSION, World
from analyzer.frontends.cfengine.syntax.ast import Bundle, Promise, Scalar, Value
from analyzer.source import Span

MOST_LOOKS = 5_000_000


@dataclass(slots=True)
class Agent:
    """The state of a run: `passes.evaluate` fills `events`, and `journal` where there is one.

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
    table: Table = field(default_factory=Table)
    # The declared types of variables.
    types: dict[Key, str] = field(default_factory=dict)
    # The locks of the run, and which event took each.
    done: dict[tuple[object, ...], int | None] = field(default_factory=dict)
    handles: dict[str, int | None] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    # Why CFEngine refuses the policy before its first pass; empty if it does not.
    refusal: str = ""
    # Missing bundles of the bundlesequence, and the place that lists them.
    absent: list[tuple[str, Span]] = field(default_factory=list)
    # The pass as the agent counts it: that of the caller within edit bundles, 0 before the first.
    number: int = 0
    # Which event set a class or variable.
    setters: dict[tuple[str, ...], int] = field(default_factory=dict)
    recording: bool = False
    # Classes promises are only checked: they set nothing.
    checking: bool = False
    # Patterns or expressions of classes that end the run, or a bundle.
    aborts: dict[str, list[str]] = field(default_factory=dict)
    # A class that ends the bundle was just set; files that were created.
    leaving: bool = False
    stack: list[Frame] = field(default_factory=list)
    # Why the run may have ended before.
    ended: Unknown | None = None
    looks: int = 0
    created: set[str] = field(default_factory=set)
    # Why the current promise may not run at all: what it does may not happen.
    doubt: Unknown | None = None
    # Handles of promises that may be kept.
    maybe_handles: dict[str, Unknown] = field(default_factory=dict)
    # Locks of promises that may have run.
    maybe_done: dict[tuple[object, ...], Unknown] = field(default_factory=dict)
    files: Files = field(default_factory=Files)
    version: str = VERSION
    # Variables whose values still hold others, by namespace and bundle.
    loose: dict[tuple[str, str], set[Key]] = field(default_factory=dict)
    # Entries of arrays, by namespace and bundle.
    entries: dict[tuple[str, str], set[Key]] = field(default_factory=dict)
    plans: dict[int, Plan] = field(default_factory=dict)
    sections: dict[int, dict[str, tuple[Promise, ...]]] = field(default_factory=dict)

    def install(self) -> None:
        """Set the given classes, and apply the augments."""
        self.classes.hard |= {self.program, *self.policy.classes}
        self.classes.never |= {*self.policy.negated}
        self.classes.own = own_classes(self.policy)
        for key, value in self.policy.augments.variables.items():
            self.set_variable(key, value, None)
        for condition in self.policy.augments.classes:
            known = self.classes.hard | {name for _, name in self.classes.soft}
            if condition.holds(known, lambda text: self.classes.holds(text, "default", []) is True):
                self.set_class(("default", condition.name), None)

    def world(self, frame: Frame) -> World:
        """Return the surroundings of a promise in a call of a bundle."""
        private = tuple(frame.private)
        space, bundle = frame.bundle.namespace, frame.bundle.name

        def assign(name: str, value: str) -> None:
            self.set_variable(Scope(self.table, space, bundle, {}).key(name), value, None)

        own = (self.policy, self.classes, private, self.files, self.version, self.types)
        return World(*own, assign)

    # ---- calls of bundles

    def leave(self, frame: Frame, number: int) -> None:
        """End the call of a bundle, and remove its private classes."""
        self.number = number
        self.stack = [call for call in self.stack if call is not frame]
        self.mark(journal.LEAVE, frame)
        if self.journal is not None:
            for name in sorted(frame.private[0]):
                self.journal.note(journal.PRIVATE, (str(frame.owners[0]), name), "", None)

    def bind(self, frame: Frame, arguments: tuple[Value, ...], caller: Scope | None) -> None:
        """Set a bundle's parameters."""
        scope = caller or Scope(self.table, "default", "", {})
        evaluator = Evaluator(scope, lambda text: None)
        own = Evaluator(scope.assuming(scope.namespace), lambda text: None)
        for name, argument in zip(frame.bundle.parameters, arguments, strict=False):
            # A list is one of the caller's namespace, a text has variables of the default one.
            is_list = isinstance(argument, Scalar) and argument.text[:2] in ("@(", "@{")
            found = (own if is_list else evaluator).known(argument)
            if isinstance(found, str | list | dict | Unknown):
                self.set_variable((frame.bundle.namespace, frame.bundle.name, name), found, None)

    def unbind(self, bundle: Bundle) -> None:
        """Remove a bundle's parameters, as CFEngine does after a call by methods."""
        for name in bundle.parameters:
            self.remove_variable((bundle.namespace, bundle.name, name))

    def clear_arrays(self, bundle: Bundle) -> None:
        """Remove the arrays of a bundle, as CFEngine does before a call by methods."""
        for key in sorted(self.entries.pop((bundle.namespace, bundle.name), ())):
            self.remove_variable(key)

    def check_abort(self, name: str, frame: Frame, *, new: bool = True) -> None:
        """Check whether a class that was just set, or an expression with it, ends the bundle.

        Raises:
            Aborted: it ends the run.
        """
        for kind, texts in self.aborts.items():
            for text in texts:
                space, private = frame.bundle.namespace, frame.private
                held = self.classes.holds(text, space, private) if new else False
                if not surely_matches(text, name) and held is not True:
                    if isinstance(held, Unknown):
                        self.may_end(held, frame, whole=kind == "abortclasses")
                elif self.doubt is not None:
                    self.may_end(self.doubt, frame, whole=kind == "abortclasses")
                else:
                    if kind == "abortclasses":
                        raise Aborted(f"class {name} is set")
                    self.leaving = True

    def may_end(self, why: Unknown, frame: Frame, *, whole: bool = False) -> None:
        """Record that a bundle, or the whole run, may have ended here."""
        doubt = Unknown(f"a class may have ended the {'run' if whole else 'bundle'}: {why.why}")
        for call in self.stack if whole else [frame]:
            call.doubt = call.doubt or doubt
        if whole:
            self.ended = self.ended or doubt

    def count_evaluation(self) -> None:
        """Count an evaluation of a promise.

        Raises:
            Aborted: there are more than a run of a policy has that ends at all.
        """
        self.looks += 1
        if self.looks > MOST_LOOKS:
            raise Aborted(
                f"promises were looked at more than {MOST_LOOKS:,} times, the limit of a simulated "
                "run; no option raises it"
            )

    # ---- changes

    def set_variable(self, key: Key, value: Content, place: int | None) -> None:
        """Set a variable; `place` is the number of the event that sets it."""
        if self.doubt is not None:
            if self.table.get(key) == value:
                return
            value = Unknown(self.doubt.why, isinstance(value, list | dict))
        if self.journal is not None:
            self.journal.note(journal.VARIABLE, key, self.table.get(key), value)
        if place is not None:
            self.setters["variable", *key] = place
        self.table[key] = value
        if "[" in key[2]:
            self.entries.setdefault(key[:2], set()).add(key)
        if holds_variables(value):
            self.loose.setdefault(key[:2], set()).add(key)

    def remove_variable(self, key: Key) -> None:
        """Remove a variable."""
        if self.doubt is not None:
            return
        value = self.table.pop(key, None)
        if self.journal is not None:
            self.journal.note(journal.VARIABLE, key, value, None)

    def expand_loose(self, bundle: Bundle) -> None:
        """Expand the values of a bundle's variables again, as CFEngine does when it enters the
        bundle."""
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
        if key[1] in self.classes.never or (key in self.classes.soft and self.doubt is not None):
            return
        if self.doubt is not None:
            self.classes.maybe.setdefault(key, self.doubt)
            if frame is not None and self.aborts:
                self.check_abort(key[1], frame)
            return
        if self.journal is not None and key not in self.classes.soft:
            self.journal.note(journal.CLASS, key, None, "")
        if place is not None:
            self.setters["class", *key] = place
        new = key not in self.classes.soft
        self.classes.soft.add(key)
        if frame is not None and self.aborts:
            self.check_abort(key[1], frame, new=new)

    def set_private(self, frame: Frame, name: str, place: int | None) -> None:
        """Set a class for one call of a bundle."""
        if name in self.classes.never or (name in frame.private[0] and self.doubt is not None):
            return
        if self.doubt is not None:
            frame.private[0].maybe.setdefault(name, self.doubt)
            if self.aborts:
                self.check_abort(name, frame)
            return
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
        """Remove a class from the namespace and from all open calls of bundles."""
        key = (frame.bundle.namespace, name)
        if self.doubt is not None:
            self.doubt_class(key, self.doubt)
            return
        self.classes.maybe.pop(key, None)
        if self.journal is not None and key in self.classes.soft:
            self.journal.note(journal.CLASS, key, "", None)
        self.classes.soft.discard(key)
        for call in self.stack:
            if self.journal is not None and name in call.private[0]:
                self.journal.note(journal.PRIVATE, (str(call.owners[0]), name), "", None)
            call.private[0].discard(name)
            call.private[0].maybe.pop(name, None)

    def doubt_class(self, key: tuple[str, str], why: Unknown) -> None:
        """Record that a class may have been cancelled."""
        if key in self.classes.soft:
            self.classes.soft.discard(key)
            self.classes.maybe[key] = why
        for call in self.stack:
            if key[1] in call.private[0]:
                call.private[0].discard(key[1])
                call.private[0].maybe[key[1]] = why

    def keep_handle(self, name: str, place: int | None) -> None:
        """Record that the promise of a handle is kept."""
        if self.doubt is not None:
            self.maybe_handles.setdefault(name, self.doubt)
            return
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
        """Begin a step of the timeline, if there is one."""
        if self.journal is not None:
            self.journal.mark(kind, frame, number, event)

    def unmark(self) -> None:
        """Remove a step without changes."""
        if self.journal is not None:
            self.journal.unmark()


def own_classes(policy: Policy) -> frozenset[str]:
    """Return the classes that classes promises of the policy set, as they are written."""
    return frozenset(
        canonified(promise.promiser)
        for _, kind, promise in promises_of(policy)
        if kind == "classes" and "$" not in promise.promiser
    )


def holds_variables(value: Content) -> bool:
    """Return whether a text, or an item of a list, contains variables."""
    if isinstance(value, str):
        return "$" in value or value[:1] == "@"
    return type(value) is list and any(holds_variables(item) for item in value)


def expanded(items: list[object], scope: Scope) -> Iterator[object]:
    """Yield a list's items with their variables, those of `@(x)` in its place."""
    for item in items:
        found = scope.list(item) if isinstance(item, str) and item[:2] in ("@(", "@{") else None
        if isinstance(found, list | dict):
            yield from elements(found)
        else:
            yield scope.expand(item) if isinstance(item, str) else item
