"""Values as Puppet's log shows them (Puppet::Parameter.format_value_for_display)."""

from __future__ import annotations

from analyzer.model.quote import quoted

REDACTED = "[redacted]"


def shown(value: object) -> str:
    """Return a value as the messages of changes have it: texts quoted, collections in lines."""
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return ""
    if isinstance(value, bool | int):
        return str(value).lower()
    from analyzer.frontends.puppet.types.construct.strings import to_text
    from analyzer.frontends.puppet.types.model.collections import COLLECTION
    from analyzer.frontends.puppet.types.model.strings import STRING

    return to_text(value, {COLLECTION: "%#p", STRING: "%p"})
