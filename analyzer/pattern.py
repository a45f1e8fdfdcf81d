"""Regular expressions of modules that every command imports: compiled at the first use."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import compile as pattern
    from typing import Any
else:

    class pattern:
        """Stands for `re.compile`, which takes up to a millisecond and most runs do not need."""

        def __init__(self, text: str, flags: int = 0) -> None:
            self.source = text, flags

        def __getattr__(self, name: str) -> Any:
            import re

            found = getattr(re.compile(*self.source), name)
            setattr(self, name, found)
            return found


__all__ = ("pattern",)
