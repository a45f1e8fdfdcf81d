"""Sources of files: modules, and paths of the host (Puppet::FileServing)."""

from __future__ import annotations

import os
import posixpath
import stat as bits
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from analyzer.apply.host import Host, Stat
from analyzer.apply.provider import ProviderError
from analyzer.apply.providers.machine.paths import followed
from analyzer.reading import read_bytes

_KINDS = {bits.S_IFREG: "file", bits.S_IFDIR: "directory", bits.S_IFLNK: "link"}


@dataclass(frozen=True, slots=True)
class FileSources:
    """Finds and reads what `source` names: modules by `modulepath`, the rest on the host.

    Files of modules are read where catgraph runs, never below a root.
    """

    modulepath: tuple[str, ...] = ()
    environment: str = "production"

    def first(
        self, host: Host, sources: Sequence[str], links: str
    ) -> tuple[str, SourcePlace, Stat]:
        """Return the first source that is there.

        Raises:
            ProviderError: none is, or one is of a kind that is not served here.
        """
        for source in sources:
            place = self.place(host, source)
            found = place.served(links) if place else None
            if place and found:
                return source, place, found
        shown = ", ".join(map(spelled, sources))
        raise ProviderError(
            f"Could not retrieve information from environment {self.environment} source(s) {shown}"
        )

    def place(self, host: Host, source: str) -> SourcePlace | None:
        """Return where a source is, None if its module is not installed.

        Raises:
            ProviderError: it comes from another machine.
        """
        if source.startswith("/"):
            return HostPath(host, source.rstrip("/") or "/")
        parts = urlsplit(source, allow_fragments=False)
        if parts.scheme == "file" and not parts.netloc:
            return HostPath(host, unquote(parts.path).rstrip("/") or "/")
        # Puppet encodes the text itself: `%20` is no space (Puppet::Util.uri_encode).
        path = parts.path
        if parts.scheme != "puppet" or parts.netloc or not path.startswith("/modules/"):
            raise ProviderError(
                f"Could not retrieve file metadata for {source}: only files of modules "
                "(puppet:///modules/...) and of the machine itself are served without a server"
            )
        module, _, rest = path.removeprefix("/modules/").partition("/")
        for folder in () if module in {"", ".", ".."} else self.modulepath:
            files = Path(folder, module, "files")
            if files.is_dir():
                return ModuleFile(str(files), rest.rstrip("/"))
        return None


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Something that a source names."""

    def stat(self, links: str) -> Stat | None:
        """Return the entry, None if there is none; links are followed if `links` says so."""
        raise NotImplementedError

    def served(self, links: str) -> Stat | None:
        """Return the entry for a client that names it, who never gets a link that leads
        nowhere (Puppet::Indirector::DirectFileServer#find)."""
        return self.stat(links) if self.stat("follow") else None

    def read(self) -> bytes:
        """Return the contents of the file."""
        raise NotImplementedError

    def target(self) -> str:
        """Return where the link points."""
        raise NotImplementedError

    def names(self) -> list[str]:
        """Return the entries of the folder."""
        raise NotImplementedError

    def inside(self, name: str) -> SourcePlace:
        """Return the entry of the folder with a name."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class HostPath(SourcePlace):
    """A path of the host."""

    host: Host
    path: str

    def stat(self, links: str) -> Stat | None:
        """Return the entry."""
        try:
            return self.host.stat(
                followed(self.host, self.path) if links == "follow" else self.path
            )
        except OSError:
            return None

    def read(self) -> bytes:
        """Return the contents of the file."""
        return self.host.read(followed(self.host, self.path))

    def target(self) -> str:
        """Return where the link points."""
        return self.host.link_target(self.path)

    def names(self) -> list[str]:
        """Return the entries of the folder."""
        return self.host.names(followed(self.host, self.path))

    def inside(self, name: str) -> SourcePlace:
        """Return the entry of the folder with a name."""
        return HostPath(self.host, posixpath.join(self.path, name))


@dataclass(frozen=True, slots=True)
class ModuleFile(SourcePlace):
    """A file of a module; it stays below the module's `files`."""

    files: str
    path: str

    def stat(self, links: str) -> Stat | None:
        """Return the entry."""
        if ".." in self.path.split("/"):
            return None
        try:
            found = os.stat(self._full, follow_symlinks=links == "follow")
        except OSError:
            return None
        kind = _KINDS.get(bits.S_IFMT(found.st_mode), "other")
        mode = bits.S_IMODE(found.st_mode)
        return Stat(kind, mode, found.st_uid, found.st_gid, found.st_size, found.st_mtime)

    def read(self) -> bytes:
        """Return the contents of the file."""
        return read_bytes(self._full)

    def target(self) -> str:
        """Return where the link points."""
        return os.readlink(self._full)

    def names(self) -> list[str]:
        """Return the entries of the folder."""
        return sorted(os.listdir(self._full))

    def inside(self, name: str) -> SourcePlace:
        """Return the entry of the folder with a name."""
        return ModuleFile(self.files, posixpath.join(self.path, name))

    @property
    def _full(self) -> str:
        return os.path.join(self.files, self.path) if self.path else self.files


def spelled(source: str) -> str:
    """Return a source as Puppet writes it: a path as a URI."""
    return f"file://{source}" if source.startswith("/") else source
