"""Other texts for a literal, a fact or a value of data."""

from __future__ import annotations

import re
from random import Random

VERSION = re.compile(r"[0-9][0-9.]*\Z")
# Versions and numbers that are less and greater than others.
VERSIONS = ("'0'", "'9999'")
NUMBERS = ("0", "1", "9999")
# The other literals that one is replaced with, and other values of a fact; most are never tried, as
# the ways end once everything in question has changed.
MOST_OTHERS = 10


def changed_text(written: str, random: Random) -> str | None:
    """Return another text of the same kind, None if there is none."""
    if written in ("true", "false"):
        return "false" if written == "true" else "true"
    if written.isdigit():
        return str((int(written) + 1) % 10 ** len(written)).rjust(len(written), "1")
    end = -1 if written[:1] in ("'", '"') else len(written)
    if len(written) < 3 - 2 * (end > 0) or not written[:end][-1:].isalnum():
        return None
    made = written[:end][:-1] + random.choice("qxz") + written[end:]
    return None if made == written else made


def other_texts(written: str) -> list[str]:
    """Return texts that fail a pattern for the beginning of a literal, and an empty one."""
    if written.isdigit():
        return [one for one in NUMBERS if one != written]
    quoted = written[:1] == "'" and len(written) > 2
    return [f"'x{written[1:]}", "''"] if quoted else []
