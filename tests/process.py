"""A process of catgraph has one command; one of the tests has many."""

from __future__ import annotations

from analyzer.apart import place_of
from analyzer.reach import CODE
from analyzer.reading import Secrets


def as_new() -> None:
    """Forget what was named as code, where caches are, and that a value was decrypted."""
    CODE.clear()
    place_of.cache_clear()
    Secrets.met = False
