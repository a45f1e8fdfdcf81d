"""The one key of a resource: its reference, `Type[title]`."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.model.names import split_ref


@dataclass(frozen=True, slots=True, order=True)
class ResourceRef:
    """A reference to a resource, hashable and ordered as text; titles may hold any character."""

    type: str
    title: str

    def __str__(self) -> str:
        return f"{self.type}[{self.title}]"

    __repr__ = __str__

    @classmethod
    def parse(cls, text: str) -> ResourceRef:
        """Read `Type[title]` as written.

        Raises:
            ValueError: the text is not of that form.
        """
        parts = split_ref(text)
        if parts is None:
            raise ValueError(f"not a resource reference: {text!r}")
        return cls(*parts)
