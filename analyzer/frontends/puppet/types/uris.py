"""URIs: parsed, built of parts, and as parameters of a type."""

from __future__ import annotations

import re
from typing import Any

from analyzer.model.values import Uri, Value
from analyzer.pattern import pattern

_PORTS = {"http": 80, "https": 443, "ftp": 21, "ldap": 389, "ldaps": 636, "ws": 80, "wss": 443}
_LAST_RESORT = pattern(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+\-.]*):)?"
    r"(?://(?:(?P<userinfo>[^@/?#]*)@)?(?P<host>\[[^\]]*\]|[^:/?#]*)(?::(?P<port>\d*))?)?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?\Z",
    re.ASCII,
)
_LEGAL = pattern(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*\Z")
_PARTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque")


def parse_uri(text: str) -> Uri:
    """Read a URI.

    Raises:
        ValueError: it is none.
    """
    match = _LAST_RESORT.match(text) if _LEGAL.match(text) else None
    if match is None or _ambiguous(match):
        raise ValueError(f"bad URI(is not URI?): {text!r}".replace("'", '"'))
    parts: dict[str, Any] = match.groupdict()
    scheme = parts["scheme"]
    port = parts["port"]
    parts["port"] = int(port) if port else _PORTS.get((scheme or "").lower())
    if parts["host"] is None and scheme is not None and not parts["path"].startswith("/"):
        query = f"?{parts['query']}" if parts["query"] is not None else ""
        opaque = parts["path"] + query
        fragment = parts["fragment"]
        return Uri(text, scheme, port=parts["port"], opaque=opaque, fragment=fragment)
    return Uri(text, **parts)


def _ambiguous(match: re.Match[str]) -> bool:
    """Return whether a colon stands in the first segment of a path without a scheme before it."""
    bare = match["scheme"] is None and match["host"] is None
    return bare and ":" in match["path"].partition("/")[0]


def build_uri(parts: dict[str, Any]) -> Uri:
    """Make a URI of its parts."""
    scheme = parts.get("scheme")
    text = f"{scheme}:" if scheme else ""
    if "opaque" in parts:
        text += parts["opaque"]
    else:
        if parts.get("host") is not None:
            user = f"{parts['userinfo']}@" if "userinfo" in parts else ""
            port = parts.get("port")
            usual = port is None or port == _PORTS.get((scheme or "").lower())
            text += f"//{user}{parts['host']}{'' if usual else f':{port}'}"
        text += parts.get("path", "")
        text += f"?{parts['query']}" if "query" in parts else ""
    text += f"#{parts['fragment']}" if "fragment" in parts else ""
    return parse_uri(text)


def merged(base: Uri, reference: str) -> Uri:
    """Return a reference as seen from a URI (RFC 3986).

    Raises:
        ValueError: the reference is no URI.
    """
    from urllib.parse import urljoin

    return parse_uri(urljoin(base.text, reference))


def parameters_of(found: Uri) -> tuple[tuple[str, Value], ...]:
    """Return the parts as parameters of a URI type, without defaults."""
    result: list[tuple[str, Value]] = []
    scheme = (found.scheme or "").lower()
    for name in _PARTS:
        value = getattr(found, name)
        if name == "scheme":
            value = value and value.lower()
        elif name == "host":
            value = value.lower() if value else None
        elif name == "port" and value is not None:
            usual = scheme in ("http", "https") and value == _PORTS[scheme]
            value = None if usual else str(value)
        elif name == "path":
            value = value or None
        if value is not None:
            result.append((name, value))
    return tuple(result)
