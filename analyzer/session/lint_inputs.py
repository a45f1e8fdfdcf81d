"""Describes and classifies the inputs of the lint, and finds syntax errors in manifests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from analyzer.diagnostics import CompileError, Finding, InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import found_below, is_misnamed
from analyzer.frontends.puppet.node.sites import modulepath_around
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.frontends.puppet.syntax.diagnostic import place_in
from analyzer.frontends.puppet.syntax.issues import LOCATION
from analyzer.graph.automatic.rules import Rules
from analyzer.linter.choice import Choice
from analyzer.linter.input_files import POLICY, policies_below
from analyzer.linter.policies import Assumed
from analyzer.model.catalog import Catalog
from analyzer.reach import Outside
from analyzer.reading import read_bytes
from analyzer.session.workers import Workers
from analyzer.source import Span, caret_snippet, without_secrets

# The first bytes of a policy package of SELinux, whose files end in `.pp` too.
SELINUX_PACKAGE = b"\x8f\xff\x7c\xf9"

# The weight of a compile; a manifest has 1.
COMPILE = 4


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the work on an input: manifests, or compiles of one of its programs.

    `number` is the number of the program, -1 for manifests; `names` are files or compiles.
    """

    path: str
    number: int
    names: tuple[str, ...]

    @property
    def weight(self) -> int:
        """Return the weight; a compile takes longer than a manifest."""
        return len(self.names) * (1 if self.number < 0 else COMPILE)


@dataclass(frozen=True)
class Request:
    """A request to lint inputs: settings, and rules of the graph by input.

    `keep` selects the findings before fixes are tried, if `fixes` is true. `shuffle` is the number
    of random orders to try. `assumed` describes the machines that policies run on.
    `allow_read` are folders whose inputs may be read although they are outside of a policy's
    checkout. `include_vendored` reports on modules that the repository does not own. `worlds` is
    the number of further compiles of each node, with other facts. `identity` returns a text for
    each path that differs if the functions may differ; None: results are not stored. `workers`
    answer parts of the work in other processes; None: this process does everything.
    """

    paths: tuple[str, ...]
    choice: Choice = field(default_factory=Choice)
    settings_for: Callable[[str], Settings] = lambda path: Settings()
    rules_for: Callable[[Catalog], Rules | None] = lambda catalog: None
    load: Callable[[str], list[Catalog]] = lambda path: []
    keep: Callable[[Finding], bool] = lambda finding: True
    fixes: bool = True
    shuffle: int = 0
    assumed: Assumed = field(default_factory=Assumed)
    allow_read: tuple[str, ...] = ()
    include_vendored: bool = False
    worlds: int = 1
    identity: Callable[[str], str] | None = None
    workers: Workers[Part, Any] | None = None


def errors_in(file: str, text: str | None, readable: bool = True) -> Iterator[CompileError]:
    """Yield the syntax errors of a manifest, in Puppet's words."""
    if text is None:
        if readable and is_selinux_package(file):
            return
        said = why_unreadable(file) if readable else str(Outside(file).strerror)
        yield CompileError(f"cannot be read: {said}", Span(file), "unreadable")
        return
    around = None
    # The compile reports an unreadable environment.conf.
    with suppress(InputError):
        around = modulepath_around(os.path.dirname(file))
    for found in check_cached(text, file, modulepath=around, cache=user_cache()).found:
        if found.severity == "error" and not (found.code == LOCATION and is_misnamed(file)):
            line, column = place_in(found, text)
            message = without_secrets(found.message, text)
            snippet = caret_snippet(text, line, column)
            yield CompileError(message, Span(file, line, column), found.code, snippet)


def why_unreadable(file: str) -> str:
    """Return why a file that has no text cannot be read."""
    try:
        read_bytes(file)
    except OSError as error:
        return str(error.strerror)
    return "it is not UTF-8"


def is_selinux_package(file: str) -> bool:
    """Return whether a file is a compiled policy of SELinux, not a manifest.

    Within a folder of manifests it counts as a manifest: Puppet would load and refuse it.

    Source: `SEPOL_MODULE_PACKAGE_MAGIC` of libsepol, 0xf97cff8f, always little-endian.
    """
    if "manifests" in os.path.abspath(file).split(os.sep):
        return False
    with suppress(OSError):
        return read_bytes(file).startswith(SELINUX_PACKAGE)
    return False


def is_document(path: str) -> bool:
    """Return whether an input is a catalog that was compiled elsewhere."""
    return not (path.endswith((".pp", POLICY)) or os.path.isdir(path))


def has_only_policies(path: str) -> bool:
    """Return whether an input is about CFEngine only: a policy, or a folder without manifests."""
    if os.path.isdir(path):
        return not any(found_below(path, ".pp")) and bool(policies_below(path))
    return path.endswith(POLICY)


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
