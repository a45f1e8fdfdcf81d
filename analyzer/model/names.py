"""Puppet's spelling of types and references (Puppet::Resource.type_and_title)."""

from __future__ import annotations


def capitalize_type(name: str) -> str:
    """Return the type name as written in references: `my::thing` becomes `My::Thing`."""
    if "::" not in name:
        return name[:1].upper() + name[1:].lower()
    return "::".join([part[:1].upper() + part[1:].lower() for part in name.split("::")])


def split_ref(text: str) -> tuple[str, str] | None:
    """Split `Type[title]` into type and title as written; return None if it is not a reference."""
    bracket = text.find("[")
    if bracket < 1 or text[-1] != "]" or bracket == len(text) - 2 or "]" in text[:bracket]:
        return None
    return text[:bracket], text[bracket + 1 : -1]


def canonical_ref(type_name: str, title: str) -> str:
    """Return `Type[title]` with Puppet's capitals: types always, titles for classes only."""
    kind = capitalize_type(type_name.removeprefix("::"))
    if kind == "Class":
        title = capitalize_type(title.removeprefix("::")) if title else "Main"
    return f"{kind}[{title}]"
