"""The gaps of a compile: what an Unknown decided and what was left out, and what that may hide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler.declarable import (
    is_statement_call,
    may_declare,
    may_declare_type,
)
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite, Compilation
from analyzer.frontends.puppet.compiler.declared.places import span_of
from analyzer.frontends.puppet.compiler.definitions.missing import REFUSED
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.functions.stdlib.families import FAMILIES
from analyzer.frontends.puppet.refusals import NOT_SEARCHED, OF_OTHERS, OTHERS, refused
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.model.completeness import RUBY, Gap, hint_in
from analyzer.model.statements import MissingReference
from analyzer.model.values import Unknown, Value
from analyzer.reach import Outside
from analyzer.source import Span, without_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.diagnostics import CompileError
    from analyzer.frontends.puppet.compiler.declared.entry import Entry
    from analyzer.frontends.puppet.compiler.definitions.definition import Definition
    from analyzer.frontends.puppet.evaluate.errors import EvaluationError

# What an Unknown decides only by what its arms, or its block, would have declared.
BY_CONTENT = frozenset({"condition", "case", "iteration", "selector"})

NAMES = {"create_resources": "call of create_resources", "realize": "realized reference"}


def gaps_of(compilation: Compilation, closed: Sequence[str] = ()) -> list[Gap]:
    """Return everything that a compile did not know, each place once.

    `closed` are the folders of modules that were not searched.
    """
    found: dict[Value, Gap] = {}
    for gap in compilation.gaps:
        found.setdefault(gap, gap)
    for unknown, what, unit, node, around in compilation.undecided_by:
        key = what, unknown.reason, unit.file, node.offset
        if key not in found:
            reason, hint = reason_of(unknown, compilation)
            hides = what not in BY_CONTENT or may_declare(around, compilation)
            if what == "selector" and not hides:
                # Its value is Unknown, and reported where it decides something.
                continue
            place = span_of(unit, node)
            found[key] = Gap("undecided", NAMES.get(what, what), reason, place, hint, hides)
    known = [*found.values(), *closed_files(compilation), *assumptions(compilation)]
    return [*known, *closed_folders(known, closed)]


def closed_files(compilation: Compilation) -> Iterator[Gap]:
    """Yield the levels and files of Hiera that may not be read."""
    for name, problem, hides in compilation.data.outside():
        reason, hint = hint_in(problem)
        yield Gap("file", name, reason, hint=hint, hides=hides)


def assumptions(compilation: Compilation) -> Iterator[Gap]:
    """Yield what was assumed of data that nobody can read here."""
    for name, problem in compilation.data.assumed().items():
        reason, hint = reason_of(Unknown(problem), compilation)
        assumed = f"was assumed to have no value: {reason}"
        yield Gap("assumption", f"Hiera's level '{name}'", assumed, hint=hint)
    for level, problem in compilation.data.secret_levels():
        assumed = f"was assumed to have no value: {problem}"
        yield Gap("assumption", f"Hiera's level '{level}'", assumed, hides=False)
    if compilation.inputs.old:
        assumed = f"was assumed to be off: {compilation.inputs.old}"
        hint = f"--puppet-version {compilation.puppet_version}"
        yield Gap("assumption", "strict_variables", assumed, hint=hint, hides=False)


def hides(compilation: Compilation) -> bool:
    """Return whether a resource may be missing because of the unknown values so far."""
    if not compilation.partial:
        open_nodes = {
            id(around): around
            for _, what, _, _, around in compilation.undecided_by
            if what in BY_CONTENT
        }
        compilation.partial = (
            any(gap.hides for gap in compilation.gaps)
            or any(what not in BY_CONTENT for _, what, *_ in compilation.undecided_by)
            or any(may_declare(node, compilation) for node in open_nodes.values())
        )
    return compilation.partial


def may_hide(compilation: Compilation, ref: str) -> bool:
    """Return whether what is not known may declare a resource, or change what is related to it.

    What an Unknown decides by its arms alone has the types that may be declared there.
    """
    if not hides(compilation):
        return False
    if any(gap.hides and gap.kind != "undecided" for gap in compilation.gaps) or any(
        what not in BY_CONTENT and what != "relationship"
        for _, what, *_ in compilation.undecided_by
    ):
        return True
    parts = {id(one[4]): one[4] for one in compilation.undecided_by if one[1] in BY_CONTENT}
    return may_declare_type(parts.values(), compilation, ref.partition("[")[0])


def reason_of(unknown: Unknown, compilation: Compilation) -> tuple[str, str]:
    """Return why a value is not known, and the option that would help."""
    reason, hint = hint_in(unknown.reason)
    return reason, ruby_hint(compilation) if hint == RUBY else hint


def ruby_hint(compilation: Compilation) -> str:
    """Return the option that runs Ruby, unless it is given already."""
    return RUBY if compilation.ruby is None else ""


def not_found(
    compilation: Compilation, ref: str, other: str, error: EvaluationError, span: Span | None = None
) -> bool:
    """Refuse a relationship to what is not declared; a lenient compile remembers it.

    Return True, and record a gap, where what is not known may declare it.

    Raises:
        EvaluationError: the one given.
    """
    file, line, column = error.place
    span = span or (Span(file, line, column) if line else None)
    if may_hide(compilation, ref):
        reason = f"{ref} is not declared in what is known"
        compilation.gaps.append(Gap("undecided", "relationship", reason, span))
        return True
    if not compilation.inputs.lenient:
        raise error
    compilation.missing.append(MissingReference(ref, other, error.message, span))
    return False


def errors_left_out(compilation: Compilation) -> None:
    """Record what errors keep from being evaluated."""
    for error in compilation.recorded_errors.errors:
        if isinstance(error, ParseError):
            found, text = error.diagnostic, error.text
            message, place = found.message, (found.file, found.line, found.column)
        else:
            message, place = error.message, error.place
            text = error.unit.text if error.unit else ""
        message = without_secrets(message, text)
        span = Span(*place) if place[0] else None
        words = " ".join(message.split()).removesuffix(f" for {compilation.inputs.node}")
        gap = Gap("error", "statement", f"was not compiled: {words}", span)
        gap = refused(gap, message)
        lacks = gap.hint == OTHERS and compilation.definitions.missing.has_no_other(message)
        compilation.gaps.append(replace(gap, hint="") if lacks else gap)


def closed_folders(gaps: Iterable[Gap], closed: Sequence[str]) -> Iterator[Gap]:
    """Yield the folders of modules that were not searched, if something was not found."""
    if any(gap.hint == OTHERS for gap in gaps):
        reason, hint = hint_in(str(Outside("").strerror))
        for folder in closed:
            yield Gap("file", f"modulepath {folder}", reason, hint=hint)


def say_closed(error: CompileError, closed: Sequence[str]) -> None:
    """Add to an error what may hold what was not found: folders that were not searched."""
    for one in (error, *error.others):
        if closed and OF_OTHERS.search(one.message):
            folders = " and ".join(closed)
            one.code = NOT_SEARCHED
            one.message += f"; modulepath {folders} was not searched: {Outside('').strerror}"


def module_missing(
    compilation: Compilation, ref: str, reason: str, unit: Unit, node: Node, *, hides: bool = True
) -> None:
    """Record something of a declared module that is not installed; of others, the error tells."""
    if reason == REFUSED:
        return
    hint = compilation.definitions.missing.remedy(reason)
    compilation.leave_out("module", ref, reason, unit, node, hint=hint, hides=hides)


def function_missing(
    compilation: Compilation, name: str, reason: str, block: object, node: Any, unit: Unit
) -> Unknown:
    """Record a call of a function of a module that is not installed; return its value."""
    hides = is_statement_call(node) or (
        block is not None and may_declare(node.lambda_, compilation)
    )
    module_missing(compilation, f"{name}()", reason, unit, node, hides=hides)
    return Unknown(f"{name}() {reason}")


def left_to_ruby(
    compilation: Compilation, name: str, value: Unknown, block: object, node: Any, unit: Unit
) -> None:
    """Record a call of a function in Ruby that is not run: as a statement it may declare."""
    statement = is_statement_call(node) and name not in FAMILIES
    lost = "the resources that it declares are" if statement else "its value is"
    reason, _ = hint_in(value.reason)
    why = "" if reason.endswith(" is written in Ruby") else f" ({reason})"
    compilation.leave_out(
        "function",
        f"{name}()",
        f"is a Ruby function: {lost} unknown{why}",
        unit,
        node,
        hint=ruby_hint(compilation),
        hides=statement or (block is not None and may_declare(node.lambda_, compilation)),
    )


def data_left_out(compilation: Compilation, key: str, value: Value, entry: Entry) -> None:
    """Record a parameter of a class whose value in the data is not known."""
    if type(value) is Unknown:
        reason, hint = reason_of(value, compilation)
        compilation.leave_out("data", key, reason, entry.unit, entry.node, hint=hint, hides=False)


def template_left_out(site: CallSite, name: str) -> None:
    """Record a template in Ruby that is not run: it is a text, and declares nothing."""
    reason = "is written in Ruby: its text is unknown"
    site.compilation.leave_out(
        "template", name, reason, site.unit, site.node, hint=RUBY, hides=False
    )


def skipped_nodes(nodes: Iterable[Definition]) -> list[Gap]:
    """Return gaps for node blocks with a pattern for which no name was found to compile."""
    return [
        Gap(
            "node",
            f"node /{one.match.pattern}/",
            "was not compiled: no name is known that its pattern matches",
            span_of(one.unit, one.match),
            "--node NAME",
        )
        for one in nodes
    ]
