"""The manifests and custom facts of the site that a module is part of, as texts."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from functools import lru_cache
from glob import escape, glob
from types import MappingProxyType

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.refusals import MISSING_NAME, NOT_SEARCHED
from analyzer.pattern import pattern
from analyzer.reach import BOUNDARY, leads_out
from analyzer.reading import note, noting, read_text
from analyzer.source import Span

# Files and their texts.
Texts = tuple[tuple[str, str], ...]

# How long texts are valid in a server, where nothing calls `look_again`.
SECONDS = 5

# The most manifests of a site that are read, and their places.
MOST = 500
PLACES = ("manifests/**/*.pp", "environments/*/manifests/**/*.pp")
# A definition of a class or a defined type.
DEFINES = pattern(r"^\s*(?:class|define)\s", re.MULTILINE)
# Those of a site for Puppet 3 or older, whose manifests import each other.
IMPORTED = ("*.pp", "*/*.pp")
MODULES = ("*/*/manifests/**/*.pp",)
FACTS = ("*/*/lib/facter/**/*.rb",)
FACTS_BESIDE = ("*/lib/facter/**/*.rb",)
EXTERNAL = ("*/*/facts.d/*",)
HIERA = ("hiera.yaml",)
DATA = ("data/**/*.yaml", "hiera/**/*.yaml", "hieradata/**/*.yaml")
EXTERNAL_BESIDE = ("*/facts.d/*",)
# The names of external facts, in YAML, JSON, lines of text and scripts that print such lines.
EXTERNAL_FACT = pattern(
    r"^[^\S\n]*(?:echo\s+|print\w*\s*\(?\s*)?['\"]?(\w+)['\"]?\s*[=:]", re.MULTILINE
)
FACT = pattern(r"\bFacter\.add\s*\(?\s*[:'\"]{1,2}(\w+)")

# Files that a module has beside its manifests, and those that a control repo has; and how many
# folders a manifest of one may be below them.
OF_MODULES = frozenset({"metadata.json", "Modulefile"})
MARKS = OF_MODULES | {"environment.conf", "Puppetfile", "hiera.yaml"}
DEEP = 8

# Modules that Puppet Enterprise provides in addition to those of its environments.
ENTERPRISE = re.compile(r"(?:puppet_enterprise|pe_\w+)(?:::|\Z)")

# A setting of hiera.yaml in the syntax of versions before 4.
HIERA_3 = re.compile(r"^:(?:backends|hierarchy):", re.MULTILINE)

# Assignments in the manifests of a site.
ASSIGNED = pattern(r"\$(\w+)\s*=(?![=~>])")
# A variable of the top scope in a path.
INTERPOLATED = pattern(r"%\{(?:::)?(\w+)\}")

# A chain from the resource that reads repositories to all packages.
INDEX_FIRST = re.compile(
    r"(?:apt::update|apt_update|apt-get update|\b(?:Yumrepo|Apt::Source)\s*<\|[^|]*\|>)['\"\]]*\s*"
    r"[-~]>\s*Package\s*<\|",
    re.IGNORECASE,
)

# An unknown variable, an undef that an operator refuses, and the facts that a line reads.
UNKNOWN = re.compile(r"Unknown variable: '(?:::)?(\w+)'")
UNDEF = re.compile(r"\bUndef\b")
READ = re.compile(r"\$(?:facts\[['\"]|::)(\w+)")

NO_PARAMETER = re.compile(r"Class\[[\w:]+\]:\s+expects a value for parameter")
NO_VALUE = re.compile(r"Function lookup\(\) did not find a value")
KEY = re.compile(r"for the name '(?P<key>[^']+)'")
# A selector without a default that has no entry for a value.
NO_ENTRY = re.compile(r"No matching entry for selector")
# What a statement lacks: an argument, a parameter, a title.
NOTHING_GIVEN = re.compile(
    r"pick\(\): must receive|.*: expects a value for parameter |Empty string title at "
)
# The code of an error that may be due to data which cannot be read here.
OF_DATA = "of-data"
# A part of what is not there.
NO_PART = re.compile(r"Operator '\[\]' is not applicable to an Undef Value")
# A fact that is no number here, as `24.04` or `bookworm/sid` are none.
NO_NUMBER = re.compile(r"(?:'new' )?The string '[^']*' cannot be converted to")
# An old check of a variable that only the branches for other systems set.
NO_SETTING = re.compile(r"validate_\w+\(\): .*(?:NilClass|[Uu]ndef)")
# A place in hiera.yaml that a fact decides which neither the system nor the name of a node gives.
OF_FACTS = re.compile(
    r"%\{(?:facts\.|::)(?!os\b|os_?family|operatingsystem|lsb|kernel|architecture|hardwaremodel"
    r"|virtual\b|is_virtual|clientcert|(?:networking\.)?(?:fqdn|hostname)\b)"
)
# The code of an error with which the program refuses a typical system.
OF_GUESS = "of-a-guess"

# Facts that only a real machine has: about its keys and its cloud.
OF_MACHINES = frozenset({"az_metadata", "cloud", "ec2_metadata", "ec2_userdata", "gce", "ssh"})


def site_of(file: str) -> str:
    """Return the folder of the site that a manifest, perhaps of a module, belongs to."""
    above, found, _ = os.path.abspath(file).rpartition(f"{os.sep}manifests{os.sep}")
    if not found:
        return ""
    site = os.path.dirname(os.path.dirname(above))
    return site if os.path.isdir(os.path.join(site, "manifests")) else above


def in_control_repo(file: str) -> bool:
    """Return whether a manifest is a control repo's own: others do not use its classes."""
    folder = os.path.dirname(os.path.abspath(file))
    for _ in range(DEEP):
        names = {name for name in MARKS if os.path.lexists(os.path.join(folder, name))}
        if names:
            return not names & OF_MODULES
        folder = os.path.dirname(folder)
    return False


def lacks_site(file: str) -> bool:
    """Return whether a manifest is in one of a site's own modules, and the site is elsewhere.

    A module with metadata is published, and so are modules in a folder where most have metadata. A
    published module cannot rely on the variables of a site.
    """
    module, found, _ = os.path.abspath(file).rpartition(f"{os.sep}manifests{os.sep}")
    if not found or site_of(file) != module:
        return False
    if any(os.path.lexists(os.path.join(module, name)) for name in (".git", "metadata.json")):
        return False
    return are_of_a_site(os.path.dirname(module), int(time.monotonic() / SECONDS))


@lru_cache(maxsize=8)
def are_of_a_site(folder: str, turn: int) -> bool:
    """Return whether a folder has several modules, most without metadata; cached for a turn."""
    modules = glob(os.path.join(escape(folder), "*", "manifests"))
    published = glob(os.path.join(escape(folder), "*", "metadata.json"))
    return len(modules) > 1 and 2 * len(published) < len(modules)


def texts_of_site(folder: str) -> Texts:
    """Return the files and texts of the readable manifests of a site."""
    return noted(folder, PLACES)


def texts_around(file: str) -> Texts:
    """Return the files and texts of a site whose manifests, one of them given, are in no module.

    Those with definitions have variables of their own.
    """
    folder = os.path.dirname(os.path.abspath(file))
    above = (folder, os.path.dirname(folder))
    marks = (*MARKS, ".git", "site.pp", "modules")
    place = next((one for one in above if any(map(os.path.lexists, joined(one, marks)))), "")
    return tuple(one for one in noted(place, IMPORTED) if not DEFINES.search(one[1]))


def joined(folder: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the paths of names in a folder."""
    return (os.path.join(folder, name) for name in names)


def facts_of_site(folder: str) -> frozenset[str]:
    """Return the custom facts that the modules of a site define."""
    return facts_in(noted(folder, FACTS)) | external_in(noted(folder, EXTERNAL))


def used_by_hiera(folder: str) -> frozenset[str]:
    """Return the variables of the top scope in the paths of a site's Hiera configuration."""
    texts = noted(folder, ("hiera.yaml",))
    return frozenset(name for _, text in texts for name in INTERPOLATED.findall(text))


def facts_beside(file: str) -> frozenset[str]:
    """Return the custom facts of the module of a manifest, and of its neighbours."""
    module, found, _ = os.path.abspath(file).rpartition(f"{os.sep}manifests{os.sep}")
    if not found:
        return frozenset()
    folder = os.path.dirname(module)
    return facts_in(noted(folder, FACTS_BESIDE)) | external_in(noted(folder, EXTERNAL_BESIDE))


@lru_cache(maxsize=8)
def facts_in(texts: Texts) -> frozenset[str]:
    """Return the names of the facts that Ruby texts define."""
    return frozenset(name for _, text in texts for name in FACT.findall(text))


@lru_cache(maxsize=8)
def external_in(texts: Texts) -> frozenset[str]:
    """Return the names of the external facts that files define (facter/util/parser.rb)."""
    return frozenset(name for _, text in texts for name in EXTERNAL_FACT.findall(text))


@lru_cache(maxsize=4)
def set_in(texts: Texts) -> frozenset[str]:
    """Return the variables that some texts set."""
    return frozenset(name for _, text in texts for name in ASSIGNED.findall(text))


def top_level_of(file: str) -> frozenset[str]:
    """Return the variables that the site of a manifest sets outside of classes and defines."""
    site = site_of(file)
    if not site:
        return set_in(texts_around(file))
    return set_in(tuple(one for one in texts_of_site(site) if not DEFINES.search(one[1])))


def installs_after_index(folder: str) -> bool:
    """Return whether a site orders all packages after the reading of its repositories."""
    found = (*noted(folder, PLACES), *noted(folder, MODULES))
    return any(INDEX_FIRST.search(text) for _, text in found)


def missing_fact(error: CompileError) -> str:
    """Return the fact of a site's module that a refused statement reads, or an empty string."""
    asked = UNKNOWN.findall(error.message)
    if not asked and UNDEF.search(error.message):
        asked = READ.findall(line_at(error.span))
    made = facts_of_site(site_of(error.span.file)) | OF_MACHINES if asked else frozenset()
    return next((name for name in asked if name in made), "")


# A call that looks a value up, with a default.
WITH_DEFAULT = pattern(r"\bhiera(?:_hash|_array)?\s*\(\s*['\"][\w:]+['\"]\s*,")
HIERA_5 = pattern(r"(?m)^\s*['\"]?version['\"]?\s*:\s*5\b")


def is_unproven(error: CompileError) -> bool:
    """Return whether something that an error calls missing may exist on a real server.

    This applies to facts, to names that a folder which was not searched or Puppet Enterprise may
    provide, to values of Hiera configurations that apply to all environments, and to the name and
    the system of a real node.
    """
    found = MISSING_NAME.search(error.message)
    if error.code in (NOT_SEARCHED, OF_GUESS, OF_DATA) or (
        found and ENTERPRISE.match(found["name"])
    ):
        return True
    return (
        bool(missing_fact(error) or other_hiera(error))
        or of_default_node(error)
        or (has_assumed_value(error))
    )


def refuses_system(error: CompileError) -> bool:
    """Return whether a program refuses facts: by `fail`, or as it has nothing for their value.

    That is an entry of a selector, a class with a name that is made of them, a part of data, a
    number, or a value in data whose places depend on facts.
    """
    asks = (NO_ENTRY, NO_PART, NO_NUMBER, NO_SETTING)
    if NO_VALUE.match(error.message):
        return is_of_some_system(error)
    if error.refusal or any(words.match(error.message) for words in asks):
        return True
    found, line = MISSING_NAME.search(error.message), line_at(error.span)
    return found is not None and "$" in line and found["name"].rpartition("::")[2] not in line


def names_example(error: CompileError) -> bool:
    """Return whether a name that is not found is made of the title of an example of a define."""
    found = MISSING_NAME.search(error.message)
    return found is not None and "example" in found["name"] and "$" in line_at(error.span)


def is_of_some_system(error: CompileError) -> bool:
    """Return whether data that only some systems have may give the value that an error misses."""
    site, key = site_of(error.span.file), KEY.search(error.message)
    texts = hiera_around(error.span.file)
    if key is None or not any(OF_FACTS.search(text) for _, text in texts):
        return False
    given = re.compile(rf"^\s*['\"]?{re.escape(key['key'])}['\"]?\s*:", re.MULTILINE)
    return any(given.search(text) for _, text in noted(site, DATA))


def hiera_around(file: str) -> Texts:
    """Return the hiera.yaml of the site of a manifest, whose own manifests may be on top of it."""
    module = os.path.abspath(file).rpartition(f"{os.sep}manifests{os.sep}")[0]
    above = os.path.dirname(os.path.dirname(module)) if module else os.path.dirname(file)
    return noted(site_of(file), HIERA) or noted(os.path.abspath(above), HIERA)


def asks_for_value(error: CompileError) -> bool:
    """Return whether an error says that a value is not given, or a program refuses its default."""
    return error.refusal or NOTHING_GIVEN.match(error.message) is not None


def has_assumed_value(error: CompileError) -> bool:
    """Return whether a statement uses a default for a value that Hiera may have on the server."""
    if not WITH_DEFAULT.search(line_at(error.span)):
        return False
    texts = hiera_around(error.span.file)
    return not any(HIERA_5.search(text) for _, text in texts)


def of_default_node(error: CompileError) -> bool:
    """Return whether an error may be due to the node `default`, which has no real name.

    The program refuses the name by `fail`, or Hiera has data for each real node.
    """
    return error.node == "default" and (error.refusal or NO_VALUE.match(error.message) is not None)


def other_hiera(error: CompileError) -> str:
    """Return the hiera.yaml of version 3 that may have a missing value; environments ignore it.

    A program may refuse the default of a parameter that these data give.
    """
    if not (error.refusal or NO_VALUE.match(error.message) or NO_PARAMETER.match(error.message)):
        return ""
    texts = hiera_around(error.span.file)
    return next((file for file, text in texts if HIERA_3.search(text)), "")


def is_in_site(error: CompileError) -> bool:
    """Return whether a manifest of the site defines a name that a module lacks."""
    found = MISSING_NAME.search(error.message)
    if found is None:
        return False
    name = re.compile(
        rf"\b(?:class|define|function|type)\s+(?:::)?{found['name']}\b", re.IGNORECASE
    )
    return any(name.search(text) for _, text in texts_of_site(site_of(error.span.file)))


def line_at(place: Span) -> str:
    """Return a line of a manifest, or an empty string if it cannot be read."""
    with suppress(OSError, ValueError):
        lines = read_text(place.file, newline="").split("\n")
        return lines[place.line - 1] if 0 < place.line <= len(lines) else ""
    return ""


# The texts of files that are open in an editor, which replace those on disk.
UNSAVED: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default=MappingProxyType({}))


def look_again() -> None:
    """Forget the texts that were read, because files may have changed."""
    texts_at.cache_clear()
    are_of_a_site.cache_clear()


def noted(folder: str, places: tuple[str, ...]) -> Texts:
    """Return the files and texts of a site, and record them as read each time."""
    found, read = texts_at(folder, int(time.monotonic() / SECONDS), BOUNDARY.get().key(), places)
    note(read)
    unsaved = UNSAVED.get()
    return tuple((file, unsaved.get(os.path.abspath(file), text)) for file, text in found)


@lru_cache(maxsize=8)
def texts_at(
    folder: str, turn: int, boundary: tuple[object, ...], places: tuple[str, ...] = PLACES
) -> tuple[Texts, Mapping[str, str]]:
    """Read the manifests of a site once in each turn; return them with the states of the files."""
    found = []
    with noting() as read:
        for pattern in places if folder else ():
            for file in sorted(glob(os.path.join(escape(folder), pattern), recursive=True))[:MOST]:
                with suppress(OSError, ValueError):
                    if not leads_out(file):
                        found.append((file, read_text(file)))
    return tuple(found), read
