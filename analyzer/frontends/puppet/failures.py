"""Errors of compiles, in words for a person, and gathered over several nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import TracebackType

from analyzer.diagnostics import HOW_TO_SEE, INTERNAL, CompileError, InputError, words_of
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Refusal, Unit
from analyzer.frontends.puppet.evaluate.limits import place_of_trace
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.diagnostic import ParseError, place_in
from analyzer.limits import NO_MEMORY, TooMuch
from analyzer.model.room import Room, memory_message
from analyzer.model.values import Value
from analyzer.reading import note_clock
from analyzer.source import Span, caret_snippet, without_secrets

# The code of the error of a compile that takes too much time or memory.
TOO_MUCH = "too-much"


class Failed:
    """The errors of several compiles, each once, with the nodes that it occurred for.

    Errors in the files `common` occur for all of them.
    """

    def __init__(self, several: bool, common: Collection[str] = ()) -> None:
        self.several = several
        self.common = common
        self.found: dict[tuple[str, Span], CompileError] = {}

    @contextmanager
    def on(self, where: str, node: str = "") -> Iterator[None]:
        """Record the errors of one compile; those that differ in the node's name only are one."""
        try:
            yield
        except CompileError as error:
            self.add(error, where, node)

    def add(self, first: CompileError, where: str, node: str = "") -> None:
        """Record the errors of one compile; those that differ in the node's name only are one."""
        errors, first.others = (first, *first.others), ()
        for error in errors:
            words = error.message.removesuffix(f" for {node}")
            known = self.found.setdefault((words, error.span), error)
            if self.several and error.span.file not in self.common:
                known.nodes.append(where)

    @property
    def error(self) -> CompileError | None:
        """Return the first error with the others, None if there is none."""
        if not self.found:
            return None
        first, *others = self.found.values()
        first.others = tuple(others)
        return first


class explained:
    """Turns the errors of a compile into a CompileError with place and source line."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: Value, error: Value, trace: TracebackType | None) -> None:
        """Raise the error again, in words.

        Raises:
            CompileError: there was one.
        """
        if isinstance(error, (EvaluationError, ParseError)):
            first, *others = [e for one in (error, *error.more) for e in self.errors_of(one)]
            first.others = tuple(others)
            raise first from None
        if isinstance(error, RecursionError):
            message = "this is nested too deeply, or calls itself without end"
            raise self.ended(message, "too-deep", place_of_trace(trace)) from None
        if isinstance(error, (TooMuch, *NO_MEMORY)):
            message, place = (
                (error.message, error.place)
                if isinstance(error, TooMuch)
                else (memory_message(Room.most), place_of_trace(trace))
            )
            # The error may be kept, but not the frames with all that was evaluated.
            error.__traceback__ = trace = None
            raise self.ended(message, TOO_MUCH, place) from None
        if isinstance(error, Exception) and not isinstance(error, (InputError, OSError)):
            message = f"{words_of(error)} ({HOW_TO_SEE})"
            raise self.ended(message, INTERNAL, place_of_trace(trace)) from None

    def ended(self, message: str, code: str, place: tuple[Unit, Node] | None) -> CompileError:
        """Return the error of a compile that was ended, where it was; another may not be."""
        note_clock()
        if place is None:
            return CompileError(message, Span(self.path), code)
        return next(self.errors_of(EvaluationError(message, *place), code))

    def errors_of(
        self, error: EvaluationError | ParseError, code: str = "cannot-compile"
    ) -> Iterator[CompileError]:
        """Yield an error with its line of the source, and what else is wrong with a text."""
        if isinstance(error, ParseError):
            for found in (error.diagnostic, *error.others):
                line, column = place_in(found, error.text)
                snippet = caret_snippet(error.text, line, column)
                span = Span(found.file or self.path, line, column)
                message = without_secrets(found.message, error.text)
                yield CompileError(message, span, found.code, snippet)
            return
        file, line, column = error.place
        unit = error.unit if line else None
        snippet = caret_snippet(unit.text, line, column) if unit else error.hint
        span = Span(file or self.path, line, column)
        message = without_secrets(error.message, error.unit.text if error.unit else "")
        made = CompileError(message, span, code, snippet)
        made.refusal = isinstance(error, Refusal)
        yield made
