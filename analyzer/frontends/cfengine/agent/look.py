"""Evaluates a promise in one pass: its guard, its lists, its conditions in the agent's order."""

from __future__ import annotations

from itertools import islice

from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.actions import Actions
from analyzer.frontends.cfengine.agent.events import (
    EVALUATED,
    KEPT,
    PENDING,
    SET,
    SKIPPED,
    UNFINISHED,
    UNKNOWN,
    Cause,
    Event,
    worse,
)
from analyzer.frontends.cfengine.agent.frames import Frame
from analyzer.frontends.cfengine.agent.plan import Attributes, Plan
from analyzer.frontends.cfengine.agent.setting import CallBundle
from analyzer.frontends.cfengine.agent.state import Agent
from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.evaluator import Evaluator, scalars, words
from analyzer.frontends.cfengine.policy.iteration import UNKNOWN_LIST, iterations
from analyzer.frontends.cfengine.policy.normal_order import PASSES
from analyzer.frontends.cfengine.policy.unknown import Truth, Unknown, unmarked
from analyzer.frontends.cfengine.policy.variables import (
    Aborted,
    Content,
    Refused,
    Scope,
    unresolved,
)

POLICY = "this.service_policy"
# Why a promise does nothing that the agent began to evaluate.
BEGUN = ("already_done", "held_unresolved", "service_type")
MOST_ITERATIONS = 200_000
# The outcome of promises that change nothing, so that what is unknown of them does not matter to
# the bundle.
UNCHANGING = {**dict.fromkeys(("vars", "meta", "defaults", "classes"), EVALUATED), "reports": KEPT}


class Look:
    """Counts the iterations of a promise, and records whether one did not run."""

    __slots__ = (
        "agent",
        "attributes",
        "call",
        "carried",
        "count",
        "doubt",
        "frame",
        "noted",
        "number",
        "plan",
    )

    def __init__(
        self, agent: Agent, frame: Frame, plan: Plan, number: int, call: CallBundle
    ) -> None:
        self.agent = agent
        self.call = call
        self.frame = frame
        self.plan = plan
        self.number = number
        self.count = 0
        self.noted = False
        # Measured: what a service was to be is still there in the next iteration, for its lock.
        self.carried: dict[str, Content] = {}
        # Why the guard may not hold.
        self.doubt: Unknown | None = None

    def run(self) -> str:
        """Evaluate the promise, and return its outcome."""
        agent, frame, plan = self.agent, self.frame, self.plan
        bundle = frame.bundle
        guard: Truth = not plan.never
        if plan.guard is not None:
            guard = agent.classes.value(plan.guard, bundle.namespace, frame.private)
        if isinstance(guard, Unknown):
            self.doubt = guard
        elif not guard:
            return self.skip("class_guard", plan.promise.guard)
        # In a body the private classes of the bundle are not seen.
        self.attributes: Attributes = plan.attributes(
            lambda guard: agent.classes.holds(guard, bundle.namespace, []) is True
        )
        special: dict[str, Content] = {"edit.filename": frame.file} if frame.file else {}
        scope = Scope(agent.table, bundle.namespace, bundle.name, special, plan.promise)
        if not self.attributes.references:
            return self.iteration(scope)
        outcome = SKIPPED
        found = self.attributes
        wheels = iterations(found.references, scope, waits=found.waits)
        bindings = list(islice(wheels, MOST_ITERATIONS + 1))
        if len(bindings) > MOST_ITERATIONS:
            count = f"{MOST_ITERATIONS:,} combinations"
            raise Aborted(
                f"{plan.promise.span}: the lists of the promise have more than {count}, the "
                "most that catgraph goes through; no option raises this limit"
            )
        for bound in bindings:
            outcome = worse(outcome, self.iteration(scope.binding(bound)))
        if not self.count and not self.noted:
            return self.skip("no_iteration", "")
        return outcome

    def event(
        self,
        promiser: str,
        outcome: str,
        reason: str = "",
        detail: str = "",
        causes: tuple[Cause, ...] = (),
    ) -> Event:
        """Return an event of this evaluation."""
        plan, begun = self.plan, outcome != SKIPPED or reason in BEGUN
        return Event(
            self.frame.bundle,
            plan.type,
            plan.promise,
            unmarked(promiser),
            self.number,
            self.count if begun else None,
            outcome,
            reason,
            unmarked(detail),
            causes,
            self.frame.within,
        )

    def skip(self, reason: str, detail: str) -> str:
        """Record that an iteration does not run."""
        self.noted = True
        agent = self.agent
        if agent.recording:
            agent.mark(journal.LOOK, self.frame, self.number, len(agent.events))
            agent.events.append(self.event(self.plan.promise.promiser, SKIPPED, reason, detail))
        return SKIPPED

    def iteration(self, scope: Scope) -> str:
        """Evaluate one iteration: the conditions in the agent's order, then the promise itself."""
        agent, frame, plan = self.agent, self.frame, self.plan
        agent.count_evaluation()
        space, private = frame.bundle.namespace, frame.private
        scope.special.update(self.carried)
        values = scope.assuming("default")
        evaluator = Evaluator(
            values, lambda text: agent.classes.holds(text, space, private), world=agent.world(frame)
        )
        self.bind_with(scope, values, evaluator)
        promiser = scope.expand(plan.promise.promiser)
        scope.special["this.promiser"] = values.special["this.promiser"] = promiser
        if (
            plan.type == "classes"
            and agent.classes.is_set(canonified(promiser), space, private) is True
        ):
            return self.skip("class_already_set", canonified(promiser))
        doubt = self.doubt or frame.doubt or agent.ended
        if self.attributes.conditional:
            skipped = self.excluded(evaluator)
            if isinstance(skipped, Unknown):
                doubt = doubt or skipped
            elif skipped:
                return self.skip(*skipped)
        item = scope.special.get(UNKNOWN_LIST)
        doubt = doubt or (item if isinstance(item, Unknown) else None)
        self.count += 1
        depth = len(agent.doubts)
        if doubt is not None:
            agent.begin_doubt(doubt)
        try:
            return self.begin(promiser, evaluator)
        finally:
            agent.end_doubts(depth)
            if POLICY in values.special:
                self.carried[POLICY] = values.special[POLICY]

    def bind_with(self, scope: Scope, values: Scope, evaluator: Evaluator) -> None:
        """Set `$(with)`, if its value is a text that holds no variables, as CFEngine does."""
        value = self.attributes.values.get("with")
        if value is None:
            return
        found = evaluator.known(value)
        last = self.agent.number == PASSES
        if isinstance(found, Unknown) or (
            isinstance(found, str) and (last or not unresolved(found))
        ):
            scope.special["with"] = values.special["with"] = found

    def begin(self, promiser: str, evaluator: Evaluator) -> str:
        """Run one iteration, and record the outcome."""
        agent, frame, plan = self.agent, self.frame, self.plan
        place: int | None = None
        if agent.recording:
            place = len(agent.events)
            agent.mark(journal.LOOK, self.frame, self.number, place)
            agent.events.append(PENDING)
        actions = Actions(
            agent,
            frame,
            plan,
            self.attributes,
            self.number,
            self.count,
            promiser,
            evaluator,
            place,
            self.call,
        )
        try:
            outcome, reason, detail = actions.act()
        except (Aborted, RecursionError) as error:
            if isinstance(error, Refused) and agent.doubt is not None:
                agent.may_end(agent.doubt, frame, whole=True)
                if place is not None:
                    why = agent.doubt.why
                    agent.events[place] = self.event(promiser, UNKNOWN, UNKNOWN, why)
                return UNKNOWN
            if place is not None:
                outcome = SET if plan.type == "classes" else UNFINISHED
                agent.events[place] = self.event(promiser, outcome)
            raise
        if place is not None:
            causes = self.causes(evaluator.scope)
            if agent.doubt is not None and outcome != SKIPPED:
                outcome, reason, detail = UNKNOWN, UNKNOWN, agent.doubt.why
            agent.events[place] = self.event(promiser, outcome, reason, detail, causes)
        if outcome == UNKNOWN:
            return UNCHANGING.get(plan.type, outcome)
        return outcome

    def excluded(self, evaluator: Evaluator) -> tuple[str, str] | Unknown | None:
        """Return the condition that stops a promise, and its text; Unknown if one may."""
        values = self.attributes.values
        last = self.agent.number == PASSES
        unknown: Unknown | None = None
        for name in ("ifvarclass", "if", "unless"):
            value = values.get(name)
            if value is None:
                continue
            held = evaluator.condition(value)
            if isinstance(held, Unknown):
                unknown = unknown or held
            elif name == "unless":
                if held is True or (held is None and not last):
                    return name, words(value)
            elif held is not True:
                return "if", words(value)
        return self.waits(evaluator) or unknown

    def waits(self, evaluator: Evaluator) -> tuple[str, str] | Unknown | None:
        """Return the handle that a promise waits for; Unknown if it may."""
        value = self.attributes.values.get("depends_on")
        names = evaluator.known(value) if value is not None else []
        if isinstance(names, Unknown):
            return names
        unknown: Unknown | None = None
        for handle in names if isinstance(names, list) else [names]:
            if handle in self.agent.handles:
                continue
            if handle not in self.agent.maybe_handles:
                return "depends_on", str(handle)
            unknown = unknown or self.agent.maybe_handles[handle]
        return unknown

    def causes(self, scope: Scope) -> tuple[Cause, ...]:
        """Return the earlier events that this one depends on."""
        agent, found = self.agent, list[Cause]()
        for name in self.plan.needs:
            setter = agent.class_setter(name, self.frame)
            if setter is not None:
                found.append(Cause("class", name, setter))
        value = self.attributes.values.get("depends_on")
        for handle in scalars(value) if value else ():
            setter = agent.handles.get(scope.expand(handle))
            if setter is not None:
                found.append(Cause("handle", handle, setter))
        for name in self.attributes.references:
            for one in (scope.assuming(scope.namespace), scope):
                setter = agent.setters.get(("variable", *one.key(one.expand(name))))
                if setter is not None:
                    found.append(Cause("variable", name, setter))
                    break
        return tuple(dict.fromkeys(found))
