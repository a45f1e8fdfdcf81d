"""The lock file: the versions, commits and digests of an installation, to repeat it exactly."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.declared import DeclaredModule
from analyzer.reach import LINKED_OUT, leads_out
from analyzer.reading import read_text
from analyzer.source import Span

LOCK = "catgraph.modules.lock"


@dataclass(frozen=True, slots=True)
class Pin:
    """A row of the lock file: `wanted` and `source` are what the declaration said.

    `version` is a release or a commit, `digest` the SHA-256 of the archive, empty for a commit.
    """

    name: str
    wanted: str
    source: str
    version: str
    digest: str


def read_lock(folder: str) -> dict[str, Pin]:
    """Return the pins of a lock file by the name of the module; none if there is no such file.

    Raises:
        InputError: it is not a lock file.
    """
    path = os.path.join(folder, LOCK)
    if not os.path.lexists(path):
        return {}
    if leads_out(path):
        raise InputError(f"cannot be read: {LINKED_OUT}", Span(path))
    try:
        rows = json.loads(read_text(path))["modules"]
        pins = [Pin(*(str(row[field.name]) for field in fields(Pin))) for row in rows]
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path)) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        message = "this is no lock file of catgraph; remove it to write another one (--lock)"
        raise InputError(message, Span(path), "bad-lock") from None
    return {pin.name: pin for pin in pins}


def pin_of(module: DeclaredModule, pins: dict[str, Pin]) -> Pin | None:
    """Return the pin of a module, None if the declaration has changed since."""
    pin = pins.get(module.name)
    same = pin is not None and (pin.wanted, pin.source) == (module.version, origin_of(module))
    return pin if same else None


def origin_of(module: DeclaredModule) -> str:
    """Return where a module is from: its repository, or its name on the Forge."""
    return module.source or module.full


def lock_text(pins: Iterable[Pin]) -> str:
    """Return the content of a lock file."""
    rows = [asdict(pin) for pin in sorted(pins, key=lambda pin: pin.name)]
    return json.dumps({"version": 1, "modules": rows}, indent=2) + "\n"
