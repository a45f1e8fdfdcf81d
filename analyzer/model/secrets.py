"""Names that sound like secrets."""

from __future__ import annotations

# A page may be shared: a name that sounds like a secret is enough, Sensitive or not.
SECRET_WORDS = (
    "password", "passwd", "passphrase", "secret", "token", "private_key", "credential",
)  # fmt: skip


def is_secret(name: str) -> bool:
    """Return whether the name of a parameter sounds like a secret."""
    lowered = name.lower()
    return any(word in lowered for word in SECRET_WORDS)
