"""The report of `catgraph impact INPUT PLACE`: what a line, a key of Hiera or a fact decides."""

from __future__ import annotations

import os
import re

from analyzer.cli.reports.origin_text import lines_of
from analyzer.cli.shared.completeness import exit_code, print_gaps
from analyzer.cli.shared.inputs import refuse_others, settings_for
from analyzer.cli.shared.output import emit, emit_json, style_for, usage_error
from analyzer.compiles.explaining import explain_path
from analyzer.diagnostics import InputError
from analyzer.escape import joined, shown
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.origins.effects import Effects
from analyzer.frontends.puppet.origins.subjects import (
    INPUTS,
    Subject,
    of_file,
    of_input,
    of_key,
)
from analyzer.model.completeness import is_complete
from analyzer.model.nouns import counted
from analyzer.reach import LINKED_OUT, leads_out
from analyzer.reading import read_text
from analyzer.session.inputs import kind_of
from analyzer.session.settings import config_for
from analyzer.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.cli.shared.output import OutputStyle
    from analyzer.frontends.puppet.origins.effects import Effect
    from analyzer.model.completeness import Gap
    from analyzer.model.documents import JsonObject

# Resources of a node that are listed.
SHOWN = 20
# The answer about nodes without an effect where parts of them are unknown.
OPEN = ("no known effect", "; what is unknown may need it")
PLACE = re.compile(r"(.+?)(?::(\d{1,9}))?\Z", re.DOTALL)
NAME = re.compile(r"[$:]*[a-z_]\w*(?:(?:::|\.)\w+)*\Z", re.IGNORECASE)


def print_effects(path: str, word: str, options: Options) -> int:
    """Print the effects of a place, a key or a fact on each node."""
    from analyzer.cli.shared.output import report_error

    if kind_of(path) != "manifests":
        if not os.path.exists(path):
            return refuse_others("impact", path)
        return usage_error("impact", f"{path} has no code; give manifests, or a reference")
    subject = subject_of(path, word)
    if subject is None:
        what = f"{word} is no file, line, key of Hiera or fact"
        return usage_error("impact", f"{what}; give FILE:LINE, app::port or facts.os.family")
    settings = settings_for("manifests", options, config_for(path, options.config)) or Settings()
    nodes: dict[str, list[Effect]] = {}
    gaps: dict[Gap, None] = {}
    worst = 0
    for node in explain_path(path, settings):
        gaps.update(dict.fromkeys(node.gaps))
        if node.error is not None:
            worst = max(worst, report_error(node.error))
        if node.explanation is not None:
            found = Effects(node.explanation, subject.matches, subject.source)
            nodes[node.name] = list(found.all())
    print_gaps(gaps, options)
    if options.format == "json":
        rows = {name: [row_of(one) for one in found] for name, found in nodes.items()}
        emit_json({"subject": subject.text, "nodes": rows}, options.output)
    else:
        emit(as_text(subject, nodes, gaps, options), options.output)
    return exit_code(worst, gaps, options)


def subject_of(path: str, word: str) -> Subject | None:
    """Return the subject that a word names: a file, else a fact or a key of Hiera.

    Raises:
        InputError: the file cannot be read, or has no such line or no key there.
    """
    match = PLACE.match(word)
    name, digits = match.groups() if match else (word, None)
    line = int(digits) if digits else None
    root = path if os.path.isdir(path) else os.path.dirname(path)
    for file in (name, os.path.join(root, name)):
        if os.path.isfile(file):
            return subject_of_file(file, line)
    if digits or "/" in name or not NAME.match(name):
        return None
    bare = name.lstrip("$").removeprefix("::")
    return of_input(bare) if bare.partition(".")[0] in INPUTS else of_key(bare)


def subject_of_file(file: str, line: int | None) -> Subject:
    """Return a file or a line of it as a subject.

    Raises:
        InputError: it cannot be read, or has no such line or no key there.
    """
    if leads_out(file):
        raise InputError(f"cannot be read: {LINKED_OUT}", Span(file))
    try:
        text = read_text(file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", Span(file)) from None
    count = len(text.splitlines())
    if line is not None and not 0 < line <= count:
        message = f"there is no line {line}: the file has {counted(count, 'line')}"
        raise InputError(message, Span(file), "no-line")
    subject = of_file(file, text, line)
    if subject is None:
        raise InputError("no key of Hiera is on this line", Span(file, line or 0), "no-key")
    return subject


def as_text(
    subject: Subject, nodes: dict[str, list[Effect]], gaps: Iterable[Gap], options: Options
) -> str:
    """Return the effects as text, nodes with the same ones together."""
    style = style_for(options)
    together: dict[tuple[str, ...], list[str]] = {}
    for name, effects in nodes.items():
        lines = tuple(node_lines(effects, options, style)) if effects else ()
        together.setdefault(lines, []).append(name)
    none = together.pop((), [])
    told = [style("bold", shown(subject.text))]
    for lines, names in together.items():
        told += [f"  {shown(', '.join(names))}", *lines]
    effect, but = ("no effect", "") if is_complete(gaps) else OPEN
    if none and together:
        told.append(f"  {effect} on {counted(len(none), 'other node')}{but}")
    elif none or not nodes:
        nodes_text = counted(len(none), "node")
        told.append(f"  {effect}: nothing that {nodes_text} evaluated needs it{but}")
    return joined(told)


def node_lines(effects: Sequence[Effect], options: Options, style: OutputStyle) -> Iterator[str]:
    """Yield the lines of a node: its resources, each with what is as it is by the subject."""
    if options.explain:
        sections = [(heading(one), list(one.rows)) for one in effects]
        yield from (f"    {line}" for line in lines_of(sections, style))
        return
    by_ref: dict[str, list[Effect]] = {}
    for one in effects:
        by_ref.setdefault(one.ref, []).append(one)
    # What a class or define is given shows in what it declares.
    resources = {ref: several for ref, several in by_ref.items() if not all(map(is_given, several))}
    several = resources or by_ref
    shown_refs = list(several)[: None if options.all else SHOWN]
    width = max(len(shown(ref)) for ref in shown_refs)
    for ref in shown_refs:
        yield f"    {shown(ref):<{width}}  {shown(', '.join(map(words_of, several[ref])))}"
    if len(shown_refs) < len(several):
        more = len(several) - len(shown_refs)
        yield f"    ... and {more:,} more (--all lists them)"


def is_given(one: Effect) -> bool:
    """Return whether an effect is on a parameter of a class or a define."""
    return one.container and bool(one.attribute) and not one.targets


def words_of(one: Effect) -> str:
    """Return an effect in words."""
    return " ".join([one.attribute, *one.targets]) if one.attribute else "exists"


def heading(one: Effect) -> str:
    """Return an effect with its resource."""
    return f"{one.ref} {words_of(one)}"


def row_of(one: Effect) -> JsonObject:
    """Return an effect for JSON."""
    return {
        "ref": one.ref,
        "attribute": one.attribute or None,
        "targets": list(one.targets),
        "way": [
            {
                "kind": row.kind,
                "text": row.text,
                "file": row.span.file if row.span else None,
                "line": row.span.line if row.span else None,
            }
            for row in one.rows
        ],
    }
