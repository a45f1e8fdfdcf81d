"""Opens what a user names or a repository holds: regular files of a bounded size, nothing else.

A device has no end, and opening a named pipe waits for a writer. Everything that is wrong
is an OSError, whose `strerror` says what to do.
"""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar
from errno import EFBIG, EINVAL, EISDIR, ENOENT
from stat import S_ISDIR, S_ISREG

from analyzer.reach import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    class Stream(Protocol):
        """A source of bytes."""

        def read(self, size: int, /) -> bytes | None:
            """Return at most so many bytes, none at the end."""


MEGABYTE = 1 << 20
# Bytes of a file, unpacked: a catalog of 200,000 resources has some 150 MB.
DEFAULT_MOST = 512 * MEGABYTE
FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
NO_FILE = "not a regular file"
# Stands for the clock among the files that were read.
CLOCK = "<clock>"
UNITS = {"K": 1 << 10, "M": MEGABYTE, "G": 1 << 30, "T": 1 << 40}


# The largest size of an input in bytes (`--max-input`).
MOST: ContextVar[int] = ContextVar("most", default=DEFAULT_MOST)


def most_bytes() -> int:
    """Return how many bytes an input may have."""
    return MOST.get()


# Whether this process ends with its command, for which files stay as they are.
ONE_COMMAND: ContextVar[bool] = ContextVar("one command", default=False)


def set_most(size: int | None) -> None:
    """Set how many bytes an input may have in this context, None for the default."""
    MOST.set(DEFAULT_MOST if size is None else size)


def size_of(text: str) -> int:
    """Return the bytes that `2G`, `512M`, `100k` or `1000` say.

    Raises:
        ValueError: it is no size.
    """
    word = text.strip().upper().removesuffix("B")
    unit = UNITS.get(word[-1:], 1)
    number = float(word.rstrip("KMGT") if unit > 1 else word)
    if not 1 <= number * unit < 1 << 60:
        raise ValueError(text)
    return int(number * unit)


def size_text(size: int) -> str:
    """Return a size as people write it."""
    for word in ("G", "M", "K"):
        if size >= UNITS[word] and size % UNITS[word] == 0:
            return f"{size // UNITS[word]} {word}B"
    return f"{size:,} bytes"


def too_large(path: str, what: str = "it") -> OSError:
    """Return the error for what has more bytes than it may have."""
    return OSError(
        EFBIG, f"{what} has more than {size_text(most_bytes())} (--max-input SIZE)", path
    )


NOTES: ContextVar[dict[str, str] | None] = ContextVar("notes", default=None)


class noting:
    """Notes the files that are read while a context lasts, each with its state.

    What was noted belongs to the context around it, too, unless it is `apart`.
    """

    def __init__(self, apart: bool = False) -> None:
        self.apart = apart

    def __enter__(self) -> dict[str, str]:
        """Begin."""
        self.before = NOTES.get()
        self.found: dict[str, str] = {}
        NOTES.set(self.found)
        return self.found

    def __exit__(self, *error: object) -> None:
        """End."""
        NOTES.set(self.before)
        if self.before is not None and not self.apart:
            self.before.update(self.found)


def note(read: Mapping[str, str]) -> None:
    """Note what was read before, or by another process."""
    if (notes := NOTES.get()) is not None:
        notes.update(read)


def note_clock() -> None:
    """Note that a result depends on the clock: it was read, or time or memory were used up."""
    note({CLOCK: ""})


class Secrets:
    """Remembers whether this process has decrypted a value, which any output may have."""

    met = False


def note_secret() -> None:
    """Note that a result must not be stored, as it has secrets."""
    note({CLOCK: ""})


def state_of(path: str) -> str:
    """Return a text that differs if the content of a file does, or why it cannot be read."""
    from contextlib import suppress

    with noting() as found, suppress(OSError):
        read_bytes(path)
    return found[path]


def read_bytes(path: str) -> bytes:
    """Return the contents of a file.

    Raises:
        OSError: it may not or cannot be read, is no regular file, or too large.
    """
    found = NOTES.get()
    if found is None:
        return bytes_of(path)
    from analyzer.digest import blake2b

    try:
        data = bytes_of(path)
    except OSError as error:
        found[path] = f"{error.strerror}: {os.path.realpath(path)}"
        raise
    found[path] = blake2b(data, digest_size=16).hexdigest()
    return data


def bytes_of(path: str) -> bytes:
    """Return the contents of a file, which nobody notes.

    Raises:
        OSError: as for `read_bytes`.
    """
    # Watchers are notified of every path, even if the file does not exist.
    sys.audit("open", check(path), "r", FLAGS)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, why_missing(path), path) from None
    refuse_others(mode, path)
    with open(os.open(path, FLAGS), "rb", buffering=0) as file:
        found = os.fstat(file.fileno())
        refuse_others(found.st_mode, path)
        if found.st_size > most_bytes():
            raise too_large(path)
        # Files of the kernel have no size, and some of them no end.
        data = file.readall() if found.st_size else read_bounded(file, path)
    if len(data) > most_bytes():
        raise too_large(path)
    return data


def read_text(path: str, errors: str = "strict", newline: str | None = None) -> str:
    """Return the text of a file in UTF-8; line ends are made `\\n`, unless `newline` is empty.

    Raises:
        OSError: it cannot be read, is no regular file, or too large.
        UnicodeDecodeError: it is not UTF-8.
    """
    text = str(read_bytes(path), "utf-8", errors)
    if newline is None and "\r" in text:
        return text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def read_standard_input() -> bytes:
    """Return all of standard input.

    Raises:
        OSError: it is too large.
    """
    return read_bounded(sys.stdin.buffer, "-")


def read_bounded(stream: Stream, path: str, what: str = "it") -> bytes:
    """Return all that comes from a stream.

    Raises:
        OSError: it is too much.
    """
    parts = []
    left = most_bytes()
    while part := stream.read(MEGABYTE):
        left -= len(part)
        if left < 0:
            raise too_large(path, what)
        parts.append(part)
    return b"".join(parts)


def gunzip(data: bytes, path: str) -> bytes:
    """Unpack gzip data, piece by piece: a few bytes may stand for gigabytes.

    Raises:
        OSError: it is damaged, or too much.
        EOFError, zlib.error: it is damaged.
    """
    from gzip import GzipFile
    from io import BytesIO

    with GzipFile(fileobj=BytesIO(data)) as file:
        return read_bounded(file, path, "unpacked, it")


def why_missing(path: str) -> str:
    """Return why a file does not exist: nothing has its name, or it is a link to nothing."""
    if os.path.islink(path):
        return f"this is a link to {os.readlink(path)}, which does not exist"
    return os.strerror(ENOENT)


def refuse_others(mode: int, path: str) -> None:
    """Refuse what is no regular file.

    Raises:
        OSError: it is none.
    """
    if S_ISDIR(mode):
        raise OSError(EISDIR, os.strerror(EISDIR), path)
    if not S_ISREG(mode):
        raise OSError(EINVAL, NO_FILE, path)
