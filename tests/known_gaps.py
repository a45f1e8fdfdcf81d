"""What differs from Puppet, or is shown by no recorded case: `oracle/known_gaps.toml`."""

from __future__ import annotations

import tomllib

from tests.conftest import ROOT

FILE = ROOT / "tests" / "oracle" / "known_gaps.toml"


def known_gaps(section: str) -> dict[str, str]:
    """Return the entries of a section, each with the reason."""
    found: dict[str, dict[str, str]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return found.get(section, {})
