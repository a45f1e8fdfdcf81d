"""This machine, or a folder that is treated as the root of one."""

from __future__ import annotations

import errno
import os
import stat as bits
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import IO, Unpack

from analyzer.apply.host import Output, RunOptions, Stat
from analyzer.apply.providers.machine.accounts import Accounts
from analyzer.apply.providers.machine.backups import BackupStore
from analyzer.apply.providers.machine.commands import CommandOrder, run
from analyzer.apply.providers.machine.walk import parent_of

_KINDS = {bits.S_IFREG: "file", bits.S_IFDIR: "directory", bits.S_IFLNK: "link"}
_NEW_FILE = 0o644
# The end of the names of temporary files.
_FRESH = ".catgraph"
# An hour: a large package over a slow line takes less, and what hangs is not waited for all day.
PATIENCE = 3600.0
_SEARCHED = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")


class LocalHost:
    """A Host on this machine's file system.

    `root` is the folder that is taken for `/`: nothing outside of it is read or written, links
    are followed within it, users and groups are those of its `etc`, and commands are run in it
    (chroot, which only root may). `backups` keeps what files hold before they are replaced or
    removed. `seconds` is how long a program may take of which nothing else is said, as those that
    install packages and start services.
    """

    def __init__(
        self, root: str = "/", backups: BackupStore | None = None, seconds: float = PATIENCE
    ) -> None:
        self.root = os.path.realpath(root)
        self.backups = backups
        self.seconds = seconds
        self._accounts = Accounts(self, below=self.root != "/")

    def forget_leftovers(self) -> None:
        """Remove the temporary files that runs left which were killed as they wrote them."""
        for path in self.backups.left(self.root) if self.backups else ():
            with suppress(OSError), parent_of(self.root, path) as (folder, name):
                if name.endswith(_FRESH):
                    _forget(folder, name)

    def stat(self, path: str) -> Stat | None:
        """Return the entry at a path, None if there is none."""
        try:
            with parent_of(self.root, path) as (folder, name):
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return Stat(
            _KINDS.get(bits.S_IFMT(found.st_mode), "other"),
            bits.S_IMODE(found.st_mode),
            found.st_uid,
            found.st_gid,
            found.st_size,
            found.st_mtime,
        )

    def read(self, path: str) -> bytes:
        """Return the contents of a file."""
        with parent_of(self.root, path) as (folder, name), _opened(folder, name, path) as file:
            return file.read()

    def link_target(self, path: str) -> str:
        """Return where a link points."""
        with parent_of(self.root, path) as (folder, name):
            return os.readlink(name, dir_fd=folder)

    def names(self, path: str) -> list[str]:
        """Return the names in a folder, sorted."""
        with parent_of(self.root, path) as (folder, name):
            opened = os.open(
                name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder
            )
            try:
                return sorted(os.listdir(opened))
            finally:
                os.close(opened)

    def write(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Write a file whole: a temporary neighbour, synced, renamed; owner and mode are kept.

        A folder is not replaced; a link is.
        """
        old = self.stat(path)
        if old and old.kind == "directory":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        self._back_up(path, old)
        if mode is None:
            mode = old.mode if old and old.kind == "file" else _NEW_FILE
        with parent_of(self.root, path) as (folder, name):
            fresh = f".{sha256(name.encode(errors='surrogateescape')).hexdigest()[:16]}{_FRESH}"
            if self.backups:
                self.backups.begin(self.root, os.path.join(os.path.dirname(path), fresh))
            try:
                _fill(folder, fresh, data, mode, old)
                os.rename(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError as error:
                _forget(folder, fresh)
                raise OSError(error.errno, error.strerror, path) from None
            _sync(folder)
        if self.backups:
            self.backups.finish()

    def make_folder(self, path: str, mode: int | None = None) -> None:
        """Make a folder; without a mode the umask says what it gets."""
        with parent_of(self.root, path) as (folder, name):
            os.mkdir(name, dir_fd=folder)
            if mode is not None:
                _chmod(folder, name, mode, path)
            _sync(folder)

    def make_link(self, path: str, target: str) -> None:
        """Make a symbolic link."""
        with parent_of(self.root, path) as (folder, name):
            os.symlink(target, name, dir_fd=folder)
            _sync(folder)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Remove a file, a link, or a folder with its contents."""
        found = self.stat(path)
        if found and found.kind == "directory":
            if recursive:
                for name in self.names(path):
                    self.remove(f"{path.rstrip('/')}/{name}", recursive=True)
            self._at(path, lambda folder, name: os.rmdir(name, dir_fd=folder))
            return
        self._back_up(path, found)
        self._at(path, lambda folder, name: os.unlink(name, dir_fd=folder))

    def set_mode(self, path: str, mode: int) -> None:
        """Change the mode; a link has none of its own and is refused."""
        with parent_of(self.root, path) as (folder, name):
            _chmod(folder, name, mode, path)

    def set_owner(self, path: str, uid: int, gid: int) -> None:
        """Change owner and group of what is there, also of a link; -1 leaves one as it is."""
        self._at(
            path,
            lambda folder, name: os.chown(name, uid, gid, dir_fd=folder, follow_symlinks=False),
        )

    def user_id(self, name: str) -> int | None:
        """Return the number of a user, by name or number; None if there is none."""
        return self._accounts.user_id(name)

    def group_id(self, name: str) -> int | None:
        """Return the number of a group."""
        return self._accounts.group_id(name)

    def which(self, program: str, path: Sequence[str] = ()) -> str | None:
        """Return where a program is."""
        if "/" in program:
            return program if self._runs(program) else None
        if not path and self.root == "/":
            path = os.environ.get("PATH", "").split(":")
        places = (f"{folder}/{program}" for folder in path or _SEARCHED)
        return next(filter(self._runs, places), None)

    def run(self, command: Sequence[str] | str, **options: Unpack[RunOptions]) -> Output:
        """Run a command; a text is handed to /bin/sh if `shell` is set.

        Raises:
            ProviderError: it cannot be started, or takes longer than `seconds`.
        """
        words = command
        if isinstance(command, str):
            words = ["/bin/sh", "-c", command] if options.get("shell") else command.split()
        limit, user = options.get("seconds"), options.get("user")
        order = CommandOrder(
            tuple(words),
            self.root,
            options.get("environment", {}),
            options.get("folder"),
            options.get("umask"),
            self.seconds if limit is None else limit,
            options.get("stdin", b""),
        )
        return run(order, self._accounts.identity(user) if user else None)

    def _runs(self, path: str) -> bool:
        found = self.stat(self._followed(path))
        return bool(found and found.kind == "file" and found.mode & 0o111)

    def _followed(self, path: str) -> str:
        from analyzer.apply.providers.machine.paths import followed

        return followed(self, path)

    def _at(self, path: str, act: Callable[[int, str], None]) -> None:
        with parent_of(self.root, path) as (folder, name):
            act(folder, name)
            _sync(folder)

    def _back_up(self, path: str, found: Stat | None) -> None:
        if self.backups and found and found.kind == "file":
            self.backups.keep(path, self.read(path))


@contextmanager
def _opened(folder: int, name: str, path: str) -> Iterator[IO[bytes]]:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    with open(os.open(name, flags, dir_fd=folder), "rb") as file:
        if not bits.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "Not a regular file", path)
        yield file


def _fill(folder: int, name: str, data: bytes, mode: int, old: Stat | None) -> None:
    _forget(folder, name)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(name, flags, 0o600, dir_fd=folder), "wb") as file:
        file.write(data)
        if old and old.kind == "file" and (old.uid, old.gid) != (os.geteuid(), os.getegid()):
            os.fchown(file.fileno(), old.uid, old.gid)
        os.fchmod(file.fileno(), mode)
        file.flush()
        os.fsync(file.fileno())


def _chmod(folder: int, name: str, mode: int, path: str) -> None:
    opened = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        if bits.S_ISLNK(os.fstat(opened).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        os.chmod(f"/proc/self/fd/{opened}", mode)
    finally:
        os.close(opened)


def _forget(folder: int, name: str) -> None:
    with suppress(OSError):
        os.unlink(name, dir_fd=folder)


def _sync(folder: int) -> None:
    """Put a folder's entries on the disk; O_PATH descriptors cannot be synced themselves."""
    try:
        opened = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(opened)
