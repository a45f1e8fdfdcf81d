"""Checksums of files, as the parameter `checksum` names them (Puppet::Util::Checksums)."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

# What the first bytes are that a `lite` checksum looks at.
_LITE = 512
DIGESTS = ("sha256", "sha256lite", "md5", "md5lite", "sha1", "sha1lite", "sha512", "sha384")
KINDS = (*DIGESTS, "sha224", "mtime", "ctime", "none")
# They cannot be told from a content.
TIMES = frozenset(("mtime", "ctime"))


def checksum(kind: str, data: bytes, mtime: float = 0.0) -> str:
    """Return a checksum with its kind in front: `{sha256}...`."""
    if kind in TIMES:
        return f"{{{kind}}}{time_text(mtime)}"
    if kind == "none":
        return "{none}"
    if kind.endswith("lite"):
        data = data[:_LITE]
    return f"{{{kind}}}{hashlib.new(kind.removesuffix('lite'), data).hexdigest()}"


def time_text(seconds: float) -> str:
    """Return a time as Ruby writes it, in UTC, whole seconds."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def data_of(text: str) -> str:
    """Return a checksum without its kind."""
    return text.partition("}")[2] if text.startswith("{") else text
