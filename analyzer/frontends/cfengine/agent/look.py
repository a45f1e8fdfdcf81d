"""Evaluates a promise in one pass: its guard, its lists, its conditions in the agent's order."""

from __future__ import annotations

from itertools import islice

from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.actions import Actions, CallBundle
from analyzer.frontends.cfengine.agent.events import (
    PENDING,
    SKIPPED,
    UNFINISHED,
    Cause,
    Event,
    worse,
)
from analyzer.frontends.cfengine.agent.frames import Frame
from analyzer.frontends.cfengine.agent.plan import Attributes, Plan
from analyzer.frontends.cfengine.agent.state import Agent
from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.evaluator import Evaluator, iterations, scalars, words
from analyzer.frontends.cfengine.policy.normal_order import PASSES
from analyzer.frontends.cfengine.policy.variables import Aborted, Content, Scope

MOST_ITERATIONS = 200_000


class Look:
    """Counts the iterations of a promise, and records whether one did not run."""

    __slots__ = ("agent", "attributes", "call", "count", "frame", "noted", "number", "plan")

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

    def run(self) -> str:
        """Evaluate the promise, and return its outcome."""
        agent, frame, plan = self.agent, self.frame, self.plan
        bundle = frame.bundle
        if plan.never or (
            plan.guard is not None
            and not agent.classes.value(plan.guard, bundle.namespace, frame.private)
        ):
            return self.skip("class_guard", plan.promise.guard)
        # In a body the private classes of the bundle are not seen.
        self.attributes: Attributes = plan.attributes(
            lambda guard: bool(agent.classes.holds(guard, bundle.namespace, []))
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
        plan, begun = self.plan, outcome != SKIPPED or reason in ("already_done", "held_unresolved")
        return Event(
            self.frame.bundle,
            plan.type,
            plan.promise,
            promiser,
            self.number,
            self.count if begun else None,
            outcome,
            reason,
            detail,
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
        promiser = scope.expand(plan.promise.promiser)
        scope.special["this.promiser"] = promiser
        space, private = frame.bundle.namespace, frame.private
        values = scope.assuming("default")
        evaluator = Evaluator(values, lambda text: agent.classes.holds(text, space, private))
        if plan.type == "classes" and evaluator.holds(canonified(promiser)):
            return self.skip("class_already_set", canonified(promiser))
        if self.attributes.conditional:
            skipped = self.excluded(evaluator)
            if skipped:
                return self.skip(*skipped)
        self.count += 1
        return self.begin(promiser, evaluator)

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
        except (Aborted, RecursionError):
            if place is not None:
                agent.events[place] = self.event(promiser, UNFINISHED)
            raise
        if place is not None:
            causes = self.causes(evaluator.scope)
            agent.events[place] = self.event(promiser, outcome, reason, detail, causes)
        return outcome

    def excluded(self, evaluator: Evaluator) -> tuple[str, str] | None:
        """Return the condition that stops a promise, and its text."""
        values = self.attributes.values
        for name in ("ifvarclass", "if"):
            value = values.get(name)
            if value is not None and evaluator.condition(value) is not True:
                return "if", words(value)
        value = values.get("unless")
        if value is not None:
            found = evaluator.condition(value)
            last = self.agent.number == PASSES
            if found is True or (found is None and not last):
                return "unless", words(value)
        value = values.get("depends_on")
        if value is not None:
            names = evaluator.known(value)
            for handle in names if isinstance(names, list) else [names]:
                if handle not in self.agent.handles:
                    return "depends_on", str(handle)
        return None

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
