"""One compile with the inputs of a record, and what the program logs meanwhile."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

import analyzer.frontends.puppet.compile as compile_module
from analyzer.diagnostics import InputError
from analyzer.export.catalog_json import to_json
from analyzer.frontends.puppet.compile import Codebase, compile_node, read_manifests
from analyzer.frontends.puppet.compiler import passes
from analyzer.frontends.puppet.compiler.calls.dispatch import CATALOG_FUNCTIONS
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite, Compilation
from analyzer.frontends.puppet.compiler.recovery import body_of
from analyzer.frontends.puppet.evaluate.limits import limited
from analyzer.frontends.puppet.evaluate.text import text_of
from analyzer.frontends.puppet.failures import explained
from analyzer.frontends.puppet.node.code import environment_of_code
from analyzer.frontends.puppet.node.environment import (
    CODE,
    Classified,
    Settings,
    find_environment,
)
from analyzer.frontends.puppet.node.facts import fact_sets
from analyzer.model.releases import Release

from .records import Record

LEVELS = ("notice", "warning", "err", "alert", "emerg", "crit")
SECONDS = 20
_TEMPORARY = re.compile(r"/tmp/rspecrun")


class TooSlow(Exception):
    """A record took more than SECONDS."""


@dataclass(slots=True)
class Made:
    """What catgraph makes of a program: a catalog, or an error, and the messages."""

    document: dict[str, Any] | None
    error: Exception | None
    messages: list[tuple[str, str]]


@dataclass(slots=True)
class Watch:
    """What is observed of the compile under way, and what it is given beside its settings."""

    messages: list[tuple[str, str]] = field(default_factory=list)
    after: str = ""
    given: Classified = field(default_factory=Classified)


WATCH = Watch()


@contextmanager
def in_time() -> Iterator[None]:
    """Raise TooSlow in what takes more than SECONDS."""

    def stop(*_: object) -> NoReturn:
        raise TooSlow

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def watch() -> None:
    """Observe the compiles of this process: messages, and code after the last pass."""

    def log(self: CallSite, level: str, *values: object) -> None:
        if level in LEVELS:
            WATCH.messages.append((level, " ".join(map(text_of, values))))

    def evaluate_after(compilation: Compilation) -> None:
        """Evaluate a text in the top scope of a finished compile, as specs do."""
        if WATCH.after:
            virtual = [key for key, one in compilation.entries.items() if one.virtual]
            for key in virtual:
                del compilation.entries[key]
            compilation.definitions.add_program(WATCH.after, "")
            program, unit = compilation.definitions.programs[-1]
            body_of(program.body, unit)(compilation, compilation.top)

    for level in LEVELS:
        if level in CATALOG_FUNCTIONS:
            _watch_function(level)
    CallSite.log = log  # type: ignore[method-assign]
    compile_module.classified = lambda *_: WATCH.given
    passes.PASSES = (*passes.PASSES, evaluate_after)


def _watch_function(level: str) -> None:
    inner = CATALOG_FUNCTIONS[level]

    def call(site: CallSite, *values: Any) -> Any:
        WATCH.messages.append((level, " ".join(map(text_of, values))))
        return inner(site, *values)

    CATALOG_FUNCTIONS[level] = call


@dataclass(frozen=True, slots=True)
class Inputs:
    """How the records of a run are compiled: `source` has fixtures, `version` is catgraph's."""

    source: Path
    version: Release

    def compiled(
        self, base: Record, code: str, variables: dict[str, Any] | None = None, after: str = ""
    ) -> Made:
        """Compile a program with the inputs of a record; `after` is evaluated in its scope."""
        WATCH.messages, WATCH.after = [], after
        places = _write_files(base.get("files") or {})
        try:
            with in_time():
                return Made(self._document(base, code, variables or {}), None, WATCH.messages)
        except Exception as error:
            return Made(None, error, WATCH.messages)
        finally:
            WATCH.after = ""
            for place in filter(_TEMPORARY.match, places):
                shutil.rmtree(place, ignore_errors=True)

    def _document(self, base: Record, code: str, variables: dict[str, Any]) -> dict[str, Any]:
        path, settings = self._settings(base, code)
        facts = settings.fact_values or {}
        given = base.get("params") or {}
        variables = {k: v for k, v in given.items() if k != "environment" and k not in facts} | (
            (base.get("vars") or {}) | variables
        )
        classes = base.get("classes") or []
        WATCH.given = Classified(
            (dict.fromkeys(classes) if isinstance(classes, list) else classes) or None,
            variables,
            None,
        )
        with explained(path), limited(0, 0):
            find = environment_of_code if settings.is_code else find_environment
            environment = find(path, settings)
        # A manifest that only defines classes is a site here, not a list of classes.
        codebase = Codebase(environment, read_manifests(environment, settings))
        one = fact_sets(settings)[0][1]
        made = compile_node(codebase, settings, base["node"], None, one, path)
        if made.error is not None:
            raise made.error
        assert made.catalog is not None
        document: dict[str, Any] = json.loads(to_json(made.catalog))
        return document

    def _settings(self, base: Record, code: str) -> tuple[str, Settings]:
        settings, env = base.get("settings") or {}, base["env"]
        hiera = base.get("hiera_config")
        made = Settings(
            node=base["node"],
            modulepath=tuple(filter(os.path.isdir, env["modulepath"])),
            hiera_config=hiera if hiera and os.path.exists(hiera) else None,
            environment=env["name"],
            puppet_version=self.version if settings.get("strict") == "error" else 7,
            strict_variables=settings.get("strict_variables") == "true",
            strict=True,
            trusted=base.get("trusted") or {},
            server_facts=base.get("server_facts") or {},
            overlay={CODE: code} if code else {},
            fact_values=dict(base.get("facts") or {}),
            time_limit=0,
            allow_read=("/tmp",),
        )
        folder, manifest = self._folder(base), env.get("manifest") or ""
        if code:
            return folder or CODE, made
        programs = (
            [manifest] if os.path.isfile(manifest) else Path(manifest or "/none").rglob("*.pp")
        )
        if not any(programs):
            return folder or CODE, replace(made, overlay={CODE: "# nothing\n"})
        if folder and os.path.normpath(manifest) == os.path.join(folder, "manifests"):
            return folder, made
        return manifest, made

    def _folder(self, base: Record) -> str | None:
        """Return the folder of the environment, if it is one of files."""
        folder = base["env"].get("dir")
        if not folder or not os.path.isdir(folder):
            return None
        known = folder.startswith(str(self.source))
        below = any(path.startswith(f"{folder}/") for path in base.get("files") or {})
        return folder if known or below else None


def _write_files(files: dict[str, str]) -> set[str]:
    """Write the temporary files of a record and return their topmost folders."""
    places = set()
    for path, text in files.items():
        if path.startswith("/tmp/"):
            places.add("/".join(path.split("/")[:3]))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            Path(path).write_text(text, encoding="utf-8", newline="")
    return places


def is_refusal(error: Exception) -> bool:
    """Return whether an error is one that catgraph means, no internal one."""
    return isinstance(error, InputError) and "internal error" not in str(error)
