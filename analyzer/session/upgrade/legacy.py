"""Finds the places that read legacy facts: in manifests, templates, hiera.yaml and data."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from analyzer.compiles.own_code import Definition
from analyzer.frontends.puppet.node.legacy_facts import expression_of, is_legacy
from analyzer.linter.puppet.legacy_names import LegacyRead, reads_of
from analyzer.linter.puppet.site_texts import facts_beside, facts_of_site, site_of
from analyzer.session.upgrade.causes import LEGACY, Causes
from analyzer.session.upgrade.compare import Compiled
from analyzer.session.upgrade.files import OwnFiles
from analyzer.source import Span, place_of

# How an ERB template reads a variable: of the class by `@`, of the top scope by the others.
OWN_VARIABLE = re.compile(r"(?<![\w@])@(\w+)")
TOP_VARIABLE = re.compile(
    r"scope(?:\.lookupvar\s*\(?|\.to_hash\s*\[|\s*\[)\s*['\"](?:::)?(\w+)['\"]"
)
FACT = re.compile(r"(?:@facts|scope\[['\"](?:::)?facts['\"]\])\[['\"](\w+)['\"]\]")
RUBY = re.compile(r"<%(?!%|#)(.*?)%>", re.DOTALL)
# How Hiera's configuration and data read one.
INTERPOLATED = re.compile(r"%\{\s*(?:::)?(facts\.)?['\"]?(\w+)['\"]?\s*\}")

Row = tuple[str, str, Span]
# The nodes by the files that their catalogs were made from.
Users = Mapping[str, Collection[str]]


def add_legacy(causes: Causes, files: OwnFiles, users: Users) -> None:
    """Add a cause for each legacy fact that the code at a path reads."""
    for name, written, span in rows_of(files):
        causes.add(
            LEGACY,
            name,
            written,
            hint=f"use {expression_of(name)}",
            nodes=users.get(os.path.realpath(span.file), ()),
            span=span,
        )


def users_of(own: Sequence[Definition], old: Compiled) -> dict[str, set[str]]:
    """Return the nodes by the files that their catalogs were made from."""
    files: dict[str, list[str]] = defaultdict(list)
    for one in own:
        files[one.name].append(os.path.realpath(one.span.file))
    found: dict[str, set[str]] = defaultdict(set)
    for label, name in old.names.items():
        catalog = old.catalogs.get(label)
        used = [file for d in (catalog.definitions if catalog else ()) for file in files[d]]
        for file in (*used, *map(os.path.realpath, old.files.get(label, ()))):
            found[file].add(name)
    return found


def rows_of(files: OwnFiles) -> Iterator[Row]:
    """Yield each read of a legacy fact: its name, the way it is written, and the place."""
    for manifest in (*files.manifests(), *files.puppet_templates()):
        for read in reads_of(manifest):
            yield row_of(read, manifest.span_at(read.start))
    yield from in_templates(files)
    for file, text in files.data():
        for match in INTERPOLATED.finditer(text):
            name = match[2]
            if is_legacy(name) and name not in custom_facts(file):
                span = Span(file, *place_of(text, match.start()))
                yield name, f"$facts['{name}']" if match[1] else f"${name}", span


def row_of(read: LegacyRead, span: Span) -> Row:
    """Return the row of a read in the Puppet language."""
    return read.name, read.written, span


def in_templates(files: OwnFiles) -> Iterator[Row]:
    """Yield the reads in ERB templates.

    A variable of the class that uses the template may have the name of a legacy fact.
    """
    found = [*files.templates(".erb")]
    texts = [one.text for one in files.manifests()] if found else []
    for file, text in found:
        base = re.escape(os.path.basename(file))
        using = [one for one in texts if re.search(rf"[/'\"]{base}['\"]", one)]
        for start, name, is_own in names_in(text):
            if not is_legacy(name) or name in custom_facts(file):
                continue
            if not is_own or not is_set_in(using, name):
                written = f"@{name}" if is_own else f"${name}"
                yield name, written, Span(file, *place_of(text, start))


def names_in(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the variables of an ERB template: where, the name, whether it may be the class's."""
    local = set(re.findall(r"@(\w+)\s*=(?![=~])", text))
    for block in RUBY.finditer(text):
        for form, is_own in ((OWN_VARIABLE, True), (TOP_VARIABLE, False), (FACT, False)):
            for match in form.finditer(block[1]):
                if not (is_own and match[1] in local):
                    yield block.start(1) + match.start(), match[1], is_own


def is_set_in(texts: Iterable[str], name: str) -> bool:
    """Return whether a manifest that uses a template sets a variable or has it as a parameter."""
    form = re.compile(rf"\${name}\s*(?:=(?![=~>])|,|\)|\n)")
    return any(form.search(text) for text in texts)


def custom_facts(file: str) -> frozenset[str]:
    """Return the custom facts of a file's module and site."""
    for marker in ("templates", "data", "hieradata"):
        head, found, _ = os.path.abspath(file).rpartition(f"{os.sep}{marker}{os.sep}")
        if found:
            place = os.path.join(head, "manifests", "init.pp")
            site = site_of(place)
            return facts_beside(place) | (facts_of_site(site) if site else frozenset())
    return frozenset()
