"""Describes what a lint is asked, from `catgraph.toml` and the user's choices."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, cast

from analyzer.config import Config
from analyzer.diagnostics import Finding, InputError, Severity
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.graph.automatic.rules import Rules
from analyzer.linter.choice import Choice, is_known, unknown_rule
from analyzer.linter.plugins import plugin_rules
from analyzer.linter.policies import Assumed
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import Rule
from analyzer.model.catalog import Catalog
from analyzer.progress import Progress
from analyzer.session.lint.inputs import LintPart, is_document
from analyzer.session.settings import config_for, rules_for
from analyzer.session.workers import Workers

# The most worlds of a node by default.
WORLDS = 16


@dataclass(frozen=True)
class Request:
    """A request to lint inputs: settings, and rules of the graph by input.

    `keep` selects the findings before fixes are tried, if `fixes` is true; of these, `to_fix`
    selects those that get fixes. `shuffle` is the number of random orders to try. `assumed`
    describes the machines that policies run on. `allow_read` are folders whose inputs may be read
    although they are outside of a policy's checkout. `include_vendored` reports on modules that the
    repository does not own. `worlds` is the number of further compiles of each node, with other
    facts. `identity` returns a text for each path that differs if the functions may differ; None:
    results are not stored. `workers` answer parts of the work in other processes; None: this
    process does everything.
    Without `comments`, comments of the code accept nothing. `progress` shows how far it is.
    """

    paths: tuple[str, ...]
    choice: Choice = field(default_factory=Choice)
    settings_for: Callable[[str], Settings] = lambda path: Settings()
    rules_for: Callable[[Catalog], Rules | None] = lambda catalog: None
    load: Callable[[str], list[Catalog]] = lambda path: []
    keep: Callable[[Finding], bool] = lambda finding: True
    fixes: bool = True
    to_fix: Callable[[Sequence[Finding]], Sequence[Finding]] = lambda findings: findings
    shuffle: int = 0
    assumed: Assumed = field(default_factory=Assumed)
    allow_read: tuple[str, ...] = ()
    include_vendored: bool = False
    comments: bool = True
    worlds: int = 1
    identity: Callable[[str], str] | None = None
    workers: Workers[LintPart, Any] | None = None
    progress: Progress | None = None


def readable(request: Request) -> frozenset[str]:
    """Return the real paths below which the files of a request may be read and shown.

    A catalog names the files of another machine: of those, files in the checkout of the working
    folder or next to the catalog may be read.
    """
    found: set[str] = set()
    for path in request.paths:
        around = [os.curdir, os.path.dirname(path) or os.curdir] if is_document(path) else []
        settings = Settings()
        with suppress(InputError):
            settings = request.settings_for(path)
        found |= settings.roots(path, *around)
    return frozenset(found)


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
