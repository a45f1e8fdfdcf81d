"""stdlib's validate_ functions: they end the evaluation where a value is not as it should be."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.checks import predicates
from analyzer.frontends.puppet.functions.stdlib.checks.addresses import version_of
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    Fault,
    ParseFault,
    class_name,
    float_of,
    inspect,
    integer_of,
    text_of,
    to_s,
)
from analyzer.frontends.puppet.functions.stdlib.strings.patterns import regexp
from analyzer.model.values import Regexp, Value, flat

Validation = Callable[..., None]

DEPRECATED = (
    "This method is deprecated, please use the stdlib validate_legacy function,\n"
    "                    with {}. "
    "There is further documentation for validate_legacy function in the README."
)


def deprecated(name: str, instead: str) -> Callable[[Validation], Validation]:
    """Register a validation that says that it is deprecated."""

    def register(validate: Validation) -> Validation:
        @modern(name, "Any *$args")
        def run(call: Call, *values: object) -> None:
            call.call("deprecation", name, DEPRECATED.format(instead))
            validate(*values)

        return validate

    return register


def validation(name: str) -> Callable[[Validation], Validation]:
    """Register a validation of the 3.x API."""

    def register(validate: Validation) -> Validation:
        @legacy(name)
        def run(call: Call, *values: object) -> None:
            validate(*values)

        return validate

    return register


def at_least_one(name: str, values: tuple[object, ...]) -> tuple[Value, ...]:
    """Return the arguments, of which there must be some."""
    if not values:
        raise ParseFault(f"{name}(): wrong number of arguments (0; must be > 0)")
    return values


@modern("validate_absolute_path", "Any *$args")
def validate_absolute_path(call: Call, *values: object) -> None:
    """Refuse anything but an absolute path, or an array of them."""
    instead = DEPRECATED.format("Stdlib::Compat::Absolute_Path")
    call.call("deprecation", "validate_absolute_path", instead)
    for value in at_least_one("validate_absolute_path", values):
        for path in value if isinstance(value, list) else [value]:
            if not predicates.is_path(call, path):
                raise ParseFault(f"{inspect(path)} is not an absolute path.")


def of_class(
    name: str, noun: str, classes: type | tuple[type, ...], values: tuple[object, ...]
) -> None:
    """Refuse a value of another class."""
    for value in at_least_one(name, values):
        if not isinstance(value, classes):
            shown = f"{inspect(value)} is not {noun}"
            raise ParseFault(f"{shown}.  It looks to be a {class_name(value)}")


@deprecated("validate_array", "Stdlib::Compat::Array")
def validate_array(*values: object) -> None:
    """Refuse anything but an array."""
    of_class("validate_array", "an Array", list, values)


@deprecated("validate_bool", "Stdlib::Compat::Bool")
def validate_bool(*values: object) -> None:
    """Refuse anything but a boolean."""
    of_class("validate_bool", "a boolean", bool, values)


@deprecated("validate_hash", "Stdlib::Compat::Hash")
def validate_hash(*values: object) -> None:
    """Refuse anything but a hash."""
    of_class("validate_hash", "a Hash", dict, values)


@deprecated("validate_string", "Stdlib::Compat::String")
def validate_string(*values: object) -> None:
    """Refuse anything but a text or undef."""
    of_class("validate_string", "a string", (str, type(None)), values)


def of_form(
    name: str, noun: str, is_right: Callable[[str], object], values: tuple[object, ...]
) -> None:
    """Refuse anything but a text of this form."""
    for value in at_least_one(name, values):
        if not isinstance(value, str):
            raise ParseFault(f"{inspect(value)} is not a string.")
        if not is_right(value):
            raise ParseFault(f"{inspect(value)} is not {noun}")


@deprecated("validate_ip_address", "Stdlib::Compat::Ip_Address")
def validate_ip_address(*values: object) -> None:
    """Refuse anything but an address."""
    of_form("validate_ip_address", "a valid IP address.", version_of, values)


@deprecated("validate_ipv4_address", "Stdlib::Compat::Ipv4_Address")
def validate_ipv4_address(*values: object) -> None:
    """Refuse anything but an IPv4 address."""
    noun = "a valid IPv4 address."
    of_form("validate_ipv4_address", noun, predicates.is_ipv4_address, values)


@deprecated("validate_ipv6_address", "Stdlib::Compat::Ipv6_address")
def validate_ipv6_address(*values: object) -> None:
    """Refuse anything but an IPv6 address."""
    noun = "a valid IPv6 address."
    of_form("validate_ipv6_address", noun, predicates.is_ipv6_address, values)


@validation("validate_domain_name")
def validate_domain_name(*values: object) -> None:
    """Refuse what has not the form of a domain's name."""
    noun = "a syntactically correct domain name"
    of_form("validate_domain_name", noun, predicates.is_domain_name, values)


@validation("validate_email_address")
def validate_email_address(*values: object) -> None:
    """Refuse what has not the form of an email address."""
    noun = "a valid email address"
    of_form("validate_email_address", noun, predicates.is_email_address, values)


@deprecated("validate_re", "Pattern[]")
def validate_re(*values: object) -> None:
    """Refuse a text that none of some patterns is found in."""
    if len(values) not in (2, 3):
        raise ParseFault(
            f"validate_re(): wrong number of arguments ({len(values)}; must be 2 or 3)"
        )
    text, patterns, message = (*values, None)[:3]
    if not isinstance(text, str):
        raise ParseFault(f"validate_re(): input needs to be a String, not a {class_name(text)}")
    for pattern in flat([patterns]):
        source = pattern.source if isinstance(pattern, Regexp) else text_of(pattern)
        if regexp(source).search(text):
            return
    if message in (None, False):
        message = f"validate_re(): {inspect(text)} does not match {inspect(patterns)}"
    raise ParseFault(to_s(message))


def length_of(value: object, least: int, ordinal: str) -> int:
    """Return a limit of a length."""
    shown = value
    try:
        shown = integer_of(value)
        if shown >= least:
            return shown
    except Fault:
        pass
    raise ParseFault(
        f"validate_slength(): Expected {ordinal} positive Numeric, "
        f"got {to_s(shown)}:{class_name(shown)}"
    )


@deprecated("validate_slength", "String[]")
def validate_slength(*values: object) -> None:
    """Refuse texts that are too long or too short."""
    name = "validate_slength()"
    if len(values) not in (2, 3):
        raise ParseFault(f"{name}: Wrong number of arguments ({len(values)}; must be 2 or 3)")
    given, longest, shortest = (*values, None)[:3]
    most = length_of(longest, 1, "second argument to be a")
    least = 0
    if shortest not in (None, False):
        least = length_of(shortest, 0, "third argument to be unset or a")
    if most < least:
        raise ParseFault(
            f"{name}: Expected second argument to be equal to or larger than third argument"
        )
    if not isinstance(given, str | list):
        shown = class_name(given)
        raise ParseFault(f"{name}: Expected first argument to be a String or Array, got {shown}")
    for place, text in enumerate(given if isinstance(given, list) else [given]):
        if not isinstance(text, str):
            raise ParseFault(
                f"{name}: Expected element at array position {place} to be a String, "
                f"got {class_name(text)}"
            )
        if not least <= len(text) <= most:
            raise ParseFault(
                f"{name}: Expected length of {inspect(given)} to be between {least} and {most}, "
                f"was {len(given)}"
            )


class NumberLimits:
    """The limits that a number must keep."""

    def __init__(self, name: str, noun: str, convert: Callable[[Value], float]) -> None:
        self.name = name
        self.noun = noun
        self.convert = convert
        self.most: float | None = None
        self.least: float | None = None

    def limit(self, value: object, shown: object, ordinal: str) -> float:
        try:
            return self.convert(value)
        except Fault:
            raise ParseFault(
                f"{self.name}(): Expected {ordinal} argument to be unset or {self.noun}, "
                f"got {to_s(shown)}:{class_name(shown)}"
            ) from None

    def read(self, values: tuple[object, ...]) -> None:
        """Read the limits behind the first argument."""
        if len(values) > 1:
            text = to_s(values[1])
            if len(values) < 3 or text:
                self.most = self.limit(text, text, "second")
        if len(values) > 2:
            self.least = self.limit(to_s(values[2]), values[2], "third")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ParseFault(
                f"{self.name}(): Expected second argument to be larger than third argument, "
                f"got {to_s(self.most)} < {to_s(self.least)}"
            )

    def check(self, number: float, shown: object) -> None:
        """Refuse a number outside of the limits."""
        for limit, beyond, word in (
            (self.most, self.most is not None and number > self.most, "smaller"),
            (self.least, self.least is not None and number < self.least, "greater"),
        ):
            if beyond:
                raise ParseFault(
                    f"{self.name}(): Expected {inspect(shown)} to be {word} or equal to "
                    f"{to_s(limit)}, got {inspect(shown)}."
                )

    def number(self, value: object, expected: str) -> float:
        """Return a number, or say what was expected."""
        try:
            if not isinstance(value, dict):
                return self.convert(to_s(value))
        except Fault:
            pass
        raise ParseFault(f"{self.name}(): Expected {expected}, got {class_name(value)}")


def validate_number(bounds: NumberLimits, values: tuple[object, ...]) -> None:
    """Refuse anything but a number, or an array of numbers, within limits."""
    name, noun = bounds.name, bounds.noun
    if not 1 <= len(values) <= 3:
        raise ParseFault(
            f"{name}(): Wrong number of arguments; must be 1, 2 or 3, got {len(values)}"
        )
    bounds.read(values)
    given = values[0]
    if isinstance(given, list):
        for place, value in enumerate(given):
            expected = f"element at array position {place} to be {noun}"
            bounds.check(bounds.number(value, expected), given)
        return
    expected = f"first argument to be {noun} or Array"
    if isinstance(given, dict):
        raise ParseFault(f"validate_integer(): Expected {expected}, got Hash")
    number = bounds.number(given, expected)
    bounds.check(number, number)


@deprecated("validate_integer", "Stdlib::Compat::Integer")
def validate_integer(*values: object) -> None:
    """Refuse anything but an integer, or an array of integers, within limits."""
    validate_number(NumberLimits("validate_integer", "an Integer", integer_of), values)


@deprecated("validate_numeric", "Stdlib::Compat::Numeric")
def validate_numeric(*values: object) -> None:
    """Refuse anything but a number, or an array of numbers, within limits."""
    validate_number(NumberLimits("validate_numeric", "a Numeric", float_of), values)
