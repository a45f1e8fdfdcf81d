"""A file's tree and problems, from the cache where the same text was checked before.

The cache has no trees: what reads them safely from bytes takes as long as the parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from analyzer.codec import Codec
from analyzer.frontends.puppet.syntax.autoload import modules_of, namespace_of
from analyzer.frontends.puppet.syntax.cache import Cache, key_of
from analyzer.frontends.puppet.syntax.checked_file import Checked
from analyzer.frontends.puppet.syntax.diagnostic import Diagnostic

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax import ast
    from analyzer.frontends.puppet.syntax.validate.walk import Strictness

# Whether a text has a tree, and its diagnostics.
CODEC = Codec(Diagnostic)


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

    kind = "template" if epp else "plan" if tasks else "manifest"
    key = key_of("checked", file, kind, strict, repr(namespace), text)
    row = cache.get(key, CODEC)
    if row is not None:
        has_tree, found = row
        return Checked(None, found, partial(parse, text, file, epp, tasks) if has_tree else None)
    from analyzer.frontends.puppet.syntax.check import check

    made = check(text, file, epp=epp, tasks=tasks, strict=strict, modulepath=modulepath)
    cache.put(key, (made.tree is not None, made.found), CODEC)
    return made


def parse(text: str, file: str, epp: bool, tasks: bool) -> ast.Program:
    """Return the tree of a text that has one; the parser is loaded only now."""
    from analyzer.frontends.puppet.syntax.check import parse_tree

    return parse_tree(text, file, epp, tasks, [])
