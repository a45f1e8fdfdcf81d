"""`epp` and `inline_epp`; templates in Ruby go over the bridge (Evaluator::EppEvaluator)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler import gaps
from analyzer.frontends.puppet.compiler.calls import erb
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite
from analyzer.frontends.puppet.compiler.definitions.files import NOWHERE, checked
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.listening import Watch
from analyzer.frontends.puppet.evaluate.parameters import Parameter, bind_arguments
from analyzer.frontends.puppet.evaluate.scope import MISSING, RESERVED, Scope, reserved
from analyzer.frontends.puppet.evaluate.thunks import Thunk, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.cache import Cache
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.types.model.collections import StructElement, StructType
from analyzer.frontends.puppet.types.model.strings import StringType
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Sensitive, Unknown, Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.validate.walk import Strictness

# Puppet's name for the file of a template in a string.
INLINE = "inlined-epp-text"


def epp(site: CallSite, path: str, given: dict[str, Value] | None = None) -> Value:
    """`epp`: a template file of a module; it sees the node's variables and its arguments."""
    if isinstance(path, Unknown):
        return path.as_text()
    # Puppet looks for the name as it is from its working folder, not from the module.
    name = path if path.endswith(".epp") else f"{path}.epp"
    found = site.files.find(path, "templates") if os.path.isabs(path) else None
    found = found or site.files.find(name, "templates")
    if found is None:
        return not_found(site, name)
    try:
        text = site.files.read(found).decode()
    except UnicodeDecodeError as error:
        message = f"{found}: not UTF-8: {error.reason} at byte {error.start + 1}"
        raise EvaluationError(message, site.unit, site.node) from None
    scope = site.scope.outermost()
    around, scope.frames = scope.frames, scope.frames[:1]
    try:
        return render(site, "epp", text, found, given, scope)
    finally:
        scope.frames = around


def not_found(site: CallSite, name: str) -> Unknown:
    """Return an Unknown for a template of a declared module that is not installed.

    Raises:
        EvaluationError: it is of no such module.
    """
    missing = site.compilation.definitions.missing
    qualified = str(name).replace("/", "::", 1)
    reason = missing.reason("template", qualified) if "::" in qualified else ""
    if not reason:
        raise EvaluationError(f"Could not find template '{name}'", site.unit, site.node)
    what = f"template '{name}'"
    gaps.module_missing(site.compilation, what, reason, site.unit, site.node, hides=False)
    return Unknown(f"{what} {reason}")


def inline_epp(site: CallSite, text: str, given: dict[str, Value] | None = None) -> Value:
    """`inline_epp`: a template in a string; it sees the variables around."""
    if isinstance(text, Unknown):
        return text.as_text()
    return render(site, "inline_epp", text, INLINE, given, site.scope)


def render(
    site: CallSite,
    function: str,
    text: str,
    file: str,
    given: dict[str, Value] | None,
    scope: Scope,
) -> Value:
    """Parse and evaluate a template.

    Raises:
        EvaluationError: it is no template, or an argument is missing or has another name.
    """
    unknown = given if isinstance(given, Unknown) else find_unknown(given or ())
    if unknown is not None:
        return unknown.as_text()
    try:
        known = site.compilation.definitions
        store = NOWHERE if file == INLINE else known.store
        watch = known.watch if site.compilation.trace is not None else None
        body, unit, code = prepared(text, file, store, known.strict, watch)
    except ParseError as error:
        found = error.diagnostic
        place = f"file: {file}" + (
            f", line: {found.line}, column: {found.column}" if found.line else ""
        )
        message = f"{function}(): Invalid EPP: {found.message} ({place})"
        raise EvaluationError(message, site.unit, site.node) from None
    enforce = body.body.parameters_specified or given is None
    level = scope.level
    try:
        frame = arguments(site, body, unit, given or {}, enforce, scope)
        if site.compilation.trace is not None:
            site.compilation.trace.bind(frame, frame)
        scope.frames.append(frame)
        return code(site.compilation, scope)
    finally:
        scope.leave(level)


@lru_cache(maxsize=256)
def prepared(
    text: str, file: str, store: Cache, strict: Strictness, watch: Watch | None = None
) -> tuple[Any, Unit, Thunk]:
    """Return a template's lambda and what evaluates it; a define renders its template often.

    Raises:
        ParseError: it is no template.
    """
    body: Any = checked(text, file, store, epp=True, strict=strict).body
    unit = Unit(text, file, watch)
    return body, unit, thunk_of(body.body, unit)


def arguments(
    site: CallSite,
    body: a.LambdaExpression,
    unit: Unit,
    given: dict[str, Value],
    enforce: bool,
    scope: Scope,
) -> dict[str, Value]:
    """Return a template's variables: its declared parameters, else its arguments."""
    parameters = [Parameter(p, unit) for p in body.parameters]
    names = [p.name for p in parameters]
    if enforce:
        for name in given:
            if name not in names:
                message = f"lambda: has no parameter named '{name}'"
                raise EvaluationError(message)
    for parameter in parameters:
        if parameter.default is None and parameter.name not in given:
            message = f"lambda: expects a value for parameter '{parameter.name}'"
            raise EvaluationError(message)
    for name in given:
        if name in RESERVED:
            raise EvaluationError(reserved(name), site.unit, site.node)
    values = tuple(given.get(name, MISSING) for name in names)
    bound = bind_arguments("lambda", parameters, values, site.compilation, scope)
    check(site, parameters, bound, scope)
    return {**({} if enforce else given), **bound}


def check(
    site: CallSite, parameters: list[Parameter], bound: dict[str, Value], scope: Scope
) -> None:
    """Check the variables of a template against the types that it declares.

    Raises:
        EvaluationError: some are of other types.
    """
    machine = site.compilation
    types = {p.name: machine.known_type(p.type(machine, scope)) for p in parameters if p.type}
    if all(is_instance(kind, bound[name]) for name, kind in types.items()):
        return
    from analyzer.frontends.puppet.types.mismatches.describe import describe_parameters

    elements = [StructElement(StringType(value=name), kind) for name, kind in types.items()]
    given = {name: bound[name] for name in types}
    raise EvaluationError(describe_parameters("lambda", StructType(tuple(elements)), given))


def template(site: CallSite, *paths: Any) -> Value:
    """`template`: Unknown without the bridge to Ruby, unless the user has a text for it.

    Raises:
        EvaluationError: there is no such file.
    """
    refuse_none(site, "template", paths)
    names = [path.value if isinstance(path, Sensitive) else path for path in paths]
    stubs = site.compilation.inputs.stubs.templates
    files: list[str] = []
    for name in names:
        if isinstance(name, Unknown):
            return name
        file = "" if str(name) in stubs else site.files.find(name, "templates")
        if file is None:
            return not_found(site, name)
        files.append(file)
    # All of them are rendered, for what they change besides.
    texts = [
        rendered(site, path, str(name), file) if file else stubs[str(name)]
        for name, path, file in zip(names, paths, files, strict=True)
    ]
    return joined(texts)


def rendered(site: CallSite, path: Value, name: str, file: str) -> Value:
    """Return the rendered text of a template in Ruby."""
    if site.compilation.ruby is not None:
        return site.compilation.ruby.template(site, path, name)
    text = site.files.read(file).decode(errors="replace")
    erb.make_unknown(site, text, f"the template {name}, written in Ruby, may change it")
    gaps.template_left_out(site, name)
    return Unknown(f"the template {name} is written in Ruby", is_text=True)


def joined(parts: Iterable[Any]) -> Value:
    """Return texts as one, or the first of them that is Unknown."""
    texts = []
    for part in parts:
        if isinstance(part, Unknown):
            return part
        texts.append(part)
    return "".join(texts)


def inline_template(site: CallSite, *texts: Value) -> Value:
    """`inline_template`: Unknown without the bridge, as it is Ruby."""
    refuse_none(site, "inline_template", texts)
    if site.compilation.ruby is not None:
        ruby = site.compilation.ruby
        return joined(ruby.inline_template(site, text) for text in texts)
    for text in texts:
        if isinstance(text, str):
            erb.make_unknown(site, text, "an inline template, written in Ruby, may change it")
    gaps.template_left_out(site, "inline_template")
    return Unknown("an inline template is written in Ruby", is_text=True)


def refuse_none(site: CallSite, name: str, arguments: tuple[Value, ...]) -> None:
    """Refuse a call without arguments.

    Raises:
        EvaluationError: there are none.
    """
    if not arguments:
        message = f"{name}(): Wrong number of arguments given (0 for minimum 1)"
        raise EvaluationError(message, site.unit, site.node)
