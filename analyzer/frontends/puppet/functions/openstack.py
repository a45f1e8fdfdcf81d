"""Functions of openstacklib that decide what the OpenStack modules declare."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.functions.registry import Call, function

SERVICE_DEFAULT = "<SERVICE DEFAULT>"


@function("is_service_default", "Any $value")
def is_service_default(call: Call, value: Any) -> bool:
    """Tell whether an option is left to the service."""
    return bool(value == SERVICE_DEFAULT)


@function("normalize_ip_for_uri", "Any $value")
def normalize_ip_for_uri(call: Call, value: Any) -> Any:
    """Put brackets around IPv6 addresses."""
    from ipaddress import IPv6Interface

    if isinstance(value, list):
        found = [normalize_ip_for_uri(call, one) for one in value]
        return found[0] if len(found) == 1 else found
    if not isinstance(value, str):
        return value
    try:
        IPv6Interface(value)
    except ValueError:
        return value
    return f"[{value}]"
