"""A lambda as functions see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol


class Block(Protocol):
    """A lambda as a value: called with its arguments, it returns what its body yields.

    `next` ends the body; `break` is a Break; `return` goes on to the function around it.
    """

    def __call__(self, *arguments: object) -> Any:
        """Evaluate the body."""
        ...

    def attempt(self, *arguments: object) -> Any:
        """Evaluate the body; after an error, the loop around may go on with an Unknown."""
        ...

    @property
    def cold(self) -> int:
        """Return the number of calls until loops over the block are generated."""
        ...

    def go_on(self, form: str, rest: Iterator[Any], result: Any) -> tuple[bool, Any]:
        """Go on with a loop in generated code; return whether it did, and the result."""
        ...

    @property
    def arity(self) -> tuple[int, int | None]:
        """Return the least and the most number of arguments; None: any number."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the parameters."""
        ...
