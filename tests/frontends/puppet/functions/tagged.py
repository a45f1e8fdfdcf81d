"""Values as `puppet_functions.rb` writes them, so that JSON keeps them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.functions.core.iterables import Series
from analyzer.model.keys import of_key
from analyzer.model.quote import float_text
from analyzer.model.values import Default, Regexp, Sensitive, Unknown


def tagged(value: Any) -> Any:
    """Return a value in JSON's types."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": float_text(value)}
    for kind, write in TAGS.items():
        if isinstance(value, kind):
            return write(value)
    return {"rich": str(value)}


TAGS: dict[type, Callable[[Any], Any]] = {
    list: lambda value: [tagged(one) for one in value],
    dict: lambda value: {"hash": [[tagged(of_key(k)), tagged(v)] for k, v in value.items()]},
    Default: lambda value: {"default": True},
    Regexp: lambda value: {"regexp": value.source},
    Sensitive: lambda value: {"sensitive": tagged(value.value)},
    Series: lambda value: {"iterator": [tagged(one) for one in value.again()]},
    Unknown: lambda value: {"unknown": value.reason},
}
