"""The wanted state of a file resource, its source looked up (Puppet::Type::File)."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from analyzer.apply.host import Host, Stat
from analyzer.apply.provider import ABSENT, ProviderError
from analyzer.apply.providers.files.checksums import KINDS, TIMES, checksum
from analyzer.apply.providers.files.modes import is_octal, is_valid, octal
from analyzer.apply.providers.files.sources import FileSources, SourcePlace
from analyzer.apply.providers.parameters import Parameters, shown
from analyzer.model.resource import Resource
from analyzer.model.values import flat

_ENSURE = {"present": "present", "file": "file", "directory": "directory", "link": "link"} | {
    ABSENT: ABSENT,
    "false": ABSENT,
}
_RECURSE = {"true": "true", "false": "false", "remote": "remote"}
_COPIED = {"owner": "uid", "group": "gid", "mode": "mode"}


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source that exists: its written form, its path, its kind."""

    source: str
    place: SourcePlace
    stat: Stat


class FileWanted:
    """The parameters of a file, checked.

    Raises:
        ProviderError: they contradict each other, or are not plain values.
    """

    def __init__(self, resource: Resource, found: FoundSource | None = None) -> None:
        self.parameters = parameters = Parameters(resource, "path")
        if "content" in parameters.secret or "source" in parameters.secret:
            parameters.secret |= {"content", "ensure"}
        self.found = found
        path = parameters.name
        if not path.startswith("/"):
            raise ProviderError(f"File paths must be fully qualified, not '{path}'")
        self.path = normal(path)
        self.sources = [source.rstrip("/") or "/" for source in parameters.texts("source")]
        self.replace = parameters.flag("replace", True)
        self.force = parameters.flag("force")
        self.purge = parameters.flag("purge")
        self.recurse = parameters.choice("recurse", _RECURSE, "false")
        self.checksum = parameters.choice("checksum", {k: k for k in KINDS}, "sha256") or ""
        self._check()

    @cached_property
    def ensure(self) -> str | None:
        """Return the wanted kind of entry, or that of its source if it has one."""
        written = self.parameters.text("ensure")
        if self.found and not (written and _ENSURE.get(written) == ABSENT):
            kind = self.found.stat.kind
            return kind if kind != "link" or self.links == "manage" else "present"
        if written is not None:
            return _ENSURE.get(written, "link")
        if "target" in self.parameters:
            return "link"
        return "file" if "content" in self.parameters else None

    @cached_property
    def links(self) -> str:
        """Return whether links are managed or followed."""
        return self.parameters.choice("links", {"manage": "manage", "follow": "follow"}, None) or (
            "manage"
        )

    @cached_property
    def target(self) -> str | None:
        """Return the wanted target of the link."""
        if self.found and self.found.stat.kind == "link" and self.links == "manage":
            return self.found.place.target()
        written = self.parameters.text("ensure")
        if written is not None and written not in _ENSURE:
            return written
        return self.parameters.text("target")

    @cached_property
    def content(self) -> bytes | None:
        """Return the wanted content; None if that is not managed."""
        if self.found:
            return self.found.place.read() if self.found.stat.kind == "file" else None
        value = self.parameters["content"]
        if value is None or value == ABSENT:
            return None
        return value if isinstance(value, bytes) else shown(value).encode(errors="surrogateescape")

    @property
    def content_sum(self) -> str:
        """Return the checksum of the wanted content, with its kind."""
        mtime = self.found.stat.mtime if self.found else 0.0
        return checksum(self.checksum, self.content or b"", mtime)

    @property
    def mode(self) -> str | None:
        """Return the mode as text, in digits without leading zeros."""
        value = self.copied("mode")
        return value if value is None or not is_octal(value) else f"{int(value, 8):o}"

    def owners(self, name: str) -> list[str]:
        """Return the owners (or groups) that are good."""
        value = self.parameters.texts(name)
        copied = self.copied(name)
        return value or ([copied] if copied is not None else [])

    def copied(self, name: str) -> str | None:
        """Return a parameter, or the source's value where permissions are copied from it."""
        value = self.parameters.text(name)
        if value is not None or not self.found:
            return value
        if self.parameters.text("source_permissions") not in {"use", "use_when_creating"}:
            return None
        bits = getattr(self.found.stat, _COPIED[name])
        return octal(bits) if name == "mode" else str(bits)

    @property
    def backup(self) -> str | None:
        """Return the ending of a backup copy, or the name of a filebucket; None for neither."""
        value: object = (flat([self.parameters["backup"]]) or [None])[0]
        if value in {None, False, "false"}:
            return None
        return ".puppet-bak" if value in {True, "true"} else shown(value)

    def should_be_file(self, current: Stat | None) -> bool:
        """Return whether the content matters (Puppet::Type::File#should_be_file?)."""
        if self.ensure == "file":
            return True
        if self.ensure not in {None, "present"}:
            return False
        if self.ensure == "present":
            return current is None or current.kind == "file"
        return self.content is not None or bool(current and current.kind == "file")

    def _check(self) -> None:
        parameters = self.parameters
        creators = [
            name for name in ("content", "source", "target") if parameters[name] is not None
        ]
        if len(creators) > 1:
            raise ProviderError("You cannot specify more than one of content, source, target")
        if self.recurse == "remote" and not self.sources:
            raise ProviderError("You cannot specify a remote recursion without a source")
        if self.checksum in {*TIMES, "none"} and "content" in parameters:
            raise ProviderError(f"You cannot specify content when using checksum '{self.checksum}'")
        if self.checksum == "none" and self.sources:
            raise ProviderError("You cannot specify source when using checksum 'none'")
        mode = parameters["mode"]
        if mode is not None and not (isinstance(mode, str) and is_valid(mode)):
            raise ProviderError(
                f"Parameter mode failed on {parameters.resource}: "
                f"The file mode specification is invalid: {mode!r}"
            )


def wanted(resource: Resource, host: Host, sources: FileSources) -> FileWanted:
    """Return the wanted state of a file resource, its source looked up.

    Raises:
        ProviderError: the parameters are wrong, or no source is there.
    """
    desired = FileWanted(resource)
    if not desired.sources:
        return desired
    source, place, stat = sources.first(host, desired.sources, desired.links)
    made = FileWanted(resource, FoundSource(source, place, stat))
    # Read here, where the host is looked at: a plan is made without it.
    _ = made.content, made.target
    return made


def normal(path: str) -> str:
    """Return a path without doubled or trailing slashes, `.` and `..`."""
    return "/" + posixpath.normpath(path).lstrip("/")


def unique(values: Sequence[str]) -> list[str]:
    """Return values once each."""
    return list(dict.fromkeys(values))
