"""Evaluates a policy as cf-agent does: variables first, then three passes over each bundle.

Facts: normal ordering and promise locks as measured with cf-agent 3.21. Nothing that a promise
says is done: commands, files and the like have the outcomes that are given.
"""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.frontends.cfengine.agent import daemons, journal
from analyzer.frontends.cfengine.agent.bundlesequence import bundles_of
from analyzer.frontends.cfengine.agent.events import SKIPPED, Event, worse
from analyzer.frontends.cfengine.agent.frames import Frame
from analyzer.frontends.cfengine.agent.look import Look
from analyzer.frontends.cfengine.agent.plan import Plan
from analyzer.frontends.cfengine.agent.state import Agent
from analyzer.frontends.cfengine.policy.evaluator import scalars
from analyzer.frontends.cfengine.policy.normal_order import PASSES, in_order
from analyzer.frontends.cfengine.policy.variables import Aborted, Refused, Scope
from analyzer.frontends.cfengine.syntax.ast import Bundle, Promise, Value

EDITS = ("edit_line", "edit_xml")
# The bundles whose variables a program settles, before its first pass and later.
SETTLED = {
    "agent": ("agent", *EDITS),
    "server": ("server",),
    "monitor": ("monitor",),
}
COMMON = ["vars", "classes", "vars"]


def evaluate(agent: Agent) -> list[Event]:
    """Evaluate the bundles of the agent's program, and return the events."""
    try:
        agent.mark(journal.PREPARE)
        prepare(agent)
        agent.recording = True
        if agent.program == "agent":
            for bundle, arguments in bundles_of(agent):
                call_bundle(agent, Frame(bundle), arguments, None)
        else:
            evaluate_daemon(agent)
    except Aborted as aborted:
        agent.warnings.append(f"the run ends: {aborted}")
        if isinstance(aborted, Refused) and not agent.recording:
            agent.refusal = str(aborted)
    except RecursionError:
        agent.warnings.append("the run ends: a value or a call is nested too deep")
    agent.mark(journal.END)
    return agent.events


def evaluate_daemon(agent: Agent) -> None:
    """Evaluate the bundles of a server or monitor, in one pass over each."""
    for bundle in daemons.bundles_of(agent.policy, agent.program, agent.order):
        if bundle.parameters:
            agent.warnings.append(daemons.passed_over(bundle, agent.program))
            continue
        frame = Frame(bundle)
        agent.stack.append(frame)
        agent.mark(journal.ENTER, frame)
        agent.mark(journal.PASS, frame, 1)
        for kind in daemons.kinds_of(bundle, agent.program, agent.order):
            evaluate_section(agent, frame, kind, 1)
        agent.leave(frame, 0)


# ---- before the first pass


def prepare(agent: Agent) -> None:
    """Evaluate variables and the classes of common bundles: once as at loading, then together."""
    agent.install()
    for bundles in agent.policy.rounds:
        settle(agent, bundles)
    settle(agent, [b for tree in agent.policy.files for b in tree.bundles], check=True)
    for name in ("abortclasses", "abortbundleclasses"):
        agent.aborts[name] = [
            text
            for attribute in agent.policy.control("agent", name)
            if agent.classes.holds(attribute.guard, "default", []) is not False
            for text in scalars(attribute.value)
        ]


def settle(agent: Agent, bundles: Iterable[Bundle], *, check: bool = False) -> None:
    """Evaluate common bundles, then the variables of the other bundles of this program.

    With `check` the promises of the others are checked too, as just before the run.
    """
    wanted = [b for b in bundles if b.type == "common" or b.type in SETTLED[agent.program]]
    for common in (True, False):
        for bundle in wanted:
            if (bundle.type == "common") is common:
                agent.expand_loose(bundle)
                resolve(agent, Frame(bundle), before=True)
                if check and agent.program == "agent":
                    check_promises(agent, bundle)


def check_promises(agent: Agent, bundle: Bundle) -> None:
    """End the run if CFEngine refuses promises of a bundle whose conditions hold now."""
    agent.checking = True
    evaluate_between(agent, Frame(bundle), [*promises_by_type(agent, bundle)])
    agent.checking = False


def resolve(agent: Agent, frame: Frame, *, before: bool = False) -> None:
    """Evaluate a bundle's variables, for a common bundle also its classes, between passes."""
    kinds = COMMON if frame.bundle.type == "common" else COMMON[:1]
    evaluate_between(agent, frame, ["meta", *kinds] if before else kinds)


def evaluate_between(agent: Agent, frame: Frame, kinds: list[str]) -> None:
    """Evaluate sections once more, between passes."""
    recording, agent.recording = agent.recording, False
    for kind in kinds:
        evaluate_section(agent, frame, kind, agent.number)
    agent.recording = recording


# ---- bundles


def call_bundle(
    agent: Agent, frame: Frame, arguments: tuple[Value, ...], caller: Scope | None
) -> str:
    """Run the three passes over a bundle, and return its outcome."""
    bundle = frame.bundle
    agent.stack.append(frame)
    agent.mark(journal.ENTER, frame)
    agent.expand_loose(bundle)
    agent.bind(frame, arguments, caller)
    before = agent.number
    edits = bundle.type in EDITS
    if caller is not None:
        resolve(agent, frame)
    outcome = SKIPPED
    kinds = in_order(bundle.type, [s.type for s in bundle.sections if s.promises], agent.order)
    for number in range(1, PASSES + 1):
        if not edits:
            agent.number = number
        agent.mark(journal.PASS, frame, number)
        for kind in kinds:
            outcome = worse(outcome, evaluate_section(agent, frame, kind, number))
            if frame.left:
                agent.leave(frame, before)
                return outcome
            if kind == "classes" and not edits:
                agent.mark(journal.SETTLE, frame, number)
                resolve(agent, frame)
                evaluate_between(agent, frame, ["defaults"])
                agent.unmark()
    agent.leave(frame, before)
    return outcome


def evaluate_section(agent: Agent, frame: Frame, kind: str, number: int) -> str:
    """Run one pass over the promises of one type."""
    outcome = SKIPPED
    for promise in promises_by_type(agent, frame.bundle).get(kind, ()):
        plan = agent.plans.get(id(promise))
        if plan is None:
            plan = agent.plans[id(promise)] = Plan(promise, kind, frame.bundle, agent.policy)
        outcome = worse(outcome, Look(agent, frame, plan, number, call_bundle).run())
        if agent.recording and agent.leaving:
            frame.left, agent.leaving = True, False
            return outcome
    return outcome


def promises_by_type(agent: Agent, bundle: Bundle) -> dict[str, tuple[Promise, ...]]:
    """Return the promises of a bundle by type."""
    found = agent.sections.get(id(bundle))
    if found is None:
        found = {section.type: section.promises for section in bundle.sections}
        agent.sections[id(bundle)] = found
    return found
