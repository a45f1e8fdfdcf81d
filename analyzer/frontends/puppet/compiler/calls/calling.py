"""call: a function whose name is a value, or what a Deferred value stands for."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.frontends.puppet.compiler.declared.compilation import CallSite
from analyzer.frontends.puppet.evaluate.blocks import Block
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.model.values import Deferred, Sensitive, Unknown, Value


def call(site: CallSite, named: str | Deferred | Unknown, *arguments: Value) -> Value:
    """Return the value of a call by name, or of a Deferred value."""
    if isinstance(named, Unknown):
        # The function may declare resources.
        return site.compilation.undecided(named.as_any(), "function", site.unit, site.node)
    if isinstance(named, Deferred):
        return resolve(site, named)
    return call_named(site, named, arguments, site.block)


def call_named(
    site: CallSite, name: str, arguments: Sequence[Value], block: Block | None = None
) -> Value:
    """Return the value of a call by name.

    Raises:
        EvaluationError: there is no such function, in the words for names that are values.
    """
    try:
        return site.call(name, *arguments, block=block)
    except EvaluationError as error:
        if error.message == f"Unknown function: '{name}'.":
            raise EvaluationError(f"Unknown function '{name}'", error.unit, error.node) from None
        raise


def resolve(site: CallSite, value: Value) -> Value:
    """Return a value with all Deferred values in it resolved (Evaluator::DeferredResolver)."""
    if isinstance(value, Deferred):
        arguments = [resolve(site, one) for one in value.arguments]
        if value.name.startswith("$"):
            return site.call("dig", site.variable(value.name[1:]), *arguments)
        return call_named(site, value.name, arguments)
    if isinstance(value, list):
        return [resolve(site, one) for one in value]
    if isinstance(value, dict):
        return {key: resolve(site, one) for key, one in value.items()}
    return Sensitive(resolve(site, value.value)) if isinstance(value, Sensitive) else value
