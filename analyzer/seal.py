"""Binds stored values to the user who stored them, by a secret that no checkout can have.

A seal is a keyed digest of a name and of the bytes that are stored under it. The secret is a file
of random bytes together with its number and the time of its last change, which the file system
notes and no program can choose: a file that came with code, or that was copied, is another secret.
"""

from __future__ import annotations

import os
from contextlib import suppress
from stat import S_ISREG

from analyzer.digest import blake2b, same_digest

# The name of the file, and the number of bytes of a secret and of a seal.
NAME, SIZE = "secret", 32

# A link in the place of a file is not followed, and a pipe is not waited for.
CAREFUL = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def private(path: str, flags: int) -> int:
    """Open a file that only the user may read or write, whatever the umask is."""
    return os.open(path, flags | CAREFUL, 0o600)


def is_own(stat: os.stat_result, others: int = 0o022) -> bool:
    """Return whether only the user can have written a file; `others` are forbidden permissions."""
    return S_ISREG(stat.st_mode) and stat.st_uid == os.geteuid() and not stat.st_mode & others


def secret_in(folder: str) -> bytes | None:
    """Return the secret of a folder, which is made if there is none; None if that fails."""
    path = os.path.join(folder, NAME)
    with suppress(OSError):
        return read_secret(path) or make_secret(path)
    return None


def read_secret(path: str) -> bytes | None:
    """Return the secret in a file, None if it has none that only the user can know.

    Raises:
        OSError: it cannot be read.
    """
    with suppress(FileNotFoundError), open(path, "rb", opener=private) as file:
        stat, data = os.fstat(file.fileno()), file.read(SIZE + 1)
        if len(data) == SIZE and is_own(stat, 0o077):
            made = f"{stat.st_ino} {stat.st_ctime_ns}".encode()
            return blake2b(made, key=data, digest_size=SIZE).digest()
    return None


def make_secret(path: str) -> bytes | None:
    """Make the secret in a file, and return it, or that which another process made meanwhile.

    Raises:
        OSError: it cannot be made.
    """
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    temporary = f"{path}.{os.urandom(8).hex()}"
    with open(temporary, "xb", opener=private) as file:
        file.write(os.urandom(SIZE))
    os.replace(temporary, path)
    return read_secret(path)


def seal(secret: bytes, name: str, data: bytes) -> bytes:
    """Return the seal of bytes that are stored under a name."""
    digest = blake2b(name.encode("utf-8", "surrogatepass"), key=secret, digest_size=SIZE)
    # The bytes have a digest of their own: no end of the name is a beginning of them.
    digest.update(blake2b(data, key=secret, digest_size=SIZE).digest())
    return digest.digest()


def unseal(secret: bytes, name: str, data: bytes) -> bytes | None:
    """Return the bytes behind their seal, None if they were not stored under this name."""
    rest = data[SIZE:]
    return rest if same_digest(data[:SIZE], seal(secret, name, rest)) else None
