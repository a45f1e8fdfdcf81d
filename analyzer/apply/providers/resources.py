"""The type resources: removes a host's resources of a type that the catalog lacks (purge)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from analyzer.apply.host import Host
from analyzer.apply.provider import ABSENT, ProviderError
from analyzer.apply.providers.files.concat import FragmentProvider
from analyzer.apply.providers.machine.account_files import rows
from analyzer.model.documents import JsonObject
from analyzer.model.names import capitalize_type
from analyzer.model.resource import Resource
from analyzer.model.values import flat

from .host import HostProvider
from .mount import MountProvider
from .parameters import Parameters

# Metaparameters that are handed on to what is removed.
HANDED_ON = frozenset(
    ("audit", "before", "loglevel", "noop", "notify", "require", "schedule", "subscribe", "tag")
)
_SYSTEM_USERS = frozenset(("root", "nobody", "bin", "noaccess", "daemon", "sys"))
# The largest number of a system's own users, where login.defs does not say.
_OLD_SYSTEM = 499


class ResourcesProvider(FragmentProvider):
    """Generates the resources to remove; changes nothing on its own."""

    def announce(
        self, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        """Return the objects of the host that are in no catalog, as absent resources.

        Raises:
            ProviderError: it cannot be said what there is of the type.
        """
        parameters = Parameters(resource)
        if not parameters.flag("purge"):
            return ()
        kind = parameters.name.lower()
        found = _THERE.get(kind)
        if found is None:
            raise ProviderError(
                f"Parameter purge failed on {resource}: resources of type {kind} are not listed "
                f"here, only {', '.join(_THERE)}"
            )
        return absent(resource, capitalize_type(kind), found(host, parameters), others, {})


def absent(
    parent: Resource,
    kind: str,
    titles: Iterable[str],
    others: Collection[Resource],
    parameters: JsonObject,
) -> list[Resource]:
    """Return resources that are to be removed, those that the catalog does not have."""
    known = {str(other) for other in others}
    handed_on = {name: value for name, value in parent.parameters.items() if name in HANDED_ON}
    tags = list(parent.tags or ())
    return [
        Resource(kind, title, {"ensure": ABSENT, **parameters, **handed_on}, tags=tags)
        for title in dict.fromkeys(titles)
        if f"{kind}[{title}]" not in known
    ]


def _hosts(host: Host, _: Parameters) -> Iterable[str]:
    return (one["name"] for one in HostProvider().read(host, "/etc/hosts") if "name" in one)


def _mounts(host: Host, _: Parameters) -> Iterable[str]:
    return (one["name"] for one in MountProvider().read(host, "/etc/fstab") if "name" in one)


def _groups(host: Host, _: Parameters) -> Iterable[str]:
    return (row[0] for row in rows(host, "/etc/group"))


def _users(host: Host, parameters: Parameters) -> Iterable[str]:
    """Yield users, without those of the system, unless the resource includes them."""
    users = [(row[0], int(row[2])) for row in rows(host, "/etc/passwd") if len(row) > 2]
    limit = parameters["unless_system_user"]
    if limit in (False, "false"):
        return [name for name, _ in users]
    if limit in (None, True, "true"):
        most = _largest_of_system(host)
    else:
        most = int(parameters.number("unless_system_user", 0))
    kept = {int(uid) for uid in flat([parameters["unless_uid"] or []])}
    return [
        name for name, uid in users if name not in _SYSTEM_USERS and uid not in kept and uid > most
    ]


def _largest_of_system(host: Host) -> int:
    try:
        text = host.read("/etc/login.defs").decode("utf-8", "replace")
    except OSError:
        return _OLD_SYSTEM
    for line in text.splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == "UID_MIN" and words[1].isdecimal():
            return int(words[1]) - 1
    return _OLD_SYSTEM


_THERE: dict[str, Callable[[Host, Parameters], Iterable[str]]] = {
    "host": _hosts,
    "mount": _mounts,
    "group": _groups,
    "user": _users,
}
