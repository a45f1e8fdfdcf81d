"""The classes and defined types of the checked code itself, and which of them were compiled."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator

from analyzer.compiles.own_code import Definition, OwnCode
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import manifests_below, module_around
from analyzer.frontends.puppet.node.unloaded import is_in_no_catalog
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.checked import CheckedCatalog, definitions_of
from analyzer.linter.puppet.subjects import Compiled, manifest_of
from analyzer.linter.texts import Names, Texts
from analyzer.linter.vendored import Vendored
from analyzer.reach import RealPaths
from analyzer.source import Span, place_of

DEFINITION = re.compile(
    r"^([^\S\n]*)(class|define)\s+(?:::)?([a-z][\w-]*(?:::[\w-]+)*)(?=[\s({#/]|\Z)", re.MULTILINE
)
# Wherever one may begin, in a comment or a text too; comments may stand before and after its name.
ANYWHERE = re.compile(
    r"\b(?:class|define)(?:\s+(?:::)?[a-z][\w-]*(?:::[\w-]+)*\s*(?:[({]|inherits\b|#|/\*|\Z)|\s*(?:#|/\*))"
)
NODE = re.compile(r"^[^\S\n]*node\s+(?:['\"/]|[\w.-]+\s*(?:[,{]|inherits\b))", re.MULTILINE)
KINDS: dict[type, str] = {a.HostClassDefinition: "class", a.ResourceTypeDefinition: "define"}

# The folder of the environments of a repository, of which one is checked.
ENVIRONMENTS = f"{os.sep}environments{os.sep}"


def own_definitions(path: str, settings: Settings) -> list[Definition]:
    """Return the classes and defined types of the code at a path, without those of others."""
    return [*own_code(path, settings).definitions]


def own_code(path: str, settings: Settings) -> OwnCode:
    """Return the code at a path, without that of others."""
    real, roots = RealPaths(), settings.roots(path)
    names, others = Names([path]), Vendored([path], real)
    by_place = {real.of(file): names.of(file) for file in manifests_below(path, [])}
    files = sorted(file for file in by_place.values() if not others.module_of(file))
    texts = Texts(None, lambda file: real.is_below(file, roots))
    definitions = definitions_in(files, texts.get, [path])
    return OwnCode(definitions, [*files_of_nodes(files, texts.get, [path])])


def own_definitions_in(
    files: Iterable[str] | None, path: str, settings: Settings
) -> list[Definition]:
    """Return the classes and defined types of those manifests that are of the code at a path.

    `files` None: of all manifests.
    """
    if files is None:
        return own_definitions(path, settings)
    real, roots = RealPaths(), settings.roots(path)
    others = Vendored([path], real)
    texts = Texts(None, lambda file: real.is_below(file, roots))
    return definitions_in((f for f in files if not others.module_of(f)), texts.get, [path])


def definitions_in(
    files: Iterable[str], text_of: Callable[[str], str | None], inputs: Collection[str]
) -> list[Definition]:
    """Return the classes and defined types of manifests.

    Examples and tests of a module are no part of a catalog. A definition has the same name in
    several environments, and counts once.
    """
    found: dict[tuple[str, str, str], Definition] = {}
    for file in files:
        text = text_of(file) or ""
        if not is_in_no_catalog(file, inputs) or is_of_old_module(file, text):
            place = "" if ENVIRONMENTS in os.path.abspath(file) else file
            for one in definitions_of_text(file, text):
                found.setdefault((one.kind, one.name, place), one)
    return list(found.values())


def files_of_nodes(
    files: Iterable[str], text_of: Callable[[str], str | None], inputs: Collection[str]
) -> Iterator[str]:
    """Yield the manifests with node blocks that are in no module, as far as a glance shows."""
    for file in files:
        if not NODE.search(text_of(file) or ""):
            continue
        if module_around(file) is None and not is_in_no_catalog(file, inputs):
            yield file


def is_of_old_module(file: str, text: str) -> bool:
    """Return whether a manifest is of a module with a hyphen in its name, which Puppet 3 loaded."""
    module, manifests, _ = file.rpartition(f"{os.sep}manifests{os.sep}")
    name = os.path.basename(module)
    defines = rf"^\s*(?:class|define)\s+{re.escape(name)}(?![\w-])"
    is_old = bool(manifests) and "-" in name
    return is_old and re.search(defines, text, re.MULTILINE) is not None


def definitions_of_text(file: str, text: str) -> Iterator[Definition]:
    """Yield the classes and defined types of a manifest: at a glance, if each begins a line."""
    matches = [*DEFINITION.finditer(text)]
    others = sum(1 for _ in ANYWHERE.finditer(text)) > len(matches)
    tree = manifest_of(file, text) if others or any(match[1] for match in matches) else None
    if tree is None:
        for match in matches:
            span = Span(file, text.count("\n", 0, match.start(2)) + 1)
            yield Definition(match[2], match[3], span)
        return
    for node in tree.program.definitions:
        if isinstance(node, a.HostClassDefinition | a.ResourceTypeDefinition):
            span = Span(file, place_of(text, node.offset)[0])
            yield Definition(KINDS[type(node)], node.name.removeprefix("::"), span)


def not_in(
    own: Iterable[Definition], catalogs: Iterable[Compiled | CheckedCatalog], names: Names
) -> list[Definition]:
    """Return the definitions that no catalog has, in order of their names.

    Another file may define a class of the same name: a catalog has the one that it was made from.
    """
    files: dict[str, list[frozenset[str]]] = defaultdict(list)
    for one in catalogs:
        used = frozenset(map(names.of, one.files))
        for name in definitions_of(one):
            files[name].append(used)
    left = [one for one in own if not any(one.span.file in used for used in files[one.name])]
    return sorted(left, key=lambda one: one.name)
