"""The state of a simulated agent: variables, classes, handles, locks, and past events.

The methods are the only places that change it, and each notes the change in the journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from analyzer.frontends.cfengine.agent import journal, this_machine
from analyzer.frontends.cfengine.agent.doubts import Doubt
from analyzer.frontends.cfengine.agent.events import Event
from analyzer.frontends.cfengine.agent.frames import Frame
from analyzer.frontends.cfengine.agent.journal import Journal
from analyzer.frontends.cfengine.agent.outcomes import Outcomes
from analyzer.frontends.cfengine.agent.plan import Plan
from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.classes import Classes
from analyzer.frontends.cfengine.policy.evaluator import Evaluator
from analyzer.frontends.cfengine.policy.expansion import expanded, holds_variables
from analyzer.frontends.cfengine.policy.host_files import HOST, Files
from analyzer.frontends.cfengine.policy.patterns import surely_matches
from analyzer.frontends.cfengine.policy.setters import own_classes
from analyzer.frontends.cfengine.policy.unknown import Unknown
from analyzer.frontends.cfengine.policy.variables import (
    Aborted,
    Content,
    DataList,
    Key,
    Scope,
    Table,
)
from analyzer.frontends.cfengine.policy.world import VERSION, World
from analyzer.frontends.cfengine.syntax.ast import Bundle, Promise, Scalar, Value
from analyzer.source import Span

# The types of parameters.
KINDS: tuple[tuple[type, str], ...] = (
    *((str, "string"), (DataList, "data"), (list, "slist")),
    *((dict, "data"), (Unknown, "string")),
)
MISSING = object()
# The agent's command for `mapdata` with `json_pipe`, which augments may replace.
JQ = "jq --compact-output --monochrome-output --ascii-output --unbuffered --sort-keys"
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
    tags: dict[Key, tuple[str, ...]] = field(default_factory=dict)
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
    # Why the current promise may not run at all, the innermost reason last.
    doubts: list[Doubt] = field(default_factory=list)
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
        if self.files.mode == HOST:
            self.classes.hard |= this_machine.classes()
            self.classes.present = True
            for name, text in this_machine.variables().items():
                self.table["default", "sys", name] = text
        self.table["default", "def", "jq"] = JQ
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

        def assign(name: str, value: str | Unknown) -> None:
            self.set_variable(Scope(self.table, space, bundle, {}).key(name), value, None)

        own = (self.policy, self.classes, private, self.files, self.version, self.types, self.tags)
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
                key = (frame.bundle.namespace, frame.bundle.name, name)
                self.types[key] = next(kind for one, kind in KINDS if isinstance(found, one))
                self.set_variable(key, found, None)

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
        before = self.table.get(key)
        if self.doubts:
            self.doubts[-1].variables.setdefault(key, before)
        if self.journal is not None:
            self.journal.note(journal.VARIABLE, key, before, value)
        if place is not None:
            self.setters["variable", *key] = place
        self.table[key] = value
        if "[" in key[2]:
            self.entries.setdefault(key[:2], set()).add(key)
        if holds_variables(value):
            self.loose.setdefault(key[:2], set()).add(key)

    def remove_variable(self, key: Key) -> None:
        """Remove a variable."""
        value = self.table.pop(key, None)
        if self.doubts:
            self.doubts[-1].variables.setdefault(key, value)
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
        if key[1] in self.classes.never:
            return
        new = key not in self.classes.soft
        if self.doubts:
            self.doubts[-1].classes.setdefault(key, not new)
        elif self.journal is not None and new:
            self.journal.note(journal.CLASS, key, None, "")
        if place is not None:
            self.setters["class", *key] = place
        self.classes.soft.add(key)
        if frame is not None and self.aborts:
            self.check_abort(key[1], frame, new=new)

    def set_private(self, frame: Frame, name: str, place: int | None) -> None:
        """Set a class for one call of a bundle."""
        if name in self.classes.never:
            return
        key = (str(frame.owners[0]), name)
        new = name not in frame.private[0]
        if self.doubts:
            self.doubts[-1].note_private(frame.private[0], name)
        elif self.journal is not None and new and self.recording:
            self.journal.note(journal.PRIVATE, key, None, "")
        if place is not None:
            self.setters["class", *key] = place
        frame.private[0].add(name)
        if self.aborts:
            self.check_abort(name, frame, new=new)

    def cancel_class(self, frame: Frame, name: str) -> None:
        """Remove a class from the namespace and from all open calls of bundles."""
        key = (frame.bundle.namespace, name)
        if self.doubts:
            self.doubts[-1].classes.setdefault(key, key in self.classes.soft)
        else:
            self.classes.maybe.pop(key, None)
        if self.journal is not None and key in self.classes.soft:
            self.journal.note(journal.CLASS, key, "", None)
        self.classes.soft.discard(key)
        for call in self.stack:
            if self.journal is not None and name in call.private[0]:
                self.journal.note(journal.PRIVATE, (str(call.owners[0]), name), "", None)
            if self.doubts:
                self.doubts[-1].note_private(call.private[0], name)
            else:
                call.private[0].maybe.pop(name, None)
            call.private[0].discard(name)

    def keep_handle(self, name: str, place: int | None) -> None:
        """Record that the promise of a handle is kept."""
        if self.doubts and name not in self.handles:
            self.doubts[-1].handles.add(name)
        if self.journal is not None and name not in self.handles:
            self.journal.note(journal.HANDLE, (name,), None, "")
        self.handles.setdefault(name, place)

    # ---- doubts

    @property
    def doubt(self) -> Unknown | None:
        """Return why the current promise may not run, None if it does."""
        return self.doubts[-1].why if self.doubts else None

    def begin_doubt(self, why: Unknown) -> None:
        """Begin changes that may not happen."""
        self.doubts.append(Doubt(why))

    def end_doubts(self, depth: int) -> None:
        """End the doubts beyond a number: what changed in them is unknown from here on."""
        while len(self.doubts) > depth:
            doubt = self.doubts.pop()
            self.forget(doubt)
            if self.doubts:
                doubt.add_to(self.doubts[-1])

    @contextmanager
    def doubting(self, why: Unknown | None) -> Iterator[None]:
        """Make changes that may not happen, if there is a reason."""
        depth = len(self.doubts)
        if why is not None:
            self.begin_doubt(why)
        yield
        self.end_doubts(depth)

    def forget(self, doubt: Doubt) -> None:
        """Make unknown what may have changed."""
        why = doubt.why
        for key, before in doubt.variables.items():
            self.forget_variable(key, before, why)
        for name, was_set in doubt.classes.items():
            if (name in self.classes.soft) is not was_set:
                self.classes.soft.discard(name)
                self.classes.maybe.setdefault(name, why)
        for (_, plain), (classes, was_set) in doubt.private.items():
            if (plain in classes) is not was_set:
                classes.discard(plain)
                classes.maybe.setdefault(plain, why)
        for handle in doubt.handles:
            self.handles.pop(handle, None)
            self.maybe_handles.setdefault(handle, why)
        for identity in doubt.locks:
            if self.done.pop(identity, MISSING) is not MISSING:
                self.maybe_done[identity] = why

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

    def forget_variable(self, key: Key, before: Content | None, why: Unknown) -> None:
        """Make a variable unknown that may have changed."""
        now = self.table.get(key)
        if now != before:
            many = isinstance(now if now is not None else before, list | dict)
            self.table[key] = Unknown(why.why, many)
            if self.journal is not None:
                self.journal.note(journal.VARIABLE, key, now, self.table[key])
