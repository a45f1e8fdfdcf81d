"""The parts of planted conditions: a test in Puppet's language, and what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analyzer.frontends.puppet.worlds.tests import ABSENT, version_order

Value = Any
ValueOf = Callable[[str], Value]


@dataclass(frozen=True, slots=True)
class Atom:
    """A test: its code, the inputs with values to compare conditions on, and its meaning.

    `setup` are statements that come before; `where` is `any`, `module` (a parameter of a class)
    or `site` (data of Hiera).
    """

    code: str
    domain: dict[str, tuple[Value, ...]]
    holds: Callable[[ValueOf], bool]
    where: str = "any"
    setup: str = ""

    @property
    def inputs(self) -> frozenset[str]:
        """Return the inputs that it depends on."""
        return frozenset(self.domain)


FAMILY, NAME, MAJOR = "facts.os.family", "facts.os.name", "facts.os.release.major"
F = "$facts['os']"


def is_true(value: Value) -> bool:
    """Return whether Puppet takes a value as true."""
    return value is not ABSENT and value is not None and value is not False


def one_of(name: str, *values: Value) -> Callable[[ValueOf], bool]:
    """Return the test whether an input is one of some values."""
    return lambda value_of: value_of(name) in values


def starts(name: str, prefix: str) -> Callable[[ValueOf], bool]:
    """Return the test whether an input is a text with a beginning."""
    return lambda value_of: str(value_of(name)).startswith(prefix) and value_of(name) is not ABSENT


def at_least(name: str, version: str) -> Callable[[ValueOf], bool]:
    """Return the test whether an input is a version that is not below another."""

    def holds(value_of: ValueOf) -> bool:
        found = value_of(name)
        return isinstance(found, str) and version_order(found, version) >= 0

    return holds


def above(name: str, limit: int) -> Callable[[ValueOf], bool]:
    """Return the test whether an input is a number above another."""
    return lambda value_of: isinstance(value_of(name), int) and value_of(name) > limit


SYSTEM: list[Atom] = [
    Atom(f"{F}['family'] == 'RedHat'", {FAMILY: ()}, one_of(FAMILY, "RedHat")),
    Atom(f"{F}['family'] != 'Debian'", {FAMILY: ()}, lambda v: v(FAMILY) != "Debian"),
    Atom(f"{F}['name'] in ['Rocky', 'Ubuntu']", {NAME: ()}, one_of(NAME, "Rocky", "Ubuntu")),
    Atom(f"{F}['name'] =~ /^(FreeBSD|SLES)$/", {NAME: ()}, one_of(NAME, "FreeBSD", "SLES")),
    Atom(f"versioncmp({F}['release']['major'], '20') >= 0", {MAJOR: ()}, at_least(MAJOR, "20")),
    Atom(
        "\"${facts['os']['name']}-${facts['os']['release']['major']}\" == 'Debian-11'",
        {NAME: (), MAJOR: ()},
        lambda v: (v(NAME), v(MAJOR)) == ("Debian", "11"),
    ),
    Atom("$chosen", {FAMILY: ()}, one_of(FAMILY, "windows"),
         setup=f"$chosen = {F}['family'] ? {{ 'windows' => true, default => false }}"),
]  # fmt: skip

OTHERS: list[Atom] = [
    Atom("$facts['role'] == 'web'", {"facts.role": ("web", "db", ABSENT)},
         one_of("facts.role", "web")),
    Atom("$facts['tier'] =~ /^prod/", {"facts.tier": ("prod", "prod1", "test", ABSENT)},
         starts("facts.tier", "prod")),
    Atom("$facts['cloud']", {"facts.cloud": (True, False, "x", ABSENT)},
         lambda v: is_true(v("facts.cloud"))),
    Atom("!$facts['frozen']", {"facts.frozen": (True, False, ABSENT)},
         lambda v: not is_true(v("facts.frozen"))),
    Atom("$facts['processors']['count'] > 16",
         {"facts.processors.count": (1, 16, 17, 64)}, above("facts.processors.count", 16)),
    Atom("$trusted['extensions']['pp_role'] == 'db'",
         {"trusted.extensions.pp_role": ("db", "web", ABSENT)},
         one_of("trusted.extensions.pp_role", "db")),
    Atom("$trusted['extensions']['pp_zone'] =~ /^dmz/",
         {"trusted.extensions.pp_zone": ("dmz", "dmz2", "lan", ABSENT)},
         starts("trusted.extensions.pp_zone", "dmz")),
    Atom("$is_site", {"facts.site": ("lab", "hq", ABSENT)}, one_of("facts.site", "lab"),
         setup="$is_site = $facts['site'] == 'lab'"),
]  # fmt: skip

PARAMETERS: list[Atom] = [
    Atom("$purge", {"app::purge": (True, False)}, one_of("app::purge", True), "module"),
    Atom("!$enabled", {"app::enabled": (True, False)}, one_of("app::enabled", False), "module"),
    Atom("$every == 'hour'", {"app::every": ("hour", "day", "week")},
         one_of("app::every", "hour"), "module"),
    Atom("$size > 256", {"app::size": (1, 256, 257, 999)}, above("app::size", 256), "module"),
    Atom("$owner =~ String", {"app::owner": ("x", "root", ABSENT)},
         lambda v: isinstance(v("app::owner"), str), "module"),
    Atom("!empty($users)", {"app::users": ([], ["example"], ["a", "b"])},
         lambda v: bool(v("app::users")), "module"),
]  # fmt: skip

HIERA: list[Atom] = [
    Atom("$purge", {"facts.group": ("blue", "green", "red", ABSENT)},
         one_of("facts.group", "blue"), "site"),
    Atom("$size > 256", {"trusted.extensions.pp_env": ("prod", "test", ABSENT)},
         one_of("trusted.extensions.pp_env", "prod"), "site"),
]  # fmt: skip
