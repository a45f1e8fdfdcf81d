"""The processes that a command shares its work with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from analyzer.cli.shared.options import Options
from analyzer.session.workers import Workers, cores


def workers_for(
    options: Options, made: Callable[[Options], Callable[[Any], Any]]
) -> Workers[Any, Any]:
    """Return as many processes as were asked for; `made` makes in each what answers parts."""
    return Workers(partial(made, options), options.jobs or cores())
