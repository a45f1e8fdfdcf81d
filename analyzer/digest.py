"""The hash function for keys and states of files; importing `hashlib` would load OpenSSL."""

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

__all__ = ["blake2b"]
