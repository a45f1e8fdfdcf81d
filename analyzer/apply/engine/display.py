"""Values as Puppet's log shows them (Puppet::Parameter.format_value_for_display)."""

from __future__ import annotations

from analyzer.model.quote import quoted
from analyzer.model.values import Unknown

REDACTED = "[redacted]"


def shown(value: object) -> str:
    """Return a value as the messages of changes have it: texts quoted, collections in lines."""
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return ""
    if isinstance(value, Unknown):
        return str(value)
    if isinstance(value, bool | int):
        return str(value).lower()
    from analyzer.frontends.puppet.types.construct.strings import to_text
    from analyzer.frontends.puppet.types.model.collections import COLLECTION
    from analyzer.frontends.puppet.types.model.strings import STRING

    return to_text(with_reasons(value), {COLLECTION: "%#p", STRING: "%p"})


def with_reasons(value: object) -> object:
    """Return a value with the reasons of its unknown parts in their place."""
    if isinstance(value, list):
        return [with_reasons(one) for one in value]
    if isinstance(value, dict):
        return {key: with_reasons(one) for key, one in value.items()}
    return str(value) if isinstance(value, Unknown) else value
