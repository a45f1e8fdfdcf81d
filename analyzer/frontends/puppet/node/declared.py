"""The modules that a repository says it needs: Puppetfile, metadata.json, submodules, fixtures.

A Puppetfile is Ruby, and nothing of it runs: calls of `mod` are read from its text, as r10k,
g10k and librarian-puppet know them. What such a call computes is left out: then any name that is
missing may be of a module that it declares.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from errno import EACCES
from itertools import pairwise
from typing import Any

from analyzer.diagnostics import InputError
from analyzer.pattern import pattern
from analyzer.reach import LINKED_OUT, may_read, roots_of, within
from analyzer.reading import read_text
from analyzer.source import Span, place_of

PUPPETFILE = "Puppetfile"
# All modules that librarian-puppet has chosen, with those that others depend on.
LOCK = "Puppetfile.lock"
FIXTURES = ".fixtures.yml"
METADATA = "metadata.json"
SUBMODULES = ".gitmodules"

# The command that installs what a file asks for.
INSTALLS = {
    PUPPETFILE: "r10k puppetfile install",
    METADATA: "puppet module install",
    SUBMODULES: "git submodule update --init",
    FIXTURES: "rake spec_prep",
    LOCK: "librarian-puppet install",
}

QUOTED = r"'(?P<single>[^'\n]*)'|\"(?P<double>[^\"\n#]*)\""
# A comment ends a line, unless its mark stands in quotes.
COMMENT = pattern(r"""("[^"\n]*"|'[^'\n]*')|\#[^\n]*""")
MOD = pattern(rf"^[ \t]*mod[ \t(]+(?:{QUOTED})(?P<rest>[^\n]*(?:(?<=,)\s*\n[^\n]*)*)", re.MULTILINE)
# A call whose name is computed: `mod user + '/' + name`, `mod "acme/#{name}"`.
COMPUTED = pattern(r"^[ \t]*mod[ \t(]+(?:[^'\"\s]|\"[^\"\n]*#\{|'[^'\n]*'[ \t]*[+%])", re.MULTILINE)
LIBRARIAN = pattern(r"^[ \t]*(?:metadata|modulefile)[ \t]*$", re.MULTILINE)
LOCKED = pattern(r" {4}(\w+)[-/](\w+) \(([\w.+-]+)\)$")
PATH = pattern(rf"^[ \t]*moduledir[ \t(]+(?:{QUOTED})", re.MULTILINE)
FORGE = pattern(rf"^[ \t]*forge[ \t(]+(?:{QUOTED})", re.MULTILINE)
VERSION = pattern(rf"^\s*,\s*(?:{QUOTED})(?!\s*=>)")
OPTION = pattern(
    r"(?<![\w'\"]):?(?P<key>git|svn|tag|ref|commit|branch|default_branch|local|install_path"
    r"|tarball)"
    r"\s*(?:=>|:)\s*"
    rf"(?:{QUOTED}|:?(?P<word>\w+))"
)
# Modules that bring a resource type which is not named after them.
BRINGS = {
    "alternative_entry": "alternatives", "anchor": "stdlib", "file_line": "stdlib",
    "archive": "archive", "concat": "concat", "vcsrepo": "vcsrepo",
    "ini_setting": "inifile",
    "ini_subsetting": "inifile", "logical_volume": "lvm", "nm_connection": "networkmanager",
    "physical_volume": "lvm", "volume_group": "lvm", "filesystem": "lvm", "yaml_setting": "yaml",
    "sshkey": "sshkeys_core", "ssh_authorized_key": "sshkeys_core", "cron": "cron_core",
    "mount": "mount_core", "host": "host_core", "yumrepo": "yumrepo_core",
    "augeas": "augeas_core", "selboolean": "selinux_core", "selmodule": "selinux_core",
    "kmod": "augeasproviders_core", "shellvar": "augeasproviders_shellvar",
    "sysctl": "augeasproviders_sysctl", "java_ks": "java_ks", "x509_cert": "openssl",
}  # fmt: skip

# Types that Puppet had until it moved them to modules of their own, in Puppet 6; those of the
# modules that come with its packages are not here (puppet 6.0.0, release notes).
MOVED = {
    "computer": "macdslocal_core", "macauthorization": "macdslocal_core", "mcx": "macdslocal_core",
    "interface": "network_device_core", "router": "network_device_core",
    "vlan": "network_device_core", "k5login": "k5login_core", "maillist": "maillist_core",
    "mailalias": "mailalias_core",
} | dict.fromkeys((f"nagios_{name}" for name in (
    "command", "contact", "contactgroup", "host", "hostdependency", "hostescalation",
    "hostextinfo", "hostgroup", "service", "servicedependency", "serviceescalation",
    "serviceextinfo", "servicegroup", "timeperiod",
)), "nagios_core")  # fmt: skip

REFERENCES = ("tag", "ref", "commit", "branch")
# How a module is fetched, if not from the forge.
MEANS = ("git", "svn", "tarball", "local")
# r10k's word for the branch that the Puppetfile itself is on.
CONTROL_BRANCH = "control_branch"

# A setting of a submodule (git-config(1)), and folders in which one is no module of Puppet.
SETTING = pattern(r"^[ \t]*(path|url)[ \t]*=[ \t]*\"?([^\"\n]*?)\"?[ \t]*$", re.MULTILINE)
SECTION = pattern(r"^[ \t]*\[submodule[^\n]*$", re.MULTILINE)
OF_FILES = frozenset({"files", "templates", "lib", "spec", "docs"})


class WrongContent(ValueError):
    """A file is not what its name says."""


@dataclass(frozen=True, slots=True)
class DeclaredModule:
    """A module that a file of the repository asks for.

    `name` is what its classes begin with; `owner` is empty where none is given; `version` is a
    release, a range or a git reference; `source` is where it is cloned from, empty for the forge.
    `path` is where the file wants it, relative to the repository, empty for the usual folder.
    `fallback` is the branch to take if there is no such reference. `means` is how the module is
    fetched: `forge`, or one of MEANS.
    """

    name: str
    owner: str
    version: str
    source: str
    path: str
    span: Span
    fallback: str = ""
    means: str = "forge"

    @property
    def full(self) -> str:
        """Return the name with its owner, as the forge has it."""
        return f"{self.owner}-{self.name}" if self.owner else self.name


@dataclass(frozen=True, slots=True)
class Declarations:
    """The modules that a repository asks for by name, and the files that say so.

    `errors` are those of files that cannot be read, or are not what they should be; `computed` is
    a Puppetfile that computes names of modules, empty if none does. `forge` is the address that a
    Puppetfile gives, empty if it gives none.
    """

    modules: dict[str, DeclaredModule]
    files: tuple[str, ...]
    folder: str = "modules"
    errors: tuple[InputError, ...] = ()
    computed: str = ""
    forge: str = ""


def declared_at(folder: str) -> Declarations:
    """Return the modules that the files of a repository ask for; the first mention counts.

    A file that cannot be read or understood asks for none; its error is kept.
    """
    modules: dict[str, DeclaredModule] = {}
    files, errors = [], []
    place, computed, forge = "modules", "", ""
    roots = roots_of([folder])
    for name, read in READERS.items():
        path = os.path.normpath(os.path.join(folder, name))
        if not os.path.lexists(path):
            continue
        try:
            if not may_read(path, roots):
                raise OSError(EACCES, LINKED_OUT)
            with within(roots):
                text = read_text(path, "replace")
            files.append(path)
            for found in read(text, path):
                modules.setdefault(found.name, found)
        except OSError as error:
            errors.append(InputError(f"cannot be read: {error.strerror}", Span(path)))
            continue
        except WrongContent as error:
            errors.append(InputError(str(error), Span(path)))
        if name == PUPPETFILE:
            place = setting(PATH, text) or place
            forge = setting(FORGE, text)
            computed = path if computes_names(text, folder) else ""
    return Declarations(modules, tuple(files), place, tuple(errors), computed, forge)


def declared_by(path: str) -> Declarations:
    """Return the modules that a Puppetfile of any name asks for.

    Raises:
        InputError: it cannot be read.
    """
    try:
        text = read_text(path, "replace")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path)) from None
    modules: dict[str, DeclaredModule] = {}
    for found in of_puppetfile(text, path):
        modules.setdefault(found.name, found)
    computed = path if computes_names(text, os.path.dirname(path)) else ""
    folder = setting(PATH, text) or "modules"
    return Declarations(modules, (path,), folder, (), computed, setting(FORGE, text))


def declared_in(folders: Iterable[str]) -> Declarations:
    """Return the modules that the files of several folders ask for; the first mention counts."""
    found = [declared_at(folder) for folder in folders]
    modules = {name: one for each in reversed(found) for name, one in each.modules.items()}
    files = tuple(file for each in found for file in each.files)
    errors = tuple(error for each in found for error in each.errors)
    computed = next((each.computed for each in found if each.computed), "")
    forge = next((each.forge for each in found if each.forge), "")
    place = found[0].folder if found else "modules"
    return Declarations(modules, files, place, errors, computed, forge)


def install_command(path: str) -> str:
    """Return the command that installs what a file asks for; librarian-puppet leaves a lock."""
    if os.path.exists(f"{path}.lock"):
        return "librarian-puppet install"
    return INSTALLS[os.path.basename(path)]


def is_installed(folder: str) -> bool:
    """Return whether a folder holds anything: that of a submodule is empty until it is fetched."""
    try:
        with os.scandir(folder) as entries:
            return any(True for _ in entries)
    except OSError:
        # It is there, and an error about it names it where it is read.
        return True


def computes_names(text: str, folder: str) -> bool:
    """Return whether a Puppetfile computes names of modules, or has them from metadata elsewhere.

    The metadata that librarian-puppet reads is in the same folder, if it is there at all.
    """
    plain = COMMENT.sub(lambda m: m[1] or "", text)
    elsewhere = LIBRARIAN.search(plain) and not os.path.lexists(
        os.path.join(folder, "metadata.json")
    )
    return bool(elsewhere or COMPUTED.search(plain))


def of_puppetfile(text: str, path: str) -> Iterator[DeclaredModule]:
    """Yield the modules of a Puppetfile."""
    plain = COMMENT.sub(lambda m: m[1] or " " * len(m[0]), text)
    for call in MOD.finditer(plain):
        owner, name = split(call["single"] or call["double"] or "")
        rest = call["rest"]
        options = {
            m["key"]: m["single"] or m["double"] or m["word"] or "" for m in OPTION.finditer(rest)
        }
        version = VERSION.match(rest)
        given = (version["single"] or version["double"]) if version else ""
        reference = next((options[key] for key in REFERENCES if key in options), "")
        if name:
            line, _ = place_of(plain, call.start())
            means = next((key for key in MEANS if key in options), "forge")
            source = "" if means == "local" else options.get(means, "")
            fallback = options.get("default_branch", "")
            if reference in ("", CONTROL_BRANCH) and fallback:
                reference = fallback
            yield DeclaredModule(
                name, owner, given or reference, source, options.get("install_path", ""),
                Span(path, line), fallback, means,
            )  # fmt: skip


def of_lock(text: str, path: str) -> Iterator[DeclaredModule]:
    """Yield the modules that a lock file of librarian-puppet lists."""
    for line, row in enumerate(text.splitlines(), 1):
        chosen = LOCKED.match(row)
        if chosen:
            yield DeclaredModule(chosen[2], chosen[1], chosen[3], "", "", Span(path, line))


def setting(call: re.Pattern[str], text: str) -> str:
    """Return the value that a Puppetfile gives to one of its settings, empty if it gives none."""
    found = call.search(COMMENT.sub(lambda m: m[1] or "", text))
    return (found["single"] or found["double"]) if found else ""


def of_metadata(text: str, path: str) -> Iterator[DeclaredModule]:
    """Yield the dependencies that the metadata of a module or a repository list.

    Raises:
        WrongContent: it is not JSON.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise WrongContent("this is not JSON") from None
    listed = document.get("dependencies") if isinstance(document, dict) else None
    for item in listed if isinstance(listed, list) else ():
        full = item.get("name") if isinstance(item, dict) else None
        if isinstance(full, str):
            owner, name = split(full)
            if not name:
                continue
            wanted = item.get("version_requirement")
            at = text.find(f'"{full}"')
            line, _ = place_of(text, max(at, 0))
            version = wanted if isinstance(wanted, str) else ""
            yield DeclaredModule(name, owner, version, "", "", Span(path, line))


def of_fixtures(text: str, path: str) -> Iterator[DeclaredModule]:
    """Yield the modules that puppetlabs_spec_helper fetches for the tests of a repository.

    Raises:
        WrongContent: it is not YAML.
    """
    from yaml import YAMLError, safe_load

    try:
        document = safe_load(text)
    except (YAMLError, ValueError, RecursionError):
        raise WrongContent("this is not YAML") from None
    fixtures = document.get("fixtures") if isinstance(document, dict) else None
    for kind in ("forge_modules", "repositories"):
        listed = fixtures.get(kind) if isinstance(fixtures, dict) else None
        for name, item in listed.items() if isinstance(listed, dict) else ():
            if isinstance(name, str) and split(name)[1]:
                yield fixture(name, item, path)


def of_submodules(text: str, path: str) -> Iterator[DeclaredModule]:
    """Yield the modules that are submodules of git: a folder has the name of its module."""
    starts = [match.end() for match in SECTION.finditer(text)]
    for start, end in pairwise([*starts, len(text)]):
        options = {m[1]: m[2] for m in SETTING.finditer(text, start, end)}
        *above, name = options.get("path", "").split("/")
        if re.fullmatch(r"[a-z]\w*", name) and not OF_FILES.intersection(above):
            line, _ = place_of(text, start)
            place = "/".join(above) or "."
            url = options.get("url", "")
            yield DeclaredModule(name, "", "", url, place, Span(path, line), means="submodule")


def fixture(name: str, item: Any, path: str) -> DeclaredModule:
    """Return a module of the fixtures: a name or an address, or a hash of both and more."""
    options = item if isinstance(item, dict) else {"repo": item}
    values = {key: value for key, value in options.items() if isinstance(value, str)}
    repo = values.get("repo", "")
    version = next((values[key] for key in REFERENCES if key in values), "")
    if ("/" in repo and ":" not in repo) or re.fullmatch(r"\w+-\w+", repo):
        return DeclaredModule(name, split(repo)[0], version, "", "", Span(path))
    means = values.get("scm", "git")
    return DeclaredModule(name, "", version, repo, "", Span(path), means=means)


def split(full: str) -> tuple[str, str]:
    """Return the owner and the name of a module; only names that Puppet allows are some."""
    owner, _, name = full.replace("/", "-").rpartition("-")
    return (owner, name) if re.fullmatch(r"[a-z]\w*", name) else ("", "")


READERS = {
    PUPPETFILE: of_puppetfile,
    METADATA: of_metadata,
    SUBMODULES: of_submodules,
    FIXTURES: of_fixtures,
    LOCK: of_lock,
}
