"""Diagnostics of `catgraph.toml`: keys, values, and the user's own rules and contracts."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from lsprotocol import types

from analyzer.config import MOST, Config, check_table, of_document
from analyzer.config.keys import KEYS
from analyzer.config.places import toml_error
from analyzer.diagnostics import InputError
from analyzer.lsp.checks.shown import SOURCE, range_of
from analyzer.lsp.state.snapshot import Snapshot
from analyzer.source import Span


def diagnostics(snapshot: Snapshot, path: str) -> list[types.Diagnostic]:
    """Return the diagnostics of each key of a configuration."""
    found = errors_in(snapshot.text(path)[:MOST], path)
    return [
        types.Diagnostic(
            range=range_of(snapshot, path, error.span),
            message=error.message,
            severity=types.DiagnosticSeverity.Error,
            code=error.code,
            source=SOURCE,
        )
        for error in found
    ]


def errors_in(text: str, path: str) -> list[InputError]:
    """Return the errors of a text: one for each top-level key, else those of rules."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return [toml_error(path, text, error)]
    except RecursionError:
        return [InputError("is nested too deeply", Span(path, 1, 1), "bad-config")]
    found = [*failing(partial(check_table, path, text, {key: document[key]}, KEYS, ())
                      for key in document)]  # fmt: skip
    return found or [*failing(checks_of(of_document(path, text, False, document)))]


def failing(checks: Iterable[Callable[[], object]]) -> Iterator[InputError]:
    """Yield the errors of checks."""
    for check in checks:
        try:
            check()
        except InputError as error:
            yield error


def checks_of(config: Config) -> Iterator[Callable[[], object]]:
    """Yield the checks of a configuration whose keys are valid.

    Rules and contracts come first, each on its own: the tables that choose rules may name them.
    """
    from analyzer.linter.contracts.own import code_of, contract_rule_of, rule_of
    from analyzer.linter.registry import all_rules
    from analyzer.linter.rule import Rule
    from analyzer.session.lint.request import check_codes

    known = dict(all_rules())
    own: dict[str, Rule] = {}

    def add(table: str, number: int) -> None:
        code = code_of(config, table, number, own)
        # A table that chooses rules may name it even if it is wrong.
        own[code] = next(iter(known.values()))
        make = rule_of if table == "rules" else contract_rule_of
        own[code] = make(config, number, code)

    for table in ("rules", "contracts"):
        for number in range(len(getattr(config, table))):
            yield partial(add, table, number)
    nothing = replace(config, select=(), ignore=(), severity={}, per_path={})
    for key in ("select", "ignore", "severity", "per_path"):
        chosen = replace(nothing, **{key: getattr(config, key)})
        yield partial(check_codes, chosen, {**known, **own})
