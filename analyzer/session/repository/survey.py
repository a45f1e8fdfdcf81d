"""Surveys a repository for `catgraph init`: its kind, nodes, roles, systems and modules."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from analyzer.compiles.codebases import codebases_of_modules
from analyzer.compiles.compile import CompileRun
from analyzer.compiles.plan import NO_FACTS, plan_of
from analyzer.compiles.sources import USUAL_ROLES, roles_in
from analyzer.compiles.target import Target
from analyzer.diagnostics import CompileError, InputError
from analyzer.formats.yaml_reader import YamlError, load
from analyzer.frontends.puppet.node.environment import Environment, Settings, find_environment
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.node.facts import OF_DATA, files_of_nodes
from analyzer.frontends.puppet.node.legacy_facts import MOVED
from analyzer.frontends.puppet.node.modules import OF_MODULES, is_module, manifests_below
from analyzer.frontends.puppet.node.names import values_in_data
from analyzer.frontends.puppet.node.systems import MARK, SYSTEMS
from analyzer.frontends.puppet.worlds.program import PREFERRED
from analyzer.reach import leads_out
from analyzer.reading import read_text
from analyzer.session.repository.modules import Inventory, inventory_of

# Folders in which a repository may keep a classifier's answers, and facts.
OF_NODES = ("nodes", "enc")
OF_FACTS = ("facts", "spec/facts", "factsets")
ANSWER = {"classes", "parameters", "environment"}

# The most systems by default; each multiplies the catalogs.
MOST_SYSTEMS = 3
# The most of those that only published modules name.
FEW_SYSTEMS = 2

# The most nodes that are compiled to see whether the code refuses a system, and the time for each.
MOST_NODES = 10
MOST_SECONDS = 5

NO_ENTRY = "No matching entry for selector"

# Most of these systems have this kernel, so it does not name a family.
KERNEL = "linux"

# A name of a system in the code: 'Debian', "RedHat", and without quotes before `=>` or `:`.
NAMED = re.compile(
    r"(?<=['\"])[A-Za-z]+(?=['\"])|^[^\S\n]*[A-Z][A-Za-z]+(?=\s*(?:=>|:(?!:)))", re.MULTILINE
)
# Facter's old names. Without `::`, others of them are likely variables of the code.
OLD = re.compile(
    r"(?:\$\{?(?:::)?|%\{(?:::)?|facts\[['\"])"
    r"(?:osfamily|operatingsystem\w*|lsb\w+|fqdn|hostname|ipaddress\w*|architecture)\b"
    rf"|\$\{{?::(?:{'|'.join(MOVED)})\b"
)

# The systems whose codename code asks for: `jammy`, `bookworm`; the newest first.
RELEASES = [key for key in reversed(SYSTEMS) if SYSTEMS[key].name in ("Debian", "Ubuntu")]


@dataclass(frozen=True, slots=True)
class Survey:
    """The contents of a repository.

    `classes` are those of a module; a site has `targets`. `facts` are entries of the key, and `why`
    is their origin. `modulepath` are folders of modules that the environment does not list.
    """

    folder: str
    environment: Environment
    inventory: Inventory
    targets: tuple[Target, ...]
    classes: tuple[str, ...]
    roles: tuple[str, ...]
    facts: tuple[str, ...]
    why: str
    nodes_dir: str | None
    facts_dir: str | None
    modulepath: tuple[str, ...]
    legacy_facts: bool


def survey(folder: str) -> Survey:
    """Look at a repository.

    Raises:
        InputError: it holds no manifests.
        CompileError: a manifest of the site is not a Puppet program.
    """
    nodes_dir = next(filter(is_classifier, below(folder, OF_NODES)), None)
    facts_dir, files = facts_in(folder)
    settings = Settings(nodes_dir=nodes_dir, facts_dir=facts_dir)
    if not codebases_of_modules(folder, settings):
        modulepath = unlisted(folder, find_environment(folder, settings))
        settings = replace(settings, modulepath=modulepath)
    plan = plan_of(folder, settings, sets=NO_FACTS)
    environment = plan.codebases[0].environment
    targets = [] if plan.by_class else plan.targets
    inventory = inventory_of(folder, replace(settings, nodes_dir=None))
    own = [*own_modules(inventory), *([folder] if is_module(folder) else [])]
    texts = list(texts_in(environment, own))
    unpublished = [one for one in own if not os.path.isfile(os.path.join(one, "metadata.json"))]
    first = list(texts_in(environment, unpublished))
    systems, why = systems_of(folder, environment, first, texts)
    if targets and not files:
        refused = [name for name in systems if refuses(folder, settings, name)]
        systems = [name for name in systems if name not in refused] or systems
        why += f"; the code refuses {' and '.join(refused)}" if refused else ""
    facts = tuple(files) or tuple(MARK + name for name in systems)
    return Survey(
        folder,
        environment,
        inventory,
        tuple(targets),
        tuple(target.alone for target in plan.targets if target.alone),
        tuple(roles_in(environment.modulepath, USUAL_ROLES)),
        facts,
        f"files in {os.path.dirname(files[0])}" if files else why,
        nodes_dir,
        facts_dir,
        settings.modulepath,
        any(OLD.search(text) for text in texts),
    )


def below(folder: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the subfolders with the given names."""
    for name in names:
        path = os.path.normpath(os.path.join(folder, name))
        if os.path.isdir(path):
            yield path


def unlisted(folder: str, environment: Environment) -> tuple[str, ...]:
    """Return the folders of modules that an environment does not list at their place.

    Settings put them before the listed ones, so that they must hide no module of these.
    """
    listed = set(map(os.path.normpath, environment.modulepath))
    known = {name for path in listed if os.path.isdir(path) for name in os.listdir(path)}
    gone = [os.path.basename(path) for path in environment.modulepath if not os.path.isdir(path)]
    gone = [*map(os.path.basename, environment.closed), *gone]
    found = below(folder, dict.fromkeys([*gone, *OF_MODULES]))
    return tuple(
        path
        for path in found
        if path not in listed and (names := modules_in(path)) and known.isdisjoint(names)
    )


def modules_in(folder: str) -> set[str]:
    """Return the names of the modules in a folder."""
    names = os.listdir(folder)
    return {name for name in names if os.path.isdir(f"{folder}/{name}/manifests")}


def is_classifier(folder: str) -> bool:
    """Return whether all files of a folder are answers of a classifier."""
    try:
        files = files_of_nodes(folder).values()
        if any(map(leads_out, files)):
            return False
        documents = [load(read_text(path), path) for path in files]
    except (InputError, OSError, UnicodeDecodeError, YamlError, RecursionError):
        return False
    return bool(documents) and all(
        isinstance(one, dict) and one and one.keys() <= ANSWER for one in documents
    )


def facts_in(folder: str) -> tuple[str | None, list[str]]:
    """Return the folder of facts by node, else the files of facts in a repository."""
    for place in below(folder, OF_FACTS):
        names = sorted(name for name in os.listdir(place) if name[0] != ".")
        files = [name for name in names if os.path.splitext(name)[1] in OF_DATA]
        if files and all("." in os.path.splitext(name)[0] for name in files):
            return place, []
        if files:
            return None, [os.path.join(place, name) for name in files[:MOST_SYSTEMS]]
    return None, []


def own_modules(inventory: Inventory) -> Iterator[str]:
    """Yield the folders of the modules that no file of the repository asks for."""
    declared = inventory.declarations.modules
    yield from (place for name, place in inventory.installed.items() if name not in declared)


def texts_in(environment: Environment, modules: Iterable[str]) -> Iterator[str]:
    """Yield the texts of a site's manifests, of modules, and of its hiera.yaml."""
    files = [*environment.manifests, *(one for place in modules for one in manifests_below(place))]
    for file in [*files, os.path.join(environment.folder or ".", "hiera.yaml")]:
        try:
            yield read_text(file, "replace")
        except OSError:
            continue


def refuses(folder: str, settings: Settings, system: str) -> bool:
    """Return whether the code itself refuses all nodes that are tried on a typical system."""
    with suppress(InputError, CompileError):
        given = replace(settings, facts=(MARK + system,), time_limit=MOST_SECONDS)
        run = CompileRun(plan_of(folder, given))
        nodes = run.plan.targets[:MOST_NODES]
        return not run.plan.by_class and all(is_refused(run, node) for node in nodes)
    return False


def is_refused(run: CompileRun, node: Target) -> bool:
    """Return whether the compile of a node ends in `fail`, or in a selector without its value."""
    error = run.compile(node, Exports()).error
    every = [error, *error.others] if error is not None else []
    return any(one.refusal or one.message.startswith(NO_ENTRY) for one in every)


def systems_of(
    folder: str, environment: Environment, texts: list[str], published: list[str]
) -> tuple[list[str], str]:
    """Return the typical systems of a repository, and the place that names them.

    Texts of published modules name all systems that these support: the usual ones of them count.
    """
    supported = list(in_metadata(os.path.join(folder, "metadata.json")))
    if supported:
        most = len(supported) if is_module(folder) else MOST_SYSTEMS
        return list(dict.fromkeys(supported))[:most], "the systems of metadata.json"
    values = values_in_data(environment.folder or folder).values()
    systems = systems_in(texts, [word for words in values for word in words])
    systems = systems or sorted(systems_in(published), key=PREFERRED.index)[:FEW_SYSTEMS]
    if systems:
        return systems[:MOST_SYSTEMS], "systems that the data and code mention"
    return [PREFERRED[0]], "a guess, because neither the data nor the code mentions a system"


def systems_in(texts: list[str], values: Sequence[str] = ()) -> list[str]:
    """Return the typical systems that texts and values name; a codename counts before others."""
    named = Counter(word.strip() for text in texts for word in NAMED.findall(text))
    # Code that asks for a codename often refuses every other release.
    found: list[str | None] = [key for key in RELEASES if SYSTEMS[key].codename in named]
    found = found or [system_called(one) for one in (*values, *(w for w, _ in named.most_common()))]
    return list(dict.fromkeys(filter(None, found)))


def system_called(word: str) -> str | None:
    """Return the usual system of a family or a distribution."""
    named = (
        key
        for key in PREFERRED
        if word.lower() != KERNEL
        and word.lower() in (SYSTEMS[key].family.lower(), SYSTEMS[key].name.lower())
    )
    return next(named, None)


def in_metadata(path: str) -> Iterator[str]:
    """Yield the systems in the metadata of a module, with the newest release of each."""
    try:
        rows = json.loads(read_text(path)).get("operatingsystem_support", [])
        wanted = {
            row["operatingsystem"]: list(map(str, row.get("operatingsystemrelease") or []))
            for row in rows
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    for name, releases in wanted.items():
        known = [key for key, system in SYSTEMS.items() if system.name == name]
        fits = [key for key in known if not releases or SYSTEMS[key].major in releases]
        yield from sorted(fits, key=release_of)[-1:]


def release_of(key: str) -> list[int]:
    """Return the numbers of a release for comparison."""
    return [int(number) for number in re.findall(r"\d+", SYSTEMS[key].release)]
