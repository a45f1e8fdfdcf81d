"""Builds a lint request from `catgraph.toml` and the user's choices."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import cast

from analyzer.config import Config
from analyzer.diagnostics import Finding, Severity
from analyzer.graph.automatic.rules import Rules
from analyzer.linter.choice import Choice, is_known, unknown_rule
from analyzer.linter.plugins import plugin_rules
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import Rule
from analyzer.model.catalog import Catalog
from analyzer.session import config_for, load_catalogs, rules_for, settings_of
from analyzer.session.lint import Lint, Request
from analyzer.session.lint_worlds import WORLDS


def lint(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]], config: str | None = None
) -> list[Finding]:
    """Check manifests, modules, control repos and catalogs with the rules of the lint.

    `config` is a `catgraph.toml`, by default the nearest one at or above each path. Code that
    cannot be compiled is a finding. The baseline is ignored.

    Raises:
        InputError: a path cannot be read, or a configuration is not valid.
    """
    one = isinstance(paths, (str, PathLike))
    inputs = in_order([cast("str", paths)] if one else cast("Iterable[str]", paths))
    if not inputs:
        return []
    found = Lint(
        Request(
            inputs,
            choice_of(config_for(inputs[0], config)),
            lambda path: settings_of(config_for(path, config), {}),
            rules_by_path(config),
            load_catalogs,
            worlds=worlds_of(config_for(inputs[0], config)),
        )
    )
    findings = list(found.results().findings)
    for error in found.errors:
        raise error
    return findings


def worlds_of(config: Config | None) -> int:
    """Return the most worlds to search for each node."""
    return (config and config.worlds) or WORLDS


def in_order(paths: Iterable[str | PathLike[str]]) -> tuple[str, ...]:
    """Return inputs in an order that does not depend on the order of the arguments."""
    names = (os.fspath(path) for path in paths)
    return tuple(sorted({name if name == "-" else os.path.normpath(name) for name in names}))


def rules_by_path(named: str | None) -> Callable[[Catalog], Rules | None]:
    """Return a function that returns the graph rules of a catalog."""
    return lambda catalog: rules_for(catalog, config_for(catalog.path, named))


def choice_of(
    config: Config | None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    *,
    shuffle: int = 0,
    plugins: bool = True,
) -> Choice:
    """Return the rules to apply; given values override the file.

    Raises:
        InputError: the file names an unknown rule, a rule or contract of it is not valid, or a
        plugin fails.
    """
    file = config or Config("")
    own = all_own(config, plugins=plugins)
    check_codes(file, {**all_rules(), **own})
    selected = tuple(select or file.select)
    if shuffle:
        # Without a selection, the rules that are on by default run as well.
        selected = (*(selected or ("",)), "CG401")
    severity = cast("dict[str, Severity]", file.severity)
    return Choice(selected, tuple(ignore or file.ignore), severity, file.per_path, own)


def all_own(config: Config | None, *, plugins: bool = True) -> dict[str, Rule]:
    """Return the rules of plugins, and those of a configuration.

    Raises:
        InputError: one of them is not valid, two have one code, or a plugin fails.
    """
    found = dict(plugin_rules()) if plugins else {}
    if config is None or not (config.rules or config.contracts):
        return found
    # Queries import Lark.
    from analyzer.linter.contracts.own import own_rules, place_of_code

    own = own_rules(config)
    for code in own:
        if code in found:
            said = f"'{code}' is also the code of a rule of {found[code].origin}"
            raise config.wrong(said, *place_of_code(config, code))
    return {**found, **own}


def check_codes(file: Config, known: Mapping[str, Rule]) -> None:
    """Check the codes of a configuration.

    Raises:
        InputError: a code matches no rule.
    """
    places: list[tuple[tuple[str, ...], str]] = [(("select",), code) for code in file.select]
    places += [(("ignore",), code) for code in file.ignore]
    places += [(("severity", code), code) for code in file.severity]
    places += [
        (("per_path", path), code) for path, codes in file.per_path.items() for code in codes
    ]
    for steps, code in places:
        if not is_known(code, known):
            raise file.wrong(unknown_rule(code, known), *steps)
