"""The functions `lookup`, `hiera`, `hiera_array`, `hiera_hash` and `hiera_include`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.model.values import Value

from .errors import HieraError, NotFound, NothingFound, PuppetFault
from .invocation import Invocation
from .lookup import Lookup
from .scope import MISSING

Names = str | list[str]
Block = Callable[[Names], Any]


def lookup(
    hiera: Lookup,
    name: Names,
    value_type: object = None,
    merge: object = None,
    default_value: object = MISSING,
    *,
    override: dict[str, Value] | None = None,
    default_values_hash: dict[str, Value] | None = None,
    block: Block | None = None,
) -> Value:
    """Call the function `lookup`, whose option names the arguments have; `block` gives a default.

    Raises:
        HieraError: nothing is found, the value is of another type, or the lookup fails.
    """
    invocation = hiera.invocation(override, default_values_hash)
    return search(hiera, invocation, name, value_type, merge, default_value, block)


def search(
    hiera: Lookup,
    invocation: Invocation,
    name: Names,
    value_type: object,
    merge: object,
    default_value: object,
    block: Block | None,
) -> Any:
    """Return the first of the names that has a value, in overrides, data or defaults."""
    names = name if isinstance(name, list) else [name]
    for one in names:
        if one in invocation.overrides:
            subject = f"Value found for key '{one}' in override hash"
            checked = check_type(hiera, subject, value_type, invocation.overrides[one])
            return check_type(hiera, "Found value", value_type, checked)
        try:
            value = hiera.find(one, invocation, merge)
        except NotFound:
            continue
        return check_type(hiera, "Found value", value_type, value)
    for one in names:
        if one in invocation.defaults:
            subject = f"Value found for key '{one}' in default values hash"
            return check_type(hiera, subject, value_type, invocation.defaults[one])
    if block is not None:
        return check_type(hiera, "Value returned from default block", value_type, block(name))
    if default_value is not MISSING:
        return check_type(hiera, "Default value", value_type, default_value)
    raise NothingFound(_nothing(names))


def _nothing(names: list[str]) -> str:
    if len(names) == 1:
        return f"Function lookup() did not find a value for the name '{names[0]}'"
    listed = ", ".join(f"'{name}'" for name in names)
    return f"Function lookup() did not find a value for any of the names [{listed}]"


def check_type(hiera: Lookup, subject: str, kind: object, value: object) -> Value:
    """Return the value, if no type is asked for or it is of it."""
    if kind is None or hiera.services.types is None:
        return value
    return hiera.services.types.check(subject, kind, value)


OPTIONS = {"value_type", "default_value", "override", "default_values_hash", "merge"}


def call_lookup(hiera: Lookup, arguments: list[Any], block: Block | None = None) -> Value:
    """Call `lookup` with the arguments of a call in the Puppet language, in any of its forms.

    The forms: name [, type [, merge]]; name, type, merge, default; name, options; options with
    `name`. That they have the right types is for the caller's dispatch to check.

    Raises:
        HieraError: as `lookup`; or the arguments fit no form.
    """
    options = arguments[-1] if arguments else None
    named = len(arguments) == 1
    if (
        len(arguments) in (1, 2)
        and isinstance(options, dict)
        and set(options)
        <= {
            *OPTIONS,
            *(("name",) if named else ()),
        }
    ):
        given = {key: value for key, value in options.items() if key != "name"}
        name = options.get("name") if named else arguments[0]
        return lookup(hiera, name or "", **given, block=block)
    if not 1 <= len(arguments) <= 4:
        raise PuppetFault("The function 'lookup' was called with arguments it does not accept")
    return lookup(hiera, *arguments, block=block)


def hiera(
    data: Lookup,
    key: str,
    default: object = MISSING,
    override: str | list[str] | None = None,
    *,
    block: Block | None = None,
    merge: str = "first",
) -> Value:
    """Return the function `hiera`; `override` names levels that version 3 puts before its own.

    Raises:
        HieraError: nothing is found, or the lookup fails.
    """
    invocation = data.invocation()
    invocation.hiera_call = True
    invocation.global_only = not data.has_environment_data()
    if override:
        invocation.location_overrides = [override] if isinstance(override, str) else override
    return search(data, invocation, key, None, merge, default, block)


def hiera_array(data: Lookup, key: str, *arguments: Any, **options: Any) -> Value:
    """Return all values, as one array; the arguments are those of `hiera`."""
    return hiera(data, key, *arguments, merge="unique", **options)


def hiera_hash(data: Lookup, key: str, *arguments: Any, **options: Any) -> Value:
    """Return all values, as one hash; the arguments are those of `hiera`."""
    return hiera(data, key, *arguments, merge="hash", **options)


def hiera_include(data: Lookup, key: str, *arguments: Any, **options: Any) -> list[Value]:
    """Return the classes to include; the arguments are those of `hiera`.

    Raises:
        HieraError: there is no value, or the lookup fails.
    """
    value = hiera(data, key, *arguments, merge="unique", **options)
    if value is None:
        raise HieraError(f"Could not find data item {key}")
    return value if isinstance(value, list) else [value]
