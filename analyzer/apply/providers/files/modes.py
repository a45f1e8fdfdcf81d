"""File modes, in octal digits or symbols (Puppet::Util::SymbolicFileMode)."""

from __future__ import annotations

import re

from analyzer.apply.provider import ProviderError

_OCTAL = re.compile(r"0?[0-7]{1,4}\Z")
_SYMBOLIC = re.compile(r"[ugoa]*[-=+][-=+rstwxXugo]*(,[ugoa]*[-=+][-=+rstwxXugo]*)*\Z")
_BITS = {"r": 4, "w": 2, "x": 1}
_SPECIAL = {"s": {"u": 4, "g": 2, "o": 1}, "t": {"u": 1, "g": 1, "o": 1}}
_SHIFT = {"s": 9, "u": 6, "g": 3, "o": 0}


def is_valid(mode: str) -> bool:
    """Return whether a text is a mode."""
    return bool(_OCTAL.match(mode) or _SYMBOLIC.match(mode))


def is_octal(mode: str) -> bool:
    """Return whether a mode is in digits."""
    return bool(_OCTAL.match(mode))


def octal(mode: int) -> str:
    """Return a mode in digits, at least four."""
    return f"{mode:04o}"


def result(mode: str, current: int, folder: bool) -> int:
    """Return the bits that a mode means for a file that has `current` ones.

    Raises:
        ProviderError: it makes no sense.
    """
    if _OCTAL.match(mode):
        return int(mode, 8)
    old = {who: current >> shift & 7 for who, shift in _SHIFT.items()}
    new = dict(old)
    for clause in re.split(r"\s*,\s*", mode):
        try:
            _apply(clause, old, new, folder)
        except ValueError as error:
            where = "" if clause == mode else f' at "{clause}"'
            raise ProviderError(f'{error}{where} in symbolic mode "{mode}"') from None
    return sum(new[who] << shift for who, shift in _SHIFT.items())


def with_search(mode: str) -> str:
    """Return the mode of a folder: for digits, permission to read includes that to search."""
    if not _OCTAL.match(mode):
        return mode
    bits = int(mode, 8)
    return f"{bits | (bits & 0o444) >> 2:o}"


def _apply(clause: str, old: dict[str, int], new: dict[str, int], folder: bool) -> None:
    parts = re.match(r"([ugoa]*)([-+=].*)\Z", clause)
    if not parts:
        raise ValueError("Missing action")
    any_x = any(old[who] & 1 for who in "ugo")
    snapshot = dict(new)
    for who in dict.fromkeys((parts[1] or "a").replace("a", "ugo")):
        value, action = snapshot[who], ""
        for sign in parts[2]:
            if sign in "-+=":
                action = sign
                value = 0 if sign == "=" else value
            elif sign in "st":
                new["s"] = _changed(new["s"], _SPECIAL[sign][who], action)
            else:
                value = _changed(value, _meaning(sign, action, snapshot, folder or any_x), action)
        new[who] = value


def _meaning(sign: str, action: str, snapshot: dict[str, int], searchable: bool) -> int:
    if sign == "X":
        if action != "+":
            raise ValueError("X only works with the '+' operator")
        return 1 if searchable else 0
    return snapshot[sign] if sign in "ugo" else _BITS[sign]


def _changed(value: int, bits: int, action: str) -> int:
    return value & ~bits if action == "-" else value | bits
