"""The processes that share a command's work."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from analyzer.cli.shared.options import Options
from analyzer.session.workers import Workers, cores


def workers_for(
    options: Options, made: Callable[[Options], Callable[[Any], Any]]
) -> Workers[Any, Any]:
    """Return the wanted number of processes; `made` makes their function.

    `--watch` could not see what other processes read.
    """
    jobs = 1 if options.watch else options.jobs or cores()
    return Workers(partial(made, options), jobs)
