"""ERB templates, evaluated over the bridge with the variables that their text names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from analyzer.frontends.puppet.bridge.answers import found_variable, visible
from analyzer.frontends.puppet.bridge.handles import CONSTANTS
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite
from analyzer.frontends.puppet.evaluate.scope import MISSING
from analyzer.frontends.puppet.evaluate.text import unknown_in
from analyzer.frontends.puppet.functions.registry import UndecidedCall
from analyzer.model.documents import JsonObject
from analyzer.model.values import Unknown, Value

# Calls a function of Puppet's 3.x API (RubyCalls.builtin).
Builtin = Callable[[CallSite, str, Sequence[Value], dict[str, JsonObject], str], Value]

NAME = re.compile(r"@([a-zA-Z_]\w*)")
LOOKED_UP = re.compile(r"""\bscope(?:\.lookupvar\(|\[)\s*(?:'([\w:]+)'|"([\w:]+)")""")
# With these a template reads variables that it does not name.
ANY_NAME = re.compile(r"instance_variable|\b(?:binding|eval|self|instance_eval|instance_exec)\b")


def template(builtin: Builtin, site: CallSite, path: object, name: str) -> Value:
    """`template`: a file rendered; `name` is the path, out of its Sensitive."""
    found = site.files.find(name, "templates")
    text = "" if found is None else site.files.read(found).decode(errors="replace")
    if found in site.compilation.definitions.overlay:
        return rendered(builtin, site, "inline_template", text, text, f"the template {name}")
    return rendered(builtin, site, "template", path, text, f"the template {name}")


def inline_template(builtin: Builtin, site: CallSite, text: object) -> Value:
    """`inline_template`: a text rendered."""
    what = f"the template at {site.unit.file}:{site.unit.line(site.node)}"
    return rendered(builtin, site, "inline_template", text, str(text), what)


def rendered(
    builtin: Builtin, site: CallSite, function: str, argument: object, text: str, what: str
) -> Value:
    """Return the rendered text of a template."""
    try:
        options = {"variables": used_variables(site, text), "looks_up": looked_up(site, text)}
    except UndecidedCall as found:
        return Unknown(found.unknown.reason, is_text=True)
    value = builtin(site, function, [argument], options, what)
    return Unknown(value.reason, value.span, is_text=True) if isinstance(value, Unknown) else value


def used_variables(site: CallSite, text: str) -> dict[str, object]:
    """Return the variables that a template's text uses, without those that are undef.

    Raises:
        Undecided: one of them is Unknown, or may be a fact, and there are none.
    """
    if ANY_NAME.search(text):
        return visible(site.scope)
    found = {}
    for name in dict.fromkeys(NAME.findall(text)):
        value = found_variable(site.compilation, site.scope, name)
        unknown = None if value is MISSING else unknown_in(value)
        if unknown is not None and name not in CONSTANTS:
            raise UndecidedCall(unknown)
        if value is not MISSING and value is not None:
            found[name] = value
    return found


def looked_up(site: CallSite, text: str) -> dict[str, object]:
    """Return the variables that a template is sure to look up by name: it need not ask for them."""
    found = {}
    for single, double in LOOKED_UP.findall(text):
        name = single or double
        try:
            value = found_variable(site.compilation, site.scope, name)
        except UndecidedCall:
            continue
        if value is not MISSING and unknown_in(value) is None:
            found[name] = value
    return found
