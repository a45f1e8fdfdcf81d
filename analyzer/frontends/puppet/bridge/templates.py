"""ERB templates, evaluated over the bridge with the variables that their text names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.bridge.asks import found_variable, visible
from analyzer.frontends.puppet.evaluate.scope import MISSING
from analyzer.frontends.puppet.functions.registry import Undecided
from analyzer.model.values import Sensitive, Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.functions import Site

NAME = re.compile(r"@([a-zA-Z_]\w*)")
# With these a template reads variables that it does not name.
ANY_NAME = re.compile(r"instance_variable|\b(?:binding|eval|self|instance_eval|instance_exec)\b")


def template(site: Site, paths: tuple[Any, ...]) -> Any:
    """`template`: the files rendered, one after the other."""
    texts = []
    for path in paths:
        name = path.value if isinstance(path, Sensitive) else path
        found = site.files.find(name, "templates")
        texts.append("" if found is None else site.files.read(found).decode(errors="replace"))
    what = f"the template {', '.join(str(path) for path in paths if isinstance(path, str))}"
    return rendered(site, "template", paths, texts, what)


def inline_template(site: Site, texts: tuple[Any, ...]) -> Any:
    """`inline_template`: the texts rendered, one after the other."""
    return rendered(site, "inline_template", texts, [str(text) for text in texts], "")


def rendered(site: Site, name: str, arguments: tuple[Any, ...], texts: list[str], what: str) -> Any:
    """Return what becomes of templates, as one text."""
    link = site.compiler.ruby
    assert link is not None
    try:
        # Each of several templates binds the variables anew.
        used = used_variables(site, texts[0]) if len(texts) == 1 else None
    except Undecided as found:
        return Unknown(found.unknown.reason, is_text=True)
    value = link.builtin(site, name, arguments, used, what)
    return Unknown(value.reason, value.span, is_text=True) if isinstance(value, Unknown) else value


def used_variables(site: Site, text: str) -> dict[str, Any]:
    """Return the variables that a template's text uses, without those that are undef."""
    if ANY_NAME.search(text):
        return visible(site.scope)
    found = {}
    for name in dict.fromkeys(NAME.findall(text)):
        value = found_variable(site.compiler, site.scope, name)
        if value is not MISSING and value is not None:
            found[name] = value
    return found
