"""Functions of openstacklib that decide what the OpenStack modules declare."""

from __future__ import annotations

from analyzer.frontends.puppet.functions.registry import Call, function
from analyzer.model.values import Value

SERVICE_DEFAULT = "<SERVICE DEFAULT>"


@function("is_service_default", "Any $value")
def is_service_default(call: Call, value: object) -> bool:
    """Return whether an option is left to the service."""
    return bool(value == SERVICE_DEFAULT)


@function("normalize_ip_for_uri", "Any *$values")
def normalize_ip_for_uri(call: Call, *values: object) -> Value:
    """Put brackets around IPv6 addresses: of the first argument if it is an array, or of all."""
    given = values[0] if values and isinstance(values[0], list) else values
    found = [bracketed(one) for one in given]
    return found[0] if len(found) == 1 else found


def bracketed(value: object) -> Value:
    """Return an IPv6 address in brackets, and anything else unchanged."""
    from ipaddress import IPv6Interface

    if not isinstance(value, str):
        return value
    try:
        IPv6Interface(value)
    except ValueError:
        return value
    return f"[{value}]"
