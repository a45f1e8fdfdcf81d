"""A resource's parameters as providers read them: plain values, secrets known (Puppet::Type)."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from functools import singledispatch
from math import isfinite
from typing import Any

from analyzer.apply.provider import ProviderError, level_named
from analyzer.model.quote import quoted
from analyzer.model.resource import Resource
from analyzer.model.values import Binary, Deferred, Sensitive, Unknown, flat

# They are about other resources or the run, no provider reads them.
_METAPARAMETERS = frozenset(
    ("alias", "audit", "before", "consume", "export", "notify", "require", "schedule", "stage")
) | {"subscribe", "tag"}
_DECIDING = frozenset(("enable", "ensure", "mark"))
_YES = frozenset((True, "true", "yes"))
_NO = frozenset((False, "false", "no"))
REDACTED = "[redacted]"


class Parameters:
    """The plain values of a resource's parameters.

    Raises:
        ProviderError: one is Unknown or otherwise not plain; nothing has been done yet.
    """

    __slots__ = ("_values", "namevar", "resource", "secret")

    def __init__(self, resource: Resource, namevar: str = "name") -> None:
        self.resource = resource
        self.namevar = namevar
        self.secret: set[str] = set()
        for name in resource.sensitive or ():
            self._hide(name)
        self._values: dict[str, object] = {}
        for name, value in resource.parameters.items():
            if name not in _METAPARAMETERS:
                self._values[name] = self._plain(name, value)

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def __getitem__(self, name: str) -> Any:
        return self._values.get(name)

    @property
    def name(self) -> str:
        """Return the resource's name on the host: its namevar, or its title."""
        return str(self._values.get(self.namevar) or self.resource.title)

    @property
    def loglevel(self) -> str:
        """Return the level that its changes are logged at."""
        return level_named(self._values.get("loglevel"))

    @property
    def noop(self) -> bool:
        """Return whether the resource itself is in noop mode."""
        return self.flag("noop")

    def text(self, name: str, default: str | None = None) -> str | None:
        """Return a parameter as text; the first of several."""
        value = self._values.get(name)
        if isinstance(value, list):
            value = value[0] if value else None
        return default if value is None else shown(value)

    def texts(self, name: str) -> list[str]:
        """Return a parameter that may have several values."""
        value = self._values.get(name)
        if value is None:
            return []
        return [shown(one) for one in flat([value])]

    def flag(self, name: str, default: bool = False) -> bool:
        """Return a boolean, which may be written as a text.

        Raises:
            ProviderError: it is none.
        """
        value = self._values.get(name)
        if value is None:
            return default
        if not isinstance(value, (bool, str)) or value not in _YES | _NO:
            raise self.invalid(name, "Valid values are true, false.")
        return value in _YES

    def number(self, name: str, default: float) -> float:
        """Return a number, which may be written as a text.

        Raises:
            ProviderError: it is none.
        """
        value = self._values.get(name)
        try:
            found = default if value is None else float(flat([value])[0])
            if not isfinite(found):
                raise ValueError
            return found
        except (TypeError, ValueError, IndexError):
            raise ProviderError(
                f"Parameter {name} failed on {self.resource}: The {name} must be a number."
            ) from None

    def choice(self, name: str, choices: Mapping[str, str], default: str | None) -> str | None:
        """Return one of the words that a parameter takes; `choices` maps what is written to them.

        Raises:
            ProviderError: it is none of them.
        """
        word = self.text(name)
        if word is None:
            return default
        if word not in choices:
            raise self.invalid(name, f"Valid values are {', '.join(choices)}.")
        return choices[word]

    def invalid(self, name: str, why: str) -> ProviderError:
        """Return the error of a value that a parameter does not take, as Puppet words it."""
        value = REDACTED if name in self.secret else inspected(self._values.get(name))
        return ProviderError(
            f"Parameter {name} failed on {self.resource}: Invalid value {value}. {why}"
        )

    def _hide(self, name: str) -> None:
        """Note that a parameter is secret; what decides which change is made cannot be."""
        if name in _DECIDING:
            raise ProviderError(f"Parameter {name} of {self.resource} must not be Sensitive")
        self.secret.add(name)

    def _plain(self, name: str, value: object) -> object:
        match value:
            case Sensitive():
                self._hide(name)
                return self._plain(name, value.value)
            case Unknown():
                raise self._not_plain(name, value.reason)
            case Deferred():
                raise self._not_plain(name, f"the function {value.name} is called by the agent")
            case Binary():
                return value.data
            case list():
                return [self._plain(name, one) for one in value]
            case dict():
                return self._plain_hash(name, value)
            case None | str() | bytes() | bool() | int() | float():
                return value
        raise self._not_plain(name, f"a {type(value).__name__} is not applied")

    def _plain_hash(self, name: str, value: dict[object, object]) -> object:
        if "__unknown" in value:
            raise self._not_plain(name, str(value["__unknown"]))
        kind = value.get("__ptype")
        if kind is None:
            return {key: self._plain(name, one) for key, one in value.items()}
        if kind == "Sensitive":
            self._hide(name)
            return self._plain(name, value.get("__pvalue"))
        if kind == "Binary":
            return b64decode(str(value.get("__pvalue")))
        raise self._not_plain(name, f"a value of type {kind} is not applied")

    def _not_plain(self, name: str, why: str) -> ProviderError:
        return ProviderError(f"Parameter {name} of {self.resource} is unknown: {why}")


def shown(value: object) -> str:
    """Return a value as Ruby's to_s has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, (list, dict)):
        return inspected(value)
    return "" if value is None else str(value)


def inspected(value: object) -> str:
    """Return a value as Ruby's inspect has it."""
    if isinstance(value, list):
        return f"[{', '.join(map(inspected, value))}]"
    if isinstance(value, dict):
        pairs = (f"{inspected(key)}=>{inspected(one)}" for key, one in value.items())
        return "{" + ", ".join(pairs) + "}"
    if value is None:
        return "nil"
    if not isinstance(value, str):
        return shown(value)
    return (
        '"'
        + value.replace("\\", "\\\\")
        .replace('"', '\\"')
        .replace("\n", "\\n")
        .replace("\0", "\\u0000")
        + '"'
    )


@singledispatch
def display(value: object) -> str:
    """Return a value as Puppet shows it in messages of change: texts in quotes, lists of them."""
    return shown(value)


@display.register
def _(value: str) -> str:
    return quoted(value)


@display.register
def _(value: list) -> str:  # type: ignore[type-arg]
    return f"[{', '.join(map(display, value))}]"


@display.register
def _(value: dict) -> str:  # type: ignore[type-arg]
    if not value:
        return "{}"
    lines = (f"  {display(key)} => {display(one)}" for key, one in value.items())
    return "{\n" + ",\n".join(lines) + "\n}"
