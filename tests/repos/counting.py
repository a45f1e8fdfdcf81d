"""Runs a command in one process, and ends its messages with the number of catalogs it compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from analyzer.cli import main
from analyzer.compiles import compile as compiling


def counting(function: Callable[..., Any], counts: list[str]) -> Callable[..., Any]:
    """Return a function that counts its calls."""

    def counted(*arguments: Any) -> Any:
        counts.append(function.__name__)
        return function(*arguments)

    return counted


def run(words: list[str]) -> int:
    """Run a command; return its exit code."""
    counts: list[str] = []
    for name in ("compile_node", "compile_class"):
        setattr(compiling, name, counting(getattr(compiling, name), counts))
    code = main([*words, "--jobs", "1"])
    print(len(counts), file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
