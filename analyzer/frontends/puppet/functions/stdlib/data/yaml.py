"""stdlib's to_yaml."""

from __future__ import annotations

from analyzer.formats.yaml_writer import Tagged, dump
from analyzer.frontends.puppet.evaluate.ruby import inspect
from analyzer.frontends.puppet.functions.registry import Call, UndecidedCall
from analyzer.frontends.puppet.functions.stdlib.api import modern
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault, class_name
from analyzer.model.values import Regexp, Unknown


@modern("to_yaml stdlib::to_yaml", "Any $data, Hash $options = {}")
def to_yaml(call: Call, data: object, options: dict[str, object] | None = None) -> str:
    """Return a value as YAML; options are those of Psych: `indentation`, `line_width`."""
    options = options or {}
    if unknown := set(options) - {"indentation", "line_width"}:
        raise UndecidedCall(Unknown(f"to_yaml with the option {sorted(map(str, unknown))[0]}"))
    width, step = options.get("line_width"), options.get("indentation", 2)
    if isinstance(width, int) and width < -1:
        raise Fault(f"Invalid line_width {width}, must be non-negative or -1 for unlimited.")
    return dump(
        data,
        line_width=width if isinstance(width, int) else None,
        indentation=step if isinstance(step, int) and 2 <= step <= 9 else 2,
        convert=tagged,
    )


def tagged(value: object) -> Tagged:
    """Return a regular expression as Psych writes it; the fields of other objects are not known."""
    if isinstance(value, Regexp):
        return Tagged("!ruby/regexp", inspect(value))
    raise UndecidedCall(Unknown(f"to_yaml of {class_name(value)}"))
