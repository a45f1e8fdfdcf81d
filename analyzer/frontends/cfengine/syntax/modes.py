"""The permissions of files as CFEngine writes them (modes.c): `0644`, `a+rx`, `u=rw,go=r`."""

from __future__ import annotations

import re

WHO = {"a": 0o7777, "u": 0o4700, "g": 0o2070, "o": 0o0007}
WHICH = {"r": 0o444, "w": 0o222, "x": 0o111, "s": 0o6000}
STICKY = 0o1000
NUMBER = re.compile("(?=[0-7])[0-9]+")
OCTAL = re.compile("[0-7]+")
FILE_TYPES = 0o170000
HIGHEST = 0o7777


def is_mode(text: str) -> bool:
    """Tell whether CFEngine takes a text for permissions; letters out of place only give a log."""
    affected = value = 0
    acted = whom = False
    position = 0
    while position < len(text):
        char = text[position]
        number = NUMBER.match(text, position)
        if char in WHO:
            affected |= WHO[char]
        elif char in WHICH or char == "t":
            value |= WHICH[char] & affected if char in WHICH else STICKY
        elif number:
            octal = OCTAL.match(text, position)
            value = int(octal[0], 8) & ~FILE_TYPES if octal else 0
            acted, whom, affected = True, False, HIGHEST
            if value > HIGHEST:
                return False
            position = number.end() - 1
        elif char in "+-=" and not acted:
            acted, whom = True, False
        elif char == ",":
            affected = value = 0
            acted, whom = False, True
        else:
            return False
        position += 1
    return text in ("0000", "000") or not (whom or value == 0)
