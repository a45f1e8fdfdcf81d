"""Starts the editor that $VISUAL or $EDITOR names, at a line of a file."""

from __future__ import annotations

import os
import shlex
import subprocess

DEFAULT = "vi"
AT = ("{file}:{line}",)
GOTO = ("--goto", "{file}:{line}")
# The arguments for a line of a file, by editor; all others take `+LINE FILE`.
LINES = {
    "code": ("--wait", *GOTO),
    "codium": ("--wait", *GOTO),
    "hx": AT,
    "helix": AT,
    "subl": ("--wait", *AT),
    "zed": ("--wait", *AT),
}


def editor_words(file: str, line: int) -> list[str]:
    """Return the words of the command that opens a file at a line.

    Raises:
        ValueError: $VISUAL or $EDITOR is not a command.
    """
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or DEFAULT
    try:
        words = shlex.split(named)
    except ValueError as error:
        raise ValueError(f"cannot read $EDITOR, {named!r}: {error}") from None
    form = LINES.get(os.path.basename(words[0]), ("+{line}", "{file}"))
    # An absolute path is never taken for an option.
    path = os.path.abspath(file)
    return [*words, *(part.replace("{line}", str(line)).replace("{file}", path) for part in form)]


def edit(file: str, line: int) -> int:
    """Open a file in the editor, and wait for its end; return its exit code.

    Raises:
        ValueError: $VISUAL or $EDITOR is not a command.
        OSError: the editor cannot be started.
    """
    return subprocess.run(editor_words(file, line), check=False).returncode
