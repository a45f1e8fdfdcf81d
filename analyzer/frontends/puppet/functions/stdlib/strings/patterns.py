"""Regular expressions that are made of text while a function runs."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.functions.registry import UndecidedCall
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault
from analyzer.frontends.puppet.regex.faults import fault
from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.model.values import Unknown


def regexp(source: str) -> re.Pattern[str]:
    """Return a pattern as Ruby's `Regexp.new` reads it.

    Raises:
        Fault: Ruby refuses it.
        Undecided: Python cannot express it.
    """
    wrong = fault(source)
    if wrong:
        raise Fault(f"{wrong}: /{source}/")
    try:
        return compiled(source)
    except re.error as error:
        raise UndecidedCall(Unknown(f"regular expression /{source}/: {error}")) from None
