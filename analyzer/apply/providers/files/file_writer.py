"""Making the changes of a file: old things out of the way, the new ones whole."""

from __future__ import annotations

import errno
import os
import posixpath
from collections.abc import Callable

from analyzer.apply.host import Host, Stat
from analyzer.apply.provider import ABSENT, Note, ProviderError
from analyzer.apply.providers.files.checksums import checksum
from analyzer.apply.providers.files.file_wanted import FileWanted
from analyzer.apply.providers.files.modes import result, with_search
from analyzer.apply.providers.machine.account_files import account_of
from analyzer.apply.providers.machine.paths import enter, followed, ruby_error, stat_followed
from analyzer.apply.providers.machine.shell import words
from analyzer.model.resource import Resource
from analyzer.model.values import flat

_NEW_FILE, _NEW_FOLDER = 0o644, 0o755
_FORCE = "Not removing directory; use 'force' to override"


def make(desired: FileWanted, property: str, host: Host) -> list[Note]:
    """Make the change of one property.

    Raises:
        ProviderError: it cannot be made.
    """
    writer = _Writer(desired, host)
    try:
        if property == "ensure":
            writer.ensure()
        elif property == "content":
            writer.content()
        elif property == "target":
            writer.link()
        else:
            writer.fix(property)
    except OSError as error:
        raise ProviderError(writer.failure(property, error), writer.notes) from None
    except MissingAccount as error:
        text = writer.unset(str(error)) if property == "ensure" else str(error)
        raise ProviderError(text, writer.notes) from None
    except ProviderError as error:
        raise ProviderError(str(error), [*writer.notes, *error.notes]) from None
    return writer.notes


class MissingAccount(ProviderError):
    """The user or group does not exist."""


class _Writer:
    """Carries out one change, and collects its messages."""

    def __init__(self, desired: FileWanted, host: Host) -> None:
        self.desired = desired
        self.host = host
        self.notes: list[Note] = []
        self.mode = desired.mode
        old = stat_followed(host, desired.path)
        if self.mode and old and old.kind == "directory":
            # Puppet keeps the mode that the folder would get for what takes its place.
            self.mode = with_search(self.mode)

    @property
    def meant(self) -> str:
        """Return the path that has the owner and the mode: the target of a followed link."""
        desired = self.desired
        return followed(self.host, desired.path) if desired.links == "follow" else desired.path

    def stat(self) -> Stat | None:
        """Return the present state."""
        return self.host.stat(self.meant)

    def failure(self, property: str, error: OSError) -> str:
        """Return the error for a refusal by the system."""
        reason = ruby_error(error)
        if property == "ensure":
            return self.unset(reason)
        if property == "mode":
            mode = result(self.desired.mode or "0", 0, False)
            return f"failed to set mode {mode:o} on {self.desired.path}: {reason}"
        if property in {"owner", "group"}:
            should = self.number(property)
            return f"Failed to set {property} to '{should}': {reason}"
        return reason

    def unset(self, reason: str) -> str:
        """Return the error if `ensure` cannot be set (Puppet::Property#set)."""
        place = where(self.desired.parameters.resource)
        return f"Could not set '{self.desired.ensure}' on ensure: {reason}{place}"

    def ensure(self) -> None:
        """Create, replace or remove the file as wanted."""
        desired = self.desired
        self.clear(str(desired.ensure))
        make: dict[str | None, Callable[[], None]] = {
            ABSENT: lambda: None,
            "directory": self.folder,
            "link": self.link,
        }
        make.get(desired.ensure, self.new_file)()

    def new_file(self) -> None:
        """Make a file with its content; empty if that is not managed."""
        self.clear("file")
        self.write(self.desired.content or b"")

    def content(self) -> None:
        """Give a file its content."""
        self.clear("file")
        self.write(self.desired.content or b"")

    def write(self, data: bytes) -> None:
        """Write the file whole, with the mode it should have."""
        path, found = self.desired.path, self.stat()
        old = found.mode if found and found.kind == "file" else _NEW_FILE
        mode = result(self.mode, old, False) if self.mode else old
        if found and found.kind == "directory":
            reason = os.strerror(errno.EISDIR)
            # With content a neighbour would be renamed, without any the file is opened itself.
            at = f"{reason}: {path}" if data or self.desired.sources else path
            raise IsADirectoryError(errno.EISDIR, reason, at)
        self.validate(data, path)
        self.verify(data)
        self.put(data, mode)
        self.fix_all()

    def put(self, data: bytes, mode: int) -> None:
        """Put the file in place; where no content is asked for, in that of a followed link's end
        (Puppet::Type::File#write_temporary_file?)."""
        path = self.desired.path
        whole = self.desired.content is not None or self.desired.sources
        try:
            self.host.write(path if whole else self.meant, data, mode)
        except OSError as error:
            raise OSError(error.errno, error.strerror, path) from None

    def folder(self) -> None:
        """Make a folder; the one it is in must be there."""
        path = self.desired.path
        parent = posixpath.dirname(path)
        if not stat_followed(self.host, parent):
            raise ProviderError(f"Cannot create {path}; parent directory {parent} does not exist")
        mode = self.desired.mode
        self.host.make_folder(path, result(with_search(mode), _NEW_FOLDER, True) if mode else None)
        self.fix_all()

    def link(self) -> None:
        """Make a link, or another one in its place."""
        target = self.desired.target
        if target is None:
            raise ProviderError("Cannot create a symlink without a target")
        self.clear("link")
        folder = enter(self.host, posixpath.dirname(self.desired.path))
        if self.host.stat(self.desired.path):
            raise ProviderError("Could not remove existing file")
        maker = self.maker(folder)
        self.host.make_link(self.desired.path, target)
        if maker:
            self.host.set_owner(self.desired.path, *maker)
        self.fix_all()

    def maker(self, folder: Stat) -> tuple[int, int] | None:
        """Return the user and the group that a link in a folder is made as: the owner it should
        have, where that one may (Puppet::Type::File#asuser); None for the one who runs this."""
        written = self.desired.owners("owner")
        if not written or os.geteuid() != 0:
            return None
        uid = self.host.user_id(written[0])
        user = None if uid is None else account_of(self.host, uid)
        if uid is None or user is None:
            raise self.nobody(written[0])
        gid = int(user["gid"])
        bits = (folder.uid == uid and 0o200) or (folder.gid == gid and 0o020) or 0o002
        return (uid, gid) if folder.mode & bits or uid == 0 else None

    def nobody(self, owner: str) -> ProviderError:
        """Return the error about an owner who is no user, given as a name or a number."""
        if isinstance(next(iter(flat([self.desired.parameters["owner"]])), None), str):
            return ProviderError(f"Invalid user: {owner}")
        return MissingAccount(f"can't find user for {owner}")

    def clear(self, kind: str) -> None:
        """Remove an entry of another kind (Puppet::Type::File#remove_existing)."""
        found = self.stat()
        if not found:
            return
        self.back_up(found)
        if kind != "link" and found.kind == kind:
            return
        if found.kind == "directory" and not self.desired.force:
            self.notes.append(Note("notice", _FORCE))
            return
        self.host.remove(self.desired.path, recursive=found.kind == "directory")

    def back_up(self, found: Stat) -> None:
        """Back up the current content, if the resource asks for it.

        The store of the host keeps what it replaces anyway; a copy beside the file is made here.
        """
        backup = self.desired.backup
        if not backup:
            return
        forced = found.kind == "directory" and self.desired.force
        if found.kind not in ("file", "link") and not forced:
            reason = f"Could not back up file of type {found.kind}"
            self.notes.append(Note("warning", reason))
            return
        if not backup.startswith("."):
            if found.kind == "file":
                sum_ = checksum("sha256", self.host.read(self.meant)).partition("}")[2]
                text = f"Filebucketed {self.desired.path} to {backup} with sum {sum_}"
                self.notes.append(Note("info", text))
            return
        meant = stat_followed(self.host, self.desired.path)
        if not meant:
            return
        copy = self.desired.path + backup
        old = self.host.stat(copy)
        if old and old.kind == "directory":
            raise ProviderError(f"Will not remove directory backup {copy}; use a filebucket")
        if old:
            self.notes.append(Note("info", f"Removing old backup of type {old.kind}"))
            self.host.remove(copy)
        self.copy(followed(self.host, self.desired.path), copy, meant)

    def copy(self, source: str, copy: str, found: Stat) -> None:
        """Copy the current content, with modes and owners."""
        if found.kind == "link":
            self.host.make_link(copy, self.host.link_target(source))
        elif found.kind == "directory":
            self.host.make_folder(copy, found.mode)
            for name in self.host.names(source):
                inner = self.host.stat(f"{source}/{name}")
                if inner:
                    self.copy(f"{source}/{name}", f"{copy}/{name}", inner)
        else:
            self.host.write(copy, self.host.read(source), found.mode)
        self.host.set_owner(copy, found.uid, found.gid)

    def validate(self, data: bytes, place: str) -> None:
        """Have a command look at the new content before it is put in place."""
        command = self.desired.parameters.text("validate_cmd")
        if not command:
            return
        folder, name = posixpath.split(place)
        fresh = posixpath.join(folder, f".{name[:200]}.catgraph-check")
        token = self.desired.parameters.text("validate_replacement", "%") or "%"
        self.host.write(fresh, data, 0o600)
        try:
            text = command.replace(token, fresh)
            output = self.host.run(words(text))
        finally:
            self.host.remove(fresh)
        if output.code != 0:
            raise ProviderError(
                f"Execution of '{text}' returned {output.code}: {output.text.strip()}"
            )

    def verify(self, data: bytes) -> None:
        """See that the content is what `checksum_value` says."""
        expected = self.desired.parameters.text("checksum_value")
        if not expected or self.desired.checksum not in {
            "sha256",
            "md5",
            "sha224",
            "sha384",
            "sha512",
        }:
            return
        got, want = checksum(self.desired.checksum, data), f"{{{self.desired.checksum}}}{expected}"
        if got != want:
            raise ProviderError(
                "File written to disk did not match desired checksum; discarding changes "
                f"({got} vs {want})"
            )

    def fix_all(self) -> None:
        """Give a new thing its owner, group and mode."""
        for property in ("owner", "group", "mode"):
            self.fix(property)

    def fix(self, property: str) -> None:
        """Set the owner, the group or the mode."""
        place, found = self.meant, self.stat()
        if not found:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.desired.path)
        if property == "mode":
            self.fix_mode(place, found)
            return
        number = self.number(property)
        current = found.uid if property == "owner" else found.gid
        if number is None or number == current or (property == "owner" and os.geteuid() != 0):
            return
        if property == "owner":
            self.host.set_owner(place, number, -1)
        else:
            self.host.set_owner(place, -1, number)
        after = self.stat()
        if after and after.mode != found.mode and found.kind != "link":
            self.host.set_mode(place, found.mode)

    def fix_mode(self, place: str, found: Stat) -> None:
        """Set the mode; a link has none."""
        mode = self.mode
        if mode is None or found.kind == "link":
            return
        folder = found.kind == "directory"
        bits = result(with_search(mode) if folder else mode, found.mode, folder)
        if bits != found.mode:
            self.host.set_mode(place, bits)

    def number(self, property: str) -> int | None:
        """Return the number of the owner or group that there should be, None for any."""
        written = self.desired.owners(property)
        if not written:
            return None
        find = self.host.user_id if property == "owner" else self.host.group_id
        number = find(written[0])
        if number is None:
            kind = "user" if property == "owner" else "group"
            raise MissingAccount(f"Could not find {kind} {written[0]}")
        return number


def where(resource: Resource) -> str:
    """Return where a resource was declared, as Puppet ends its messages."""
    parts = [("file", resource.file), ("line", resource.line)]
    details = ", ".join(f"{name}: {value}" for name, value in parts if value)
    return f" ({details})" if details else ""
