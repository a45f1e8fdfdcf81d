"""The first stage of a lint: the rules, and where the texts, manifests and policies come from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from analyzer.compiles.own_code import OwnDefinition
from analyzer.frontends.puppet.node.modules import manifests_below
from analyzer.linter.checked import CheckedManifest
from analyzer.linter.puppet.site_texts import look_again
from analyzer.linter.puppet.subjects import Manifest, Refusal
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import Rule
from analyzer.linter.texts import Names, Texts
from analyzer.linter.vendored import Vendored
from analyzer.model.completeness import Gap
from analyzer.reach import RealPaths
from analyzer.session.lint.kept import KeptEntries, KeptManifests
from analyzer.session.lint.manifests import Manifests
from analyzer.session.lint.own_code import definitions_in
from analyzer.session.lint.policies import Policies
from analyzer.session.lint.request import Request, readable


class Others:
    """The modules of others, whose findings are not reported; `folders` are those that were met."""

    def __init__(self, request: Request, real: RealPaths) -> None:
        self.modules = None if request.include_vendored else Vendored(request.paths, real)
        self.folders: set[str] = set()

    def have(self, file: str) -> bool:
        """Return whether a file is in a module of others."""
        folder = "" if self.modules is None else self.modules.module_of(file)
        if folder:
            self.folders.add(folder)
        return bool(folder)


@dataclass(frozen=True)
class Sources:
    """The sources of a lint: no manifest is parsed yet, and nothing is compiled.

    `known` are all rules by code, `rules` those to apply. `files` are the manifests that are
    checked one by one, `closed` the folders that could not be searched for them. `kept` are the
    results of earlier checks, None to use none.
    """

    request: Request
    known: Mapping[str, Rule]
    rules: Sequence[Rule]
    texts: Texts
    names: Names
    others: Others
    files: list[str]
    closed: Sequence[Gap]
    kept: KeptEntries | None
    manifests: Manifests
    policies: Policies

    @cached_property
    def definitions(self) -> list[OwnDefinition]:
        """Return the classes and defined types of the manifests."""
        return definitions_in(self.files, self.texts.get, self.request.paths)

    def is_named(self, file: str) -> bool:
        """Return whether the user named a file, or the entry of the policy that it belongs to."""
        return self.names.names(file) or os.path.realpath(file) in self.policies.real_inputs


@dataclass(frozen=True, slots=True)
class Parsed:
    """The manifests as subjects of rules, and the errors of those that are not Puppet programs."""

    subjects: Sequence[Manifest | CheckedManifest]
    broken: Sequence[Refusal]


def read(request: Request, overlay: Mapping[str, str] | None = None) -> Sources:
    """Return the sources of a request; `overlay` are texts that replace those on disk.

    Raises:
        InputError: a code has no rule.
    """
    look_again()
    known = {**all_rules(), **request.choice.own}
    rules = request.choice.rules(known)
    real, roots = RealPaths(), readable(request)
    texts = Texts(overlay, lambda file: real.is_below(file, roots))
    names, others = Names(request.paths), Others(request, real)
    closed: list[Gap] = []
    below = (file for path in request.paths for file in manifests_below(path, closed))
    by_place = {real.of(file): names.of(file) for file in below}
    files = sorted(file for file in by_place.values() if not others.have(file))
    kept = results_before(request, rules, texts)
    before = KeptManifests(kept, request.paths, roots) if kept else None
    manifests = Manifests(files, texts, rules, before, request.workers, request.progress)
    policies = policies_of(request, texts, names)
    return Sources(
        request, known, rules, texts, names, others, files, closed, kept, manifests, policies
    )


def results_before(request: Request, rules: Sequence[Rule], texts: Texts) -> KeptEntries | None:
    """Return the results of earlier checks, None if the inputs differ from those on disk."""
    if request.identity is None or texts.overlay or any(rule.kind == "plugin" for rule in rules):
        return None
    return KeptEntries(request.identity, rules, request.paths)


def policies_of(request: Request, texts: Texts, names: Names) -> Policies:
    """Return the policies of CFEngine."""
    return Policies(request.paths, request.assumed, texts, names, request.allow_read)


def changed(sources: Sources, overlay: Mapping[str, str]) -> Sources:
    """Return the sources with other texts, to test a change; manifests are not parsed again."""
    texts = Texts(overlay, sources.texts.may_read)
    policies = policies_of(sources.request, texts, sources.names)
    return replace(sources, texts=texts, kept=None, policies=policies)


def parse(sources: Sources) -> Parsed:
    """Parse the manifests one by one; with stored results, rules are applied to the others."""
    return Parsed(sources.manifests.subjects, sources.manifests.broken)
