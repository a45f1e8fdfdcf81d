"""Expressions of records: evaluated in the scope of a compile, called, or asked about types."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from .comparing import AGREE, Result, compare_values, refusals
from .compiling import LEVELS, Inputs, Made
from .records import EMPTY_BASE, Record

# The message that carries the value of an expression.
MARK = "VALUE OF THE RECORD:"
_DEFINES = re.compile(r"^\s*(class|define|function|node|type|plan)\b", re.M)
_EMPTY = re.compile(r"(undef|\s)*")
# Variables that Puppet sets itself.
_OWN = {"module_name", "caller_module_name", "name", "title", "calling_class", "calling_module"}


def telling(source: str) -> str:
    """Return code that logs the value of an expression."""
    return (
        f"$_of_record = with() || {{\n{source}\n}}\nerr(\"{MARK}${{String($_of_record, '%p')}}\")\n"
    )


def value_of(made: Made) -> str | None:
    """Return the value that was logged."""
    texts = [text for level, text in made.messages if level == "err" and text.startswith(MARK)]
    return texts[-1].removeprefix(MARK) if texts else None


def compare_eval(record: Record, inputs: Inputs) -> Result | None:
    """Compare the value of an expression, in a scope as it is or after a compile."""
    return _evaluated(record, inputs, record["source"])


def _evaluated(record: Record, inputs: Inputs, source: str) -> Result | None:
    base, compiled = record["base"], bool(record.get("compiled"))
    first = (base.get("code") or "") if compiled else ""
    earlier = record.get("before") or []
    before = "\n".join(["" if _EMPTY.fullmatch(first) else first, *earlier])
    defines = _DEFINES.search(source) is not None
    later = source if defines else telling(source)
    code = (before or "# nothing\n") if compiled else f"{before}\n{later}"
    variables = {
        name: value
        for name, value in (record.get("vars") or {}).items()
        if name not in _OWN
        and re.fullmatch(r"[a-z_]\w*", name)
        and not re.search(rf"\$(::)?{name}\b\s*\]?\s*=", before)
    }
    made = inputs.compiled(base, code, variables, later if compiled else "")
    value = value_of(made)
    if made.error is not None and not record.get("error") and value is not None:
        # It is about what a compile checks later, and the spec did not.
        made.error = None
    result = compare_values(record, made, value)
    if defines and made.error is None and not record.get("error"):
        return AGREE
    no_effect = made.error is not None and "no effect" in str(made.error)
    return None if not result.ok and no_effect and earlier else result


def compare_call(record: Record, inputs: Inputs) -> Result | None:
    """Compare the result of a function."""
    name, arguments = record["name"], record["arguments"]
    declares = name in (*LEVELS, "info", "debug", "include", "contain", "require")
    hidden = any("redacted" in each for each in arguments)
    if declares or hidden or record["base"].get("node") is None:
        return None
    return _evaluated(record, inputs, f"{name}({', '.join(arguments)})")


def _of_types(source: Callable[[Record], str]) -> Callable[[Record, Inputs], Result | None]:
    """Return the comparison of an expression in which types are asked."""

    def compare(record: Record, inputs: Inputs) -> Result | None:
        if "redacted" in str(record.get("right")):
            return None
        made = inputs.compiled(EMPTY_BASE, telling(source(record)))
        if made.error is not None or record.get("error"):
            return refusals(record, made.error)
        theirs = record.get("value")
        theirs = json.dumps(theirs) if isinstance(theirs, bool) else theirs
        return compare_values({**record, "value": theirs}, made, value_of(made))

    return compare


compare_type = _of_types(lambda record: str(record["source"]))
compare_assignable = _of_types(lambda record: f"{record['right']} <= {record['left']}")
compare_instance = _of_types(lambda record: f"{record['right']} =~ {record['left']}")
compare_infer = _of_types(lambda record: f"type({record['right']}, reduced)")
