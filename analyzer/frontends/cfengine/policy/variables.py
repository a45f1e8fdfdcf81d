"""The variables of a policy, and texts that contain them: `$(x)`, `${a[k]}`, `$(ns:bundle.x)`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analyzer.frontends.cfengine.policy.hash_order import in_hash_order
from analyzer.frontends.cfengine.policy.unknown import MARK, Unknown, marked

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.syntax.ast import Promise


class Aborted(Exception):
    """The run ends with an error."""


class Refused(Aborted):
    """CFEngine itself fails here."""


class DataList(list[Any]):
    """A list in a container, whose items have indices, unlike those of a plain list."""


Container = DataList | dict[str, Any]
# The values of variables: texts, lists of texts, and containers of JSON.
Content = str | list[Any] | dict[str, Any] | Unknown
Key = tuple[str, str, str]

CONSTANTS = {"dollar": "$", "n": "\n", "r": "\r", "t": "\t", "endl": "\n", "dirsep": "/", "at": "@"}
# Variables of the agent with the same value on any Linux machine with the version that we follow.
OF_LINUX = {
    "sys.class": "linux",
    "sys.cf_version": "3.21.0",
    "sys.cf_version_major": "3",
    "sys.cf_version_minor": "21",
    "sys.cf_version_patch": "0",
    "sys.local_libdir": "lib",
    "sys.os": "linux",
}
LISTS_OF_SYS = {
    f"sys.{name}": Unknown(f"$(sys.{name}) is not known before the run", many=True, sure=True)
    for name in ("hardware_addresses", "interfaces", "interfaces_data", "ip_addresses", "inet")
}
# Variables that the agent sets on any machine.
EVERYWHERE = frozenset(
    f"sys.{name}"
    for name in (
        *("arch", "bindir", "cdate", "cf_agent", "cf_execd", "cf_key", "cf_monitord"),
        *("cf_promises", "cf_runagent", "cf_serverd", "cf_twin", "cf_version"),
        *("cf_version_major", "cf_version_minor", "cf_version_patch", "class", "cpus"),
        *("crontab", "date", "default_policy_path", "doc_root", "domain", "exports"),
        *("failsafe_policy_path", "flavor", "flavour", "fqhost", "fstab", "host"),
        *("inputdir", "key_digest", "libdir", "local_libdir", "logdir", "long_arch"),
        *("maildir", "masterdir", "os", "ostype", "piddir", "policy_entry_basename"),
        *("policy_entry_dirname", "policy_entry_filename", "release", "resolv"),
        *("statedir", "sysday", "systime", "update_policy_path", "uptime", "uqhost"),
        *("user_data", "version", "workdir"),
    )
)
KNOWN_ELSEWHERE = re.compile(rf"[$@][({{](?:(?:sys|mon)\.|{MARK})")
LONGEST = 10_000_000
REFERENCE = re.compile(r"[$@][({]")


def references(text: str) -> list[str]:
    """Return the names in `$(...)` of a text, those within others first."""
    found: list[str] = []
    position = 0
    while True:
        start = text.find("$", position)
        if start < 0:
            return found
        end = closing(text, start + 1)
        if end < 0:
            position = start + 1
            continue
        inner = text[start + 2 : end]
        found += [name for name in references(inner) if name not in found]
        if inner not in found:
            found.append(inner)
        position = end + 1


def closing(text: str, opening: int) -> int:
    """Return the offset of the closing bracket, -1 if there is none."""
    pairs = {"(": ")", "{": "}"}
    first = text[opening : opening + 1]
    if first not in pairs:
        return -1
    depth = 0
    for position in range(opening, len(text)):
        depth += (text[position] == first) - (text[position] == pairs[first])
        if depth == 0:
            return position
    return -1


def unresolved(text: str) -> bool:
    """Return whether a text still contains variables, other than those of the machine."""
    return any(not KNOWN_ELSEWHERE.match(text, found.start()) for found in REFERENCE.finditer(text))


class Table(dict[Key, Content]):
    """The variables of a run; `unknown_bundles` are those in which a module may have set any."""

    __slots__ = ("unknown_bundles",)

    def __init__(self, rows: Mapping[Key, Content] | None = None) -> None:
        super().__init__(rows or {})
        self.unknown_bundles: dict[str, Unknown] = {}


class Scope:
    """The variables in the scope of a bundle; `special` are those of the current promise, and
    `here` is that promise, if there is one.

    `assumed` is the namespace of names like `bundle.x`. In attributes that is the default one,
    whatever namespace the bundle is in; in promisers and where lists are met it is the bundle's.
    """

    __slots__ = ("assumed", "bundle", "here", "namespace", "special", "table")

    def __init__(
        self,
        table: Mapping[Key, Content],
        namespace: str,
        bundle: str,
        special: dict[str, Content],
        here: Promise | None = None,
        assumed: str = "",
    ) -> None:
        self.table = table
        self.namespace = namespace
        self.bundle = bundle
        self.special = special
        self.here = here
        self.assumed = assumed or namespace

    def assuming(self, namespace: str) -> Scope:
        """Return the same variables with another namespace for names like `bundle.x`."""
        if namespace == self.assumed:
            return self
        own = (self.table, self.namespace, self.bundle, self.special, self.here)
        return Scope(*own, assumed=namespace)

    def binding(self, more: Mapping[str, Content]) -> Scope:
        """Return a scope in which further variables have values."""
        special = {**self.special, **more}
        own = (self.table, self.namespace, self.bundle, special, self.here)
        return Scope(*own, assumed=self.assumed)

    def key(self, name: str) -> Key:
        """Return where a variable is kept: namespace, bundle and name with its index."""
        head, bracket, index = name.partition("[")
        space, colon, rest = head.rpartition(":")
        bundle, dot, plain = rest.rpartition(".")
        if not dot:
            return (space if colon else self.namespace, self.bundle, plain + bracket + index)
        return (space if colon else self.assumed, bundle, plain + bracket + index)

    def get(self, name: str) -> Content | None:
        """Return a variable's value, None if it has none here."""
        if name in self.special:
            return self.special[name]
        if name[:1] == MARK:
            return None
        scope, dot, plain = name.partition(".")
        if dot and scope == "const":
            return CONSTANTS.get(plain)
        if dot and scope == "this" and self.here is not None:
            return self.this(plain)
        if scope == "sys":
            known = OF_LINUX.get(name) or self.table.get(("default", "sys", plain))
            return known or LISTS_OF_SYS.get(name)
        return self.stored(name)

    def stored(self, name: str) -> Content | None:
        """Return a variable's stored value, which is the whole list even while a promise iterates
        over it."""
        key = self.key(name)
        if key in self.table:
            return self.table[key]
        found = self.element(key)
        if found is None and isinstance(self.table, Table):
            return self.table.unknown_bundles.get(key[1])
        return found

    def is_element(self, name: str) -> bool:
        """Return whether a name refers to an item of a container."""
        key = self.key(name)
        return "[" in name and key not in self.table and self.element(key) is not None

    def this(self, name: str) -> str | None:
        """Return the special variables of a promise."""
        assert self.here is not None
        place = self.here.span
        match name:
            case "bundle":
                return self.bundle
            case "namespace":
                return self.namespace
            case "promise_filename":
                return os.path.abspath(place.file)
            case "promise_dirname":
                return os.path.dirname(os.path.abspath(place.file))
            case "promise_linenumber":
                return str(self.here.line)
        return None

    def raw(self, name: str) -> Any:
        """Return an item of a container as it is, not as a text."""
        return self.item(self.key(name))

    def element(self, key: Key) -> Content | None:
        """Return the item of a container at the index in a name."""
        value = self.item(key)
        return text_of(value) if isinstance(value, bool | int | float) else value

    def item(self, key: Key) -> Any:
        """Return the item of a container at the index in a name, None if there is none."""
        namespace, bundle, name = key
        head, *indices = name.replace("]", "").split("[")
        value: Any = self.table.get((namespace, bundle, head)) if indices else None
        if isinstance(value, list) and not isinstance(value, DataList):
            return None
        for index in indices:
            if isinstance(value, Unknown):
                return value.item()
            if isinstance(value, dict):
                value = value.get(index)
            elif isinstance(value, list) and index.isdigit() and int(index) < len(value):
                value = value[int(index)]
            else:
                return None
        return value

    def array(self, name: str) -> dict[str, Content]:
        """Return the entries of an array by their first index, in the order that CFEngine gives.

        An entry that has more indices is an array again.
        """
        namespace, bundle, plain = self.key(name)
        start = f"{plain}["
        keys = [k for k in self.table if k[:2] == (namespace, bundle) and k[2].startswith(start)]
        found: dict[str, Content] = {}
        for key in in_hash_order(keys, len(self.table)):
            *outer, last = key[2][len(start) : -1].split("][")
            place: Any = found
            for index in outer:
                inner = place.get(index)
                place = place.setdefault(index, {}) if not isinstance(inner, dict) else inner
            if isinstance(place, dict):
                place[last] = self.table[key]
        return found

    def expand(self, text: str) -> str:
        """Expand the scalars in a text; unknown ones are not replaced."""
        if "$" not in text:
            return text
        parts: list[str] = []
        position = length = 0
        while position < len(text):
            start = text.find("$", position)
            end = closing(text, start + 1) if start >= 0 else -1
            if start < 0:
                parts.append(text[position:])
                break
            if end < 0:
                parts.append(text[position : start + 1])
                position = start + 1
                continue
            name = self.expand(text[start + 2 : end])
            value = self.get(name)
            parts.append(text[position:start])
            if isinstance(value, Unknown):
                parts.append(marked(name, sure=value.sure))
            else:
                plain = isinstance(value, str)
                parts.append(str(value) if plain else f"{text[start : start + 2]}{name}{text[end]}")
            position = end + 1
            length += len(parts[-1])
            if length > LONGEST:
                raise Aborted(f"a text grows beyond {LONGEST:,} characters")
        return "".join(parts)

    def list(self, text: str) -> Content | None:
        """Return the list or container of `@(x)`, None if there is none."""
        value = self.get(self.expand(text[2:-1]))
        return value if isinstance(value, list | dict | Unknown) else None


def text_of(value: object) -> str:
    """Return an item of a container as a text."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def elements(value: Content) -> list[str]:
    """Return the plain items of a list or container, over which a promise iterates."""
    if isinstance(value, Unknown):
        return [marked("unknown", sure=False)]
    items = value.values() if isinstance(value, dict) else value
    return [text_of(item) for item in items if not isinstance(item, list | dict)]
