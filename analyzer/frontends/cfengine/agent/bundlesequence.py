"""The bundles that the agent evaluates: those of `-b`, of the control body, or `main`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.diagnostics import CompileError
from analyzer.frontends.cfengine.policy.evaluator import Evaluator
from analyzer.frontends.cfengine.policy.variables import Scope
from analyzer.frontends.cfengine.syntax.ast import Call, ListValue, Scalar, Value
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.state import Agent
    from analyzer.frontends.cfengine.syntax.ast import Bundle

MAIN, KINDS = "main", ("agent", "common")
TRUE = ("true", "yes", "on")
# A bundle with the arguments that it is given.
Listed = tuple[str, tuple[Value, ...]]


def sequence_of(agent: Agent) -> tuple[list[Listed], Span]:
    """Return the names of the bundles and their place; `-b` overrides the policy."""
    if agent.bundles:
        return [(name, ()) for name in agent.bundles], Span(agent.policy.files[0].path)
    for attribute in agent.policy.control("common", "bundlesequence"):
        if agent.classes.holds(attribute.guard, "default", []) is True:
            value = attribute.value
            items = value.items if isinstance(value, ListValue) else (value,)
            found = [pair for item in items for pair in named_by(agent, item)]
            return found or [(MAIN, ())], attribute.span
    return [(MAIN, ())], Span(agent.policy.files[0].path)


def named_by(agent: Agent, item: Value) -> list[Listed]:
    """Return the bundles that one item of the bundlesequence names."""
    if isinstance(item, Call):
        return [(item.name, item.arguments)]
    found = Evaluator(Scope(agent.table, "default", "", {}), lambda text: None).known(item)
    names = found if isinstance(found, list) else [found]
    return [(name, ()) for name in names if isinstance(name, str)]


def bundles_of(agent: Agent) -> list[tuple[Bundle, tuple[Value, ...]]]:
    """Return the bundles to evaluate, with arguments, and record missing ones."""
    names, place = sequence_of(agent)
    found = []
    for name, arguments in names:
        bundle = agent.policy.bundle(name, "default", *KINDS)
        if bundle is not None:
            found.append((bundle, arguments))
        elif name != "cf_null":
            agent.warnings.append(f"bundle {name} of the bundlesequence does not exist")
            agent.absent.append((name, place))
    return found


def passes_over(agent: Agent) -> bool:
    """Return whether the policy ignores missing bundles."""
    found = (
        attribute.value
        for attribute in agent.policy.control("common", "ignore_missing_bundles")
        if agent.classes.holds(attribute.guard, "default", []) is True
    )
    first = next(found, None)
    return isinstance(first, Scalar) and first.text in TRUE


def check_sequence(agent: Agent) -> None:
    """Refuse a policy that CFEngine does not run because of a missing bundle.

    Inputs that could not be found may have the bundle.

    Raises:
        CompileError: CFEngine refuses it.
    """
    from difflib import get_close_matches

    if agent.refusal:
        message = f"CFEngine ends before the run: {agent.refusal}"
        raise CompileError(message, Span(agent.policy.files[0].path), "cf-refused")
    if not agent.absent or agent.policy.warnings or passes_over(agent):
        return
    name, place = agent.absent[0]
    known = [
        plain if space == "default" else f"{space}:{plain}"
        for kind, space, plain in agent.policy.bundles
        if kind in KINDS
    ]
    near = get_close_matches(name, known, 1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    if not near and known and not agent.bundles:
        hint = f"; --bundlesequence {known[0]} evaluates another"
    message = f"Bundle '{name}' listed in the bundlesequence is not a defined bundle{hint}"
    raise CompileError(message, place, "cf-bundlesequence")
