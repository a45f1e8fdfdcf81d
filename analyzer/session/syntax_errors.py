"""Finds the syntax errors of manifests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.modules import is_misnamed
from analyzer.frontends.puppet.node.sites import modulepath_around
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.frontends.puppet.syntax.diagnostic import place_in
from analyzer.frontends.puppet.syntax.issues import LOCATION
from analyzer.reach import Outside
from analyzer.reading import read_bytes
from analyzer.source import Span, caret_snippet, without_secrets

# The first bytes of a policy package of SELinux, whose files end in `.pp` too.
SELINUX_PACKAGE = b"\x8f\xff\x7c\xf9"


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
