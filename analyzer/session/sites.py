"""The sites, modules and manifests of a folder that are compiled apart from each other."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.compiles.own_code import OwnCode, has_choice, of_module
from analyzer.compiles.sites import DividedCode, divide
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import Module, module_around
from analyzer.linter.vendored import Vendored
from analyzer.reach import RealPaths
from analyzer.session.lint.own_code import own_code


@dataclass(frozen=True, slots=True)
class InputParts:
    """The paths of the parts of a folder, whose own `code` is known once it was divided.

    `beside` are the modules among the parts in which no site looks for code.
    """

    path: str
    paths: Sequence[str]
    beside: Mapping[str, Module] = field(default_factory=dict)
    code: OwnCode | None = None

    def own_code(self, part: str, settings: Settings) -> OwnCode:
        """Return the code of a part, without that of others and of modules that are other parts.

        Definitions of these modules that have not their names belong to the first site.
        """
        known = self.code is not None and part == self.path
        code = self.code if self.code is not None and known else own_code(part, settings)
        if part in self.beside:
            return OwnCode(of_module(part, self.beside[part].name, code.definitions))
        own = [*code.definitions]
        if self.code is not None and part == self.paths[0]:
            real, folders = RealPaths(), frozenset(map(os.path.realpath, self.beside))
            inner = (one for one in self.code.definitions if real.is_below(one.span.file, folders))
            own = [*dict.fromkeys([*own, *inner])]
        for folder, module in self.beside.items():
            found = {*of_module(folder, module.name, own)}
            own = [one for one in own if one not in found]
        return OwnCode(own, code.of_nodes)


def parts_of(path: str, settings: Settings) -> InputParts:
    """Return the parts of a folder that are compiled apart, or only the path if it is one site.

    Code that is in no site is a part of its own: its module, or its manifest.
    """
    if has_choice(settings) or not os.path.isdir(path):
        return InputParts(path, [path])
    code = own_code(path, settings)
    try:
        divided = divided_code(path, settings, code)
    except InputError:
        # The compile reports it.
        return InputParts(path, [path])
    sites = [one.path for one in divided.sites]
    if not sites:
        return InputParts(path, [path], code=code)
    beside = {one.path: one.module for one in divided.modules if one.module is not None}
    real = RealPaths()
    places = frozenset(map(real.of, (*sites, *beside)))
    files = [one.span.file for one in code.definitions]
    left = [file for file in (*files, *code.of_nodes) if not real.is_below(file, places)]
    others = dict.fromkeys(module_around(file) or file for file in left)
    return InputParts(path, [*sites, *beside, *others], beside, code)


def divided_code(path: str, settings: Settings, code: OwnCode) -> DividedCode:
    """Return the sites and modules of a folder with some code of its own.

    Raises:
        InputError: a folder cannot be read.
    """
    others = Vendored([path], RealPaths())
    files = {one.span.file for one in code.definitions}
    return divide(path, settings, lambda: files, others.module_of)
