"""EPP templates: text that is rendered, and the values between (Evaluator::EppEvaluator)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.thunks import Thunk, compiles, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Sensitive

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

# The variable that holds what is rendered so far; no variable of a program has this name.
OUTPUT = "@epp"


@compiles(a.EppExpression)
def template(node: a.EppExpression, unit: Unit) -> Thunk:
    """Compile a whole template: the text that it renders, an Unknown if one is part of it."""
    body = thunk_of(node.body, unit)

    def render(machine: Machine, scope: Scope) -> Any:
        parts: list[Any] = []
        level = scope.level
        scope.frames.append({OUTPUT: parts})
        try:
            body(machine, scope)
        finally:
            scope.leave(level)
        secret = any(isinstance(part, Sensitive) for part in parts)
        unknown = find_unknown(parts)
        if unknown is not None:
            return Sensitive(unknown) if secret else unknown
        text = "".join(p.value if isinstance(p, Sensitive) else p for p in parts)
        return Sensitive(text) if secret else text

    return render


@compiles(a.RenderStringExpression)
def render_text(node: a.RenderStringExpression, unit: Unit) -> Thunk:
    """Compile text between the code."""
    text = node.value

    def render(machine: Machine, scope: Scope) -> Any:
        scope.find(OUTPUT).append(text)

    return render


@compiles(a.RenderExpression)
def render_value(node: a.RenderExpression, unit: Unit) -> Thunk:
    """Compile `<%= value %>`."""
    thunk = thunk_of(node.expr, unit)

    def render(machine: Machine, scope: Scope) -> Any:
        value = thunk(machine, scope)
        if isinstance(value, Sensitive):
            shown: Any = Sensitive(machine.known_text(value.value))
        else:
            shown = machine.known_text(value)
        scope.find(OUTPUT).append(shown)

    return render
