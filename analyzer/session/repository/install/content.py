"""The files of a module before they are written: checked as text, then placed as a whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unicodedata import normalize

from analyzer.diagnostics import InputError
from analyzer.digest import blake2b
from analyzer.escape import shown
from analyzer.git_fetch import MOST_FILES
from analyzer.source import Span

PLAIN, PROGRAM, LINK = "100644", "100755", "120000"
# Bytes of a path, and of one of its parts (limits.h).
LONGEST, LONGEST_PART = 1024, 255


class File(NamedTuple):
    """A file of a module: its path from the top, its mode as git writes it, and its content.

    The content of a link is where it leads.
    """

    path: str
    mode: str
    data: bytes


class WrongFiles(ValueError):
    """The files of a module cannot be written, or should not be."""


def check_files(files: Sequence[File]) -> None:
    """Refuse files that would stand elsewhere, or in each other's place.

    Raises:
        WrongFiles: a name is wrong, two names are the same to some file systems, or there is no or
            too much content.
    """
    if not files:
        raise WrongFiles("it has no files")
    if len(files) > MOST_FILES:
        raise WrongFiles(f"it has more than {MOST_FILES:,} files")
    spellings: dict[str, str] = {}
    complete: set[str] = set()
    for file in files:
        parts = check_path(file.path)
        if file.path in complete:
            raise WrongFiles(f"{shown(file.path)} is there twice")
        complete.add(file.path)
        for number in range(1, len(parts) + 1):
            place = "/".join(parts[:number])
            other = spellings.setdefault(normalize("NFC", place).casefold(), place)
            if other != place:
                raise WrongFiles(f"{shown(other)} and {shown(place)} differ by case only")
    above = {os.path.dirname(path) for path in complete}
    while inner := above - {""}:
        if both := inner & complete:
            raise WrongFiles(f"{shown(min(both))} is a file and a folder")
        above = {os.path.dirname(path) for path in inner}


def check_path(path: str) -> list[str]:
    """Return the parts of a path in a module.

    Raises:
        WrongFiles: it leads elsewhere, has characters that no name needs, or is git's own.
    """
    parts = path.split("/")
    if not path or any(part in ("", ".", "..") for part in parts):
        raise WrongFiles(f"{shown(path) or 'an empty name'} leads out of the module's folder")
    if not path.isprintable():
        raise WrongFiles(f"{shown(path)} has control characters")
    if any(part.casefold().rstrip(" .") == ".git" for part in parts):
        raise WrongFiles(f"{shown(path)} would be read by git")
    if len(os.fsencode(path)) > LONGEST or any(len(os.fsencode(p)) > LONGEST_PART for p in parts):
        raise WrongFiles(f"{shown(path[:60])}... is too long a name")
    return parts


def place_files(files: Sequence[File], folder: str, *, replace: bool, span: Span) -> None:
    """Write the files of a module into a folder, whole or not at all.

    Raises:
        InputError: they are wrong, cannot be written, or the folder holds something already.
    """
    above, name = os.path.split(folder)
    try:
        check_files(files)
        os.makedirs(above, exist_ok=True)
        with TemporaryDirectory(prefix=f".{name}.", dir=above) as temporary:
            new = os.path.join(temporary, "new")
            write_files(files, new)
            if replace and os.path.lexists(folder):
                os.rename(folder, os.path.join(temporary, "old"))
            try:
                os.rename(new, folder)
            except OSError:
                with suppress(OSError):
                    os.rename(os.path.join(temporary, "old"), folder)
                raise
    except WrongFiles as error:
        raise InputError(f"{name}: {error}", span, "unsafe-module") from None
    except OSError as error:
        message = f"{name} cannot be written: {error.strerror}: {error.filename}"
        raise InputError(message, span, "cannot-install") from None


def write_files(files: Iterable[File], folder: str) -> None:
    """Write files, then links, into a new folder.

    Raises:
        WrongFiles: a link leads out of the folder.
        OSError: they cannot be written.
    """
    os.mkdir(folder)
    real = os.path.join(os.path.realpath(folder), "")
    links = []
    for file in files:
        place = os.path.join(folder, file.path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if file.mode == LINK:
            links.append((file, place))
            continue
        mode = 0o777 if file.mode == PROGRAM else 0o666
        with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
            stream.write(file.data)
    for file, place in links:
        try:
            os.symlink(file.data, os.fsencode(place))
        except ValueError:
            raise WrongFiles(f"{shown(file.path)} is a link to no name") from None
    # Links may lead through each other: only when all are there is it certain where they end.
    for file, place in links:
        end = os.path.realpath(place)
        if os.path.isabs(file.data) or not os.path.join(end, "").startswith(real):
            raise WrongFiles(f"the link {shown(file.path)} leads out of the module's folder")


def checksum(files: Iterable[File]) -> str:
    """Return a digest of the files of a module, whatever their order."""
    total = blake2b(digest_size=32)
    for path, mode, data in sorted(files):
        for part in (path.encode("utf-8", "surrogateescape"), mode.encode(), data):
            total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()
