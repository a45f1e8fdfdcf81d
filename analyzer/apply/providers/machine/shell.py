"""Command lines that need a shell by Ruby's rule (Kernel.exec), and the words of the others."""

from __future__ import annotations

from collections.abc import Sequence

_SIGNS = frozenset("*?{}[]<>()~&|\\$;'`\"\n#")
_WORDS = """! . : break case continue do done elif else esac eval exec exit export fi for if in
    readonly return set shift then times trap unset until while { }"""
_RESERVED = frozenset(_WORDS.split())


def needs_shell(command: str) -> bool:
    """Return whether a text has signs or words that mean something to a shell."""
    first = command.split()[:1]
    if first and (first[0] in _RESERVED or "=" in first[0].partition("/")[0]):
        return True
    return not _SIGNS.isdisjoint(command)


def words(command: str | Sequence[str]) -> list[str]:
    """Return the words of a command; a shell's where it takes one."""
    if not isinstance(command, str):
        return list(command)
    return ["/bin/sh", "-c", command] if needs_shell(command) else command.split()
