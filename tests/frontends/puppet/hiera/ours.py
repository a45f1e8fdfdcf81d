"""What our Hiera makes of a case."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from analyzer.formats.yaml_scalars import RubySymbol
from analyzer.model.values import DEFAULT, Sensitive, Unknown
from tests.frontends.puppet.hiera import api as hiera

from .cases import Ask, Case, found, refusal

FUNCTIONS = {
    "hiera": hiera.hiera,
    "hiera_array": hiera.hiera_array,
    "hiera_hash": hiera.hiera_hash,
}


class FewTypes:
    """As much of a type system as the cases need."""

    def parse(self, text: str) -> Any:
        if text not in ("Sensitive", "Array", "Any"):
            raise hiera.HieraError(f"no type {text} here")
        return text

    def new(self, kind: Any, value: Any, arguments: list[Any]) -> Any:
        if kind == "Sensitive":
            return Sensitive(value)
        return value if isinstance(value, list) else [value]

    def check(self, subject: str, kind: Any, value: Any) -> Any:
        return value


def plain(value: Any) -> Any:
    """The value as `puppet_lookup.rb` writes it."""
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return {key: plain(item) for key, item in value.items()}
        pairs = [[plain(key), plain(item)] for key, item in value.items()]
        return {"__type": "Hash", "value": pairs}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return _plain_scalar(value)


def _plain_scalar(value: Any) -> Any:
    if isinstance(value, RubySymbol):
        return {"__type": "Symbol", "value": value.name}
    if value is DEFAULT:
        return {"__type": "Symbol", "value": "default"}
    if isinstance(value, Sensitive):
        return {"__type": "Sensitive", "value": plain(value.value)}
    if isinstance(value, Unknown):
        return {"__type": "Unknown", "value": value.reason}
    if isinstance(value, float) and not math.isfinite(value):
        shown = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return {"__type": "Float", "value": shown}
    return value


def variables(facts: dict[str, Any]) -> dict[str, Any]:
    """The top scope of the harness."""
    trusted = {
        "authenticated": "remote",
        "certname": "node.example.com",
        "extensions": {},
        "hostname": "node",
        "domain": "example.com",
        "external": {},
    }
    return {**facts, "facts": facts, "trusted": trusted, "environment": "production"}


def make(case: Case, root: Path) -> hiera.Lookup:
    """The lookup of a case whose files lie in a folder."""
    environment = root / "production"
    return hiera.Lookup(
        root / "global/hiera.yaml",
        environment,
        [environment / "modules"],
        hiera.ScopeVariables(variables(case.facts)),
        strict=case.strict,
        # As Puppet 7, whose answers are recorded.
        strict_paths=True,
        services=hiera.Services(types=FewTypes()),
    )


def results(case: Case, root: Path) -> list[str]:
    """Our results of the calls of a case."""
    data = make(case, root)
    return [_result(data, ask, root) for ask in case.asks]


def _result(data: hiera.Lookup, ask: Ask, root: Path) -> str:
    try:
        value = _call(data, ask)
    except hiera.HieraError as error:
        return refusal(str(error), root)
    return "?" if value is hiera.MISSING else found(plain(value))


def _call(data: hiera.Lookup, ask: Ask) -> Any:
    block = (lambda _name: ask.block[0]) if ask.block else None
    arguments = [_typed(argument) for argument in ask.arguments]
    if ask.function == "parameter":
        return data.parameter(arguments[0])
    if ask.function == "lookup":
        return hiera.call_lookup(data, arguments, block)
    return FUNCTIONS[ask.function](data, *arguments, block=block)


def _typed(argument: Any) -> Any:
    named = isinstance(argument, dict) and argument.keys() == {"type"}
    return argument["type"] if named else argument
