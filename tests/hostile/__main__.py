"""`python -m tests.hostile N [SEED]`: N catalogs through every command."""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.frontends.test_catalog_json import CATALOG
from tests.hostile.documents import documents
from tests.hostile.through import failures


def main(count: int = 1000, start: int = 0) -> int:
    """Print what failed, by reason, with an example of each; exit code 1 if something did."""
    found: Counter[str] = Counter()
    examples: dict[str, tuple[str, str]] = {}
    numbers = itertools.count()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        healthy, document = Path(folder, "healthy.json"), Path(folder, "catalog.json")
        healthy.write_text(json.dumps(CATALOG))

        @seed(start)
        @settings(
            max_examples=count,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(documents())
        def run(text: str) -> None:
            document.write_text(text, encoding="utf-8")
            for command, reason in failures(document, healthy, next(numbers)):
                found[reason] += 1
                if reason not in examples or len(text) < len(examples[reason][1]):
                    examples[reason] = command, text

        run()
    for reason, times in found.most_common():
        command, text = examples[reason]
        print(f"{times:6} {reason}\n       {command}\n       {text}")
    took = time.monotonic() - began
    print(f"{next(numbers):,} documents, {found.total():,} failures, {took:.0f} s")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
