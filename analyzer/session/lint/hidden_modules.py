"""Adds to errors about missing names which file has the name, if another module hides it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.modules import shown
from analyzer.linter.old_code import missing_name
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.run import Found


def with_hidden_files(found: Iterable[Found], programs: Sequence[Program]) -> Iterator[Found]:
    """Yield findings, with notes about files in modules that Puppet does not read.

    Of modules with one name, Puppet uses the first one on the modulepath
    (lib/puppet/node/environment.rb).
    """
    paths = modulepaths(programs)
    for one in found:
        finding, name = one.finding, missing_name(one.finding)
        homes = (hidden_file(name, path) for path in paths) if name else ()
        home = next(filter(None, homes), None)
        if home is None:
            yield one
            continue
        file, module = map(shown, home)
        note = f"{file} has this name, but Puppet uses {module}, which is first on the modulepath"
        yield replace(one, finding=replace(finding, notes=(*finding.notes, note)))


def modulepaths(programs: Sequence[Program]) -> list[Sequence[str]]:
    """Return the modulepaths of programs, each once; those that cannot be read are left out."""
    found: dict[Sequence[str], None] = {}
    for one in programs:
        # What cannot be read is reported elsewhere.
        with suppress(InputError):
            found[tuple(one.environment.modulepath)] = None
    return [*found]


def hidden_file(name: str, modulepath: Sequence[str]) -> tuple[str, str] | None:
    """Return the file that would define a name, and the module that hides it, if there is one."""
    module, *parts = name.split("::")
    below = os.path.join("manifests", *(parts or ["init"])) + ".pp"
    places = [os.path.join(place, module) for place in modulepath]
    # A folder may be listed twice, or by a link.
    real = {os.path.realpath(one): one for one in reversed(places) if os.path.isdir(one)}
    first, *others = reversed(real.values()) if real else [""]
    files = [os.path.join(one, below) for one in others]
    found = next(filter(os.path.isfile, files), None)
    return None if found is None else (found, first)
