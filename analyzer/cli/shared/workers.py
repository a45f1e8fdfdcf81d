"""The processes that share a command's work."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from analyzer.cli.shared.options import Options
from analyzer.session.workers import Workers


def workers_for(
    options: Options, made: Callable[[Options], Callable[[Any], Any]], jobs: int = 1
) -> Workers[Any, Any]:
    """Return the wanted number of processes, or `jobs`; `made` makes their function."""
    return Workers(partial(made, options), options.jobs or jobs)
