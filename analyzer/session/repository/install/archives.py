"""Reads the archive of a release: nothing is unpacked before all of it is known to be harmless."""

from __future__ import annotations

import tarfile
import zlib
from collections.abc import Iterator
from io import BytesIO

from analyzer.escape import shown
from analyzer.git_fetch import MOST_FILES
from analyzer.reading import gunzip, most_bytes, size_text
from analyzer.session.repository.install.content import (
    LINK,
    PLAIN,
    PROGRAM,
    File,
    WrongFiles,
    check_path,
)

# Members that say nothing about a file: the comment of `git archive`.
SILENT = ("pax_global_header",)
DAMAGED = (tarfile.TarError, OSError, EOFError, zlib.error, ValueError, OverflowError)


def read_archive(data: bytes) -> list[File]:
    """Return the files of a release, without the folder that all of them are in.

    Raises:
        WrongFiles: it is damaged, too large, or has a member that no module needs.
    """
    try:
        plain = gunzip(data, "the archive")
        with tarfile.open(fileobj=BytesIO(plain), mode="r:") as archive:
            return list(members(archive))
    except WrongFiles:
        raise
    except DAMAGED as error:
        words = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise WrongFiles(f"the archive cannot be read: {shown(words)}") from None


def members(archive: tarfile.TarFile) -> Iterator[File]:
    """Yield the files of an archive.

    Raises:
        WrongFiles: a member is not one of a module.
    """
    tops: set[str] = set()
    total = 0
    for number, member in enumerate(archive, 1):
        if number > MOST_FILES:
            raise WrongFiles(f"the archive has more than {MOST_FILES:,} members")
        if member.name in SILENT:
            continue
        total += max(member.size, 0)
        if total > most_bytes() or member.size < 0:
            size = size_text(most_bytes())
            raise WrongFiles(f"the archive has more than {size} (--max-input SIZE)")
        check_member(member)
        top, *parts = check_path(member.name.removeprefix("./").rstrip("/") or ".")
        tops.add(top)
        if len(tops) > 1:
            raise WrongFiles(f"the archive has more than one folder: {shown(', '.join(tops))}")
        if member.isdir():
            continue
        if not parts:
            raise WrongFiles(f"{shown(member.name)} is not in the module's folder")
        yield file_of(archive, member, "/".join(parts))


def check_member(member: tarfile.TarInfo) -> None:
    """Refuse a member that is no file, folder or link of a module.

    Nothing is extracted by `tarfile`: `check_path` refuses names that lead out, and `write_files`
    links that do, as for the files of git.

    Raises:
        WrongFiles: it is one.
    """
    name = shown(member.name)
    if member.name.startswith("/"):
        raise WrongFiles(f"{name} is an absolute name")
    if member.islnk():
        raise WrongFiles(f"{name} is a hard link")
    if not (member.isreg() or member.isdir() or member.issym()) or member.issparse():
        raise WrongFiles(f"{name} is no file, folder or link")


def file_of(archive: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> File:
    """Return a member as a file of the module."""
    if member.issym():
        return File(path, LINK, member.linkname.encode("utf-8", "surrogateescape"))
    stream = archive.extractfile(member)
    data = stream.read() if stream else b""
    if len(data) != member.size:
        raise WrongFiles(f"{shown(member.name)} ends too early")
    return File(path, PROGRAM if member.mode & 0o100 else PLAIN, data)
