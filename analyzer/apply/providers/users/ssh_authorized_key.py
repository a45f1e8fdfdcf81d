"""The type ssh_authorized_key: lines of a user's authorized_keys (module sshkeys_core)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from analyzer.apply.host import Host
from analyzer.apply.provider import ABSENT, ProviderError
from analyzer.apply.providers.machine.account_files import home_of
from analyzer.apply.providers.machine.paths import ruby_error, stat_followed
from analyzer.apply.providers.parameters import Parameters
from analyzer.apply.providers.properties import WantedValue
from analyzer.apply.providers.records import TEXT, Record, RecordProvider
from analyzer.model.resource import Resource

_PLAIN = "ssh-dss ssh-ed25519 ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521"
_WITH_HOST = """sk-ecdsa-sha2-nistp256 sk-ssh-ed25519 ssh-rsa-cert-v01 ssh-ed25519-cert-v01
    ssh-dss-cert-v01 ecdsa-sha2-nistp256-cert-v01 ecdsa-sha2-nistp384-cert-v01
    ecdsa-sha2-nistp521-cert-v01"""
_TYPES = [*_PLAIN.split(), *(f"{name}@openssh.com" for name in _WITH_HOST.split())]
_ALIASES = {
    "dsa": "ssh-dss",
    "ed25519": "ssh-ed25519",
    "rsa": "ssh-rsa",
    "ecdsa-sk": "sk-ecdsa-sha2-nistp256@openssh.com",
    "ed25519-sk": "sk-ssh-ed25519@openssh.com",
}
_LINE = re.compile(
    rf"(?:(.+)\s+)?({'|'.join(map(re.escape, _TYPES))}|ecdsa-sk|ed25519-sk)\s+([^ ]+)\s*(.*)\Z"
)
_OPTION = re.compile(r"[-\w]+=\".*?[^\\]\"|[-\w]+", re.ASCII)
_VALID = re.compile(r"[-\w]+(?:=\".*?\")?\Z", re.ASCII)
_FOLDER, _FILE = 0o700, 0o600
# In the names of keys that have none: behind it is a number.
UNNAMED = ":unnamed-"


class KeyProvider(RecordProvider):
    """Manages keys; the file is its user's, and so is the folder that it is in."""

    def parameters(self, resource: Resource) -> Parameters:
        """Return the parameters, checked."""
        parameters = Parameters(resource)
        if "target" not in parameters and "user" not in parameters:
            raise ProviderError("Attribute 'user' or 'target' is mandatory")
        key = parameters.text("key", "") or ""
        if re.search(r"\s", key):
            raise ProviderError(f"Key must not contain whitespace: {key}")
        for option in parameters.texts("options"):
            if option != ABSENT and not _VALID.match(option):
                raise ProviderError(
                    f"Option {option} is not valid. A single option must either be of the form "
                    "'option' or 'option=\"value\"'. Multiple options must be provided as an array"
                )
        return parameters

    def target(self, parameters: Parameters, host: Host) -> str | None:
        """Return the named file, or the user's own."""
        named = parameters.text("target")
        if named not in {None, ABSENT}:
            return named
        home = home_of(host, parameters.text("user") or "")
        return home and posixpath.join(home, ".ssh/authorized_keys")

    def no_target(self, parameters: Parameters, host: Host) -> ProviderError:
        """Without the user there is no file."""
        return ProviderError(f"User '{parameters.text('user')}' does not exist")

    def wanted(self, parameters: Parameters, target: str | None) -> list[WantedValue]:
        """Return type, key and options."""
        types = _ALIASES | {name: name for name in _TYPES}
        made = [
            WantedValue("type", parameters.choice("type", types, None)),
            WantedValue("key", parameters.text("key")),
        ]
        made = [one for one in made if one.value is not None]
        return [*made, WantedValue("options", parameters.texts("options") or [ABSENT])]

    def missing(self, property: str) -> object:
        """A key without options has none."""
        return [ABSENT] if property == "options" else ABSENT

    def parse(self, line: str) -> Record:
        """Return the record of a line."""
        if not line.strip() or line.lstrip().startswith("#"):
            return {TEXT: line}
        match = _LINE.match(line)
        if not match:
            return {TEXT: line}
        options = _OPTION.findall(match[1]) if match[1] else [ABSENT]
        return {"options": options, "type": match[2], "key": match[3], "name": match[4]}

    def find(self, parameters: Parameters, records: list[Record]) -> Record | None:
        """Return the record of a key; one without a name is known by the key itself."""
        if UNNAMED in parameters.name and parameters.text("key"):
            key = parameters.text("key")
            return next((r for r in records if r.get("name") == "" and r["key"] == key), None)
        return super().find(parameters, records)

    def line(self, record: Record) -> str:
        """Return the line of a record."""
        options = [one for one in record.get("options", ()) if one != ABSENT]
        for name in ("type", "key"):
            if record.get(name) in {None, ABSENT}:
                raise ProviderError(f"Field '{name}' is required")
        parts = [",".join(options), record["type"], record["key"], record["name"]]
        return " ".join(parts).lstrip()

    def write(
        self, host: Host, target: str, records: Sequence[Record], parameters: Parameters
    ) -> None:
        """Write the file where its user may, and give it to the user."""
        user = parameters.text("user")
        if user is None:
            raise ProviderError("Cannot write SSH authorized keys without user")
        uid = host.user_id(user)
        if uid is None:
            raise ProviderError(f"User '{user}' does not exist")
        gid = _group_of(host, user)
        folder = posixpath.dirname(target)
        try:
            if not stat_followed(host, folder):
                self._allow(host, posixpath.dirname(folder), uid, "dir_s_mkdir")
                host.make_folder(folder, _FOLDER)
                host.set_owner(folder, uid, gid)
            self._allow(host, folder, uid, "rb_sysopen")
            data = self.text(records).encode("utf-8", "surrogateescape")
            is_new = host.stat(target) is None
            host.write(target, data, _FILE)
            if is_new:
                host.set_owner(target, uid, gid)
        except OSError as error:
            raise ProviderError(ruby_error(error)) from None

    @staticmethod
    def _allow(host: Host, folder: str, uid: int, call: str) -> None:
        """See that the user may write in a folder.

        Puppet writes as the user: a link that the user has put in the way leads nowhere else.
        """
        found = stat_followed(host, folder)
        if found and (uid == 0 or found.mode & 0o002 or (found.uid == uid and found.mode & 0o200)):
            return
        raise ProviderError(f"Permission denied @ {call} - {folder}")


def _group_of(host: Host, user: str) -> int:
    from analyzer.apply.providers.machine.account_files import account

    found = account(host, user)
    return int(found["gid"]) if found else -1
