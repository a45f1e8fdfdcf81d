"""The keys that users have besides those of the catalog (parameter purge_ssh_keys of user)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from analyzer.apply.host import Host
from analyzer.apply.provider import ProviderError
from analyzer.apply.providers.machine.account_files import home_of
from analyzer.apply.providers.parameters import Parameters, inspected
from analyzer.apply.providers.resources import absent
from analyzer.apply.providers.users.ssh_authorized_key import UNNAMED, KeyProvider
from analyzer.model.resource import Resource
from analyzer.model.values import flat

_NO: tuple[object, ...] = (None, False, "false", [])
_YES = (True, "true")


def unknown_keys(
    parameters: Parameters, resource: Resource, host: Host, others: Collection[Resource]
) -> list[Resource]:
    """Return the keys in a user's files that the catalog does not have, absent.

    Raises:
        ProviderError: the parameter names what is no path.
    """
    found: list[Resource] = []
    for path in _files(parameters, host):
        number = 0
        for record in KeyProvider().read(host, path):
            if "key" not in record:
                continue
            own = {"user": parameters.name, "target": path}
            name = record["name"]
            if not name:
                number += 1
                name = f"{path}{UNNAMED}{number}"
                own["key"] = record["key"]
            found += absent(resource, "Ssh_authorized_key", [name], [*others, *found], own)
    return found


def _files(parameters: Parameters, host: Host) -> Iterator[str]:
    wanted = parameters["purge_ssh_keys"]
    if wanted in _NO:
        return
    home = parameters.text("home") or home_of(host, parameters.name)
    for entry in ["~/.ssh/authorized_keys"] if wanted in _YES else flat([wanted]):
        if not isinstance(entry, str) or not entry.startswith(("/", "~/", "%h/")):
            raise ProviderError(
                f"Parameter purge_ssh_keys failed on {parameters.resource}: Paths to keyfiles "
                f"must be absolute, not {inspected(entry)}"
            )
        if entry.startswith("/"):
            yield entry
        elif home:
            yield f"{home}/{entry.partition('/')[2]}"
