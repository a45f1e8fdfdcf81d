"""Records internal errors as subjects, so that the other checks continue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from analyzer.diagnostics import PASSED_ON, words_of
from analyzer.source import Span

Result = TypeVar("Result")


@dataclass(frozen=True)
class Failure:
    """An omitted check, with the reason and the place; `name` is its input."""

    what: str
    words: str
    name: str = ""
    file: str = ""
    span: Span | None = None


def tried(look: Callable[[], Result], what: str, name: str, file: str) -> Result | Failure:
    """Return the result of a check, or a failure if an internal error ends it."""
    try:
        return look()
    except PASSED_ON:
        raise
    except Exception as error:
        return Failure(what, words_of(error), name, file)
