"""A file's tree and problems, from the cache where the same text was checked before.

What lexes, parses and validates is loaded only for a text that is not in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.frontends.puppet.syntax.autoload import modules_of, namespace_of
from analyzer.frontends.puppet.syntax.cache import Cache, kept, key_of
from analyzer.frontends.puppet.syntax.checked_file import Checked

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.validate.walk import Strictness


def check_cached(
    text: str,
    file: str = "",
    *,
    epp: bool = False,
    tasks: bool = False,
    strict: Strictness = "error",
    modulepath: Sequence[str] | None = None,
    cache: Cache,
) -> Checked:
    """Return the result of `check`, from the cache if the text was checked before."""
    namespace = namespace_of(file, modules_of(modulepath))
    if namespace == namespace_of(file, modules_of(None)):
        modulepath, namespace = None, None

    def make() -> Checked:
        from analyzer.frontends.puppet.syntax.check import check

        return check(text, file, epp=epp, tasks=tasks, strict=strict, modulepath=modulepath)

    kind = "template" if epp else "plan" if tasks else "manifest"
    found: Checked = kept(cache, key_of("checked", file, kind, strict, repr(namespace), text), make)
    return found
