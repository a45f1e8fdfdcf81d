"""Compares the versions of modules with what the Puppetfile and other modules require of them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from analyzer.frontends.puppet.node.declared import METADATA, Declarations, split
from analyzer.model.releases import OPENVOX, PUPPET, release_of, title_of
from analyzer.model.versions import Bounds, SemVer, SemVerRange
from analyzer.reading import read_text
from analyzer.source import Span, place_of

# Who may run a module, as its metadata names them.
RUNNERS = (PUPPET, OPENVOX)


@dataclass(frozen=True, slots=True)
class UnmetRequirement:
    """A requirement that the modules of a repository do not meet.

    `kind` is `unmet`, `outdated`, `conflicting`, `puppet` or `unreadable`.
    """

    kind: str
    module: str
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Requirement:
    """A range of versions that a module needs of another one, or of Puppet."""

    module: str
    name: str
    text: str
    versions: SemVerRange
    span: Span


@dataclass(frozen=True, slots=True)
class Metadata:
    """The version and the requirements of an installed module."""

    version: SemVer | None
    dependencies: tuple[Requirement, ...]
    runners: tuple[Requirement, ...]
    problems: tuple[UnmetRequirement, ...]


def mismatches_of(
    declarations: Declarations, installed: Mapping[str, str], puppet_version: int
) -> tuple[UnmetRequirement, ...]:
    """Return the requirements that are not met, in the order of the modules' names."""
    read = {name: metadata_of(name, installed[name]) for name in sorted(installed)}
    versions = {name: found.version for name, found in read.items()}
    known = {name for name in declarations.modules if name not in installed}
    for name in known:
        versions[name] = version_of(declarations.modules[name].version)
    needs = [need for found in read.values() for need in found.dependencies]
    return (
        *(problem for found in read.values() for problem in found.problems),
        *outdated(declarations, versions, installed),
        *(one for need in needs if (one := unmet(need, versions))),
        *conflicts(needs, declarations),
        *(one for name, found in read.items() if (one := refused(name, found, puppet_version))),
    )


def metadata_of(module: str, folder: str) -> Metadata:
    """Return the metadata of a module; a folder without any requires nothing."""
    path = os.path.join(folder, METADATA)
    try:
        text = read_text(path, "replace")
        document = json.loads(text)
    except OSError:
        return Metadata(None, (), (), ())
    except (ValueError, RecursionError):
        problem = UnmetRequirement("unreadable", module, "this is not JSON", Span(path))
        return Metadata(None, (), (), (problem,))
    document = document if isinstance(document, dict) else {}
    problems: list[UnmetRequirement] = []
    lists = [
        tuple(requirements(module, document.get(key), text, path, problems))
        for key in ("dependencies", "requirements")
    ]
    runners = tuple(one for one in lists[1] if one.name in RUNNERS)
    return Metadata(version_of(document.get("version")), lists[0], runners, tuple(problems))


def requirements(
    module: str, listed: object, text: str, path: str, problems: list[UnmetRequirement]
) -> Iterator[Requirement]:
    """Yield the requirements of a list in metadata; note the problems of those that are none."""
    for item in listed if isinstance(listed, list) else ():
        full = item.get("name") if isinstance(item, dict) else None
        wanted = item.get("version_requirement", "") if isinstance(item, dict) else ""
        if not isinstance(full, str) or not isinstance(wanted, str):
            continue
        span = Span(path, place_of(text, max(text.find(f'"{full}"'), 0))[0])
        try:
            versions = SemVerRange.parse(wanted)
        except ValueError:
            message = f"{module} requires {full} '{wanted}', which is no range of versions"
            problems.append(UnmetRequirement("unreadable", module, message, span))
            continue
        yield Requirement(module, split(full)[1] or full, wanted, versions, span)


def outdated(
    declarations: Declarations, versions: Mapping[str, SemVer | None], installed: Mapping[str, str]
) -> Iterator[UnmetRequirement]:
    """Yield the modules that are installed in another version than a file asks for."""
    for name, module in declarations.modules.items():
        wanted, version = range_of(module.version), versions.get(name)
        if name not in installed or module.means != "forge" or not wanted or not version:
            continue
        if version not in wanted:
            message = f"{module.full} {module.version} is wanted, {version} is installed"
            yield UnmetRequirement("outdated", name, message, module.span)


def unmet(need: Requirement, versions: Mapping[str, SemVer | None]) -> UnmetRequirement | None:
    """Return the dependency of a module that is absent or in a version that it does not take."""
    wanted = f"{need.module} requires {need.name} {need.text}".rstrip()
    if need.name not in versions:
        message = f"{wanted}, which is neither declared nor installed"
        return UnmetRequirement("unmet", need.module, message, need.span)
    version = versions[need.name]
    if version is None or version in need.versions:
        return None
    return UnmetRequirement("unmet", need.module, f"{wanted}, not {version}", need.span)


def conflicts(
    needs: Iterable[Requirement], declarations: Declarations
) -> Iterator[UnmetRequirement]:
    """Yield the modules that two others require in versions that exclude each other."""
    wanted: dict[str, dict[str, Requirement]] = {}
    for need in needs:
        wanted.setdefault(need.name, {}).setdefault(need.text, need)
    for name, rows in sorted(wanted.items()):
        pairs = combinations(rows.values(), 2)
        pair = next((pair for pair in pairs if not meet(pair[0].versions, pair[1].versions)), None)
        if pair is not None:
            one, other = pair
            message = (
                f"no version of {name} is in both {one.text} ({one.module}) "
                f"and {other.text} ({other.module})"
            )
            module = declarations.modules.get(name)
            yield UnmetRequirement(
                "conflicting", name, message, module.span if module else other.span
            )


def refused(name: str, found: Metadata, puppet_version: int) -> UnmetRequirement | None:
    """Return the module that runs with no release of a major version of Puppet."""
    release, here = release_of(puppet_version), whole_major(int(puppet_version))
    # What takes Puppet 8 takes OpenVox 8, which metadata seldom name; the reverse is not so.
    runners = [one for one in found.runners if release.product != PUPPET or one.name == PUPPET]
    if not found.runners or any(meet(one.versions, here) for one in runners):
        return None
    texts = " or ".join(f"{one.name} {one.text}" for one in found.runners)
    message = f"{name} requires {texts}, not {title_of(release)} (--puppet-version N)"
    return UnmetRequirement("puppet", name, message, found.runners[0].span)


def whole_major(number: int) -> SemVerRange:
    """Return the range of all releases of a major version."""
    whole = Bounds(SemVer(number, 0, 0), SemVer(number + 1, 0, 0), exclude_end=True)
    return SemVerRange((whole,), "")


def meet(one: SemVerRange, other: SemVerRange) -> bool:
    """Return whether some version is in both ranges."""
    return any(a.intersect(b) for a in one.intervals for b in other.intervals)


def version_of(text: object) -> SemVer | None:
    """Return a text as a version, None if it is none."""
    try:
        return SemVer.parse(text) if isinstance(text, str) else None
    except ValueError:
        return None


def range_of(text: str) -> SemVerRange | None:
    """Return a text as a range of versions, None if it is none, or says nothing."""
    try:
        return SemVerRange.parse(text) if text not in ("", "latest") else None
    except ValueError:
        return None
