"""Finds the places that read legacy facts: in manifests, templates, hiera.yaml and data."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from analyzer.compiles.own_code import OwnDefinition
from analyzer.diagnostics import Edit
from analyzer.frontends.puppet.node.legacy_facts import expression_of, is_legacy, path_of
from analyzer.linter.puppet.legacy_names import LegacyRead, reads_of
from analyzer.linter.puppet.site_texts import facts_beside, facts_of_site, site_of
from analyzer.session.upgrade.causes import LEGACY, Causes
from analyzer.session.upgrade.compare import Compiled
from analyzer.session.upgrade.files import OwnFiles
from analyzer.source import Span, place_of

# How an ERB template reads a variable: of the class by `@`, of the top scope by the others.
OWN_VARIABLE = re.compile(r"(?<![\w@])@(\w+)")
TOP_VARIABLE = re.compile(
    r"scope(?:\.lookupvar\s*(?P<open>\()?|(?:\.to_hash)?\s*(?P<index>\[))"
    r"\s*['\"](?:::)?(?P<name>\w+)['\"](?(open)\s*\))(?(index)\s*\])"
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


def users_of(own: Sequence[OwnDefinition], old: Compiled) -> dict[str, set[str]]:
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
    for file, text, read in reads_in(files):
        yield read.name, read.written, Span(file, *place_of(text, read.start))


def reads_in(files: OwnFiles) -> Iterator[tuple[str, str, LegacyRead]]:
    """Yield each read of a legacy fact with the file and its text."""
    for manifest in (*files.manifests(), *files.puppet_templates()):
        for read in reads_of(manifest):
            yield manifest.file, manifest.text, read
    yield from in_templates(files)
    yield from in_data(files)


def in_data(files: OwnFiles) -> Iterator[tuple[str, str, LegacyRead]]:
    """Yield the reads in Hiera's configurations and data."""
    for file, text in files.data():
        for match in INTERPOLATED.finditer(text):
            name = match[2]
            if is_legacy(name) and name not in custom_facts(file):
                written = f"$facts['{name}']" if match[1] else f"${name}"
                new = ".".join(("facts", *path_of(name))) if path_of(name) else ""
                edit = Edit(file, *match.span(), f"%{{{new}}}") if new else None
                yield file, text, LegacyRead(name, written, match.start(), edit)


def in_templates(files: OwnFiles) -> Iterator[tuple[str, str, LegacyRead]]:
    """Yield the reads in ERB templates.

    A variable of the class that uses the template may have the name of a legacy fact.
    """
    found = [*files.templates(".erb")]
    texts = [one.text for one in files.manifests()] if found else []
    for file, text in found:
        base = re.escape(os.path.basename(file))
        using = [one for one in texts if re.search(rf"[/'\"]{base}['\"]", one)]
        for (start, end), name, is_own in names_in(text):
            if not is_legacy(name) or name in custom_facts(file):
                continue
            if not is_own or not is_set_in(using, name):
                written = f"@{name}" if is_own else f"${name}"
                edit = None
                # In Ruby, `"#@name"` needs no braces; an index there does.
                if path_of(name) and text[start - 1 : start] != "#":
                    new = expression_of(name, safe=True).replace("$", "@", 1)
                    edit = Edit(file, start, end, new)
                yield file, text, LegacyRead(name, written, start, edit)


def names_in(text: str) -> Iterator[tuple[tuple[int, int], str, bool]]:
    """Yield the variables of an ERB template: where, the name, whether it may be the class's."""
    local = set(re.findall(r"@(\w+)\s*=(?![=~])", text))
    for block in RUBY.finditer(text):
        begin = block.start(1)
        for form, is_own in ((OWN_VARIABLE, True), (TOP_VARIABLE, False), (FACT, False)):
            for match in form.finditer(block[1]):
                name = match["name"] if form is TOP_VARIABLE else match[1]
                if not (is_own and name in local):
                    yield (begin + match.start(), begin + match.end()), name, is_own


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
