"""HOCON from text: parsehocon."""

from __future__ import annotations

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import modern
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault
from analyzer.model.values import Unknown, Value

NOTHING = object()


@modern("parsehocon stdlib::parsehocon", "String $hocon_string, Optional[Any] $default = undef")
def parsehocon(call: Call, text: str, default: object = NOTHING) -> Value:
    """Return the data of a HOCON text; the default if it is none."""
    from analyzer.formats.hocon_reader import Included, parse
    from analyzer.formats.hocon_tokens import HoconError

    try:
        return parse(text)
    except Included:
        return Unknown("a HOCON text that includes a file of the server")
    except HoconError as error:
        if default is NOTHING:
            raise Fault(str(error)) from None
        return default
