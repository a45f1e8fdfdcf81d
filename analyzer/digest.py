"""The hash function for keys and states of files; importing `hashlib` would load OpenSSL."""

try:
    from _blake2 import blake2b
    from _operator import _compare_digest
except ImportError:
    from hashlib import blake2b
    from hmac import compare_digest as _compare_digest  # type: ignore[no-redef]

__all__ = ["blake2b", "same_digest"]


def same_digest(one: bytes, other: bytes) -> bool:
    """Return whether two digests are the same, in a time that does not depend on them."""
    return _compare_digest(one, other)
