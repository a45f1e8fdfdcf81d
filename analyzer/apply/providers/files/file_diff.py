"""The difference that a new content makes, as a unified diff."""

from __future__ import annotations

from difflib import unified_diff

from analyzer.apply.providers.files.file_wanted import FileWanted

# Longer texts are not compared line by line.
_MOST = 1 << 20


def diff_of(desired: FileWanted, old: bytes) -> tuple[str, ...]:
    """Return the lines of the diff; what must not be shown is not."""
    new = desired.content or b""
    if not desired.parameters.flag("show_diff", True):
        return ()
    if "content" in desired.parameters.secret:
        return ("[diff redacted]",)
    return lines_of(desired.path, old, new)


def lines_of(path: str, old: bytes, new: bytes) -> tuple[str, ...]:
    """Return the lines of a diff of two contents of a file."""
    differ = (f"Binary files {path} and {path} (new) differ",)
    if b"\0" in old + new or len(old) + len(new) > _MOST:
        return differ
    try:
        before, after = old.decode(), new.decode()
    except UnicodeDecodeError:
        return differ
    lines = unified_diff(before.split("\n"), after.split("\n"), path, f"{path} (new)", lineterm="")
    return tuple(lines)
