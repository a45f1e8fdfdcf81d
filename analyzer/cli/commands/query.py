"""`catgraph query INPUT... EXPR`: print the resources or edges that match an expression."""

from __future__ import annotations

from os.path import exists
from typing import NamedTuple

from analyzer.cli.reports.query_words import table
from analyzer.cli.shared import completeness
from analyzer.cli.shared.inputs import check_all
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    SIMULATE,
    Option,
    format_option,
)
from analyzer.cli.shared.output import OutputStyle, emit, style_for, usage_error
from analyzer.escape import joined, shown
from analyzer.model.documents import JsonObject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.graph.query.answer import Answer
    from analyzer.graph.relationship_graph import RelationshipGraph

USAGE = "INPUT... EXPR"
INPUTS = (2, None)
HELP = f"""Print the resources or edges that match an expression, in the order of the catalog.

  catgraph query catalog.json 'type = File and title ~ "/etc/*" and not owner = root'
  catgraph query catalog.json 'ensure = absent and after Package[ntp]'
  catgraph query catalog.json 'isolated and class = ntp'
  catgraph query catalog.json 'edges where kind = notify and from type = File'

{table()}

Exit code 0 whether or not anything matches, unless you give --fail-if-any or --fail-if-none;
3 if something unknown may match."""
OPTIONS = (
    format_option("text", "json", "refs"),
    Option(
        "--show", "parameters to print with each resource, separated by commas", metavar="NAMES"
    ),
    Option("--count", "print only the number of matches", flag=True),
    Option("--fail-if-any", "exit with 1 if anything matches", flag=True),
    Option("--fail-if-none", "exit with 1 if nothing matches", flag=True),
    completeness.ALLOW,
    OUTPUT,
    CONFIG,
    *SIMULATE,
    *COMPILE,
    COLOR,
)

# The longest text of a parameter that is not cut.
LONG = 60


class CatalogAnswer(NamedTuple):
    """The answer of one catalog, and the parameters to show for each matching resource."""

    name: str
    answer: Answer
    parameters: list[JsonObject]


Answers = list[CatalogAnswer]


def run(options: Options) -> int:
    """Print the matches of each input."""
    if options.fail_if_any and options.fail_if_none:
        return usage_error("query", "--fail-if-any and --fail-if-none cannot be used together")
    *inputs, text = options.inputs
    if exists(text) and not exists(inputs[0]):
        return usage_error("query", f"write the expression after the inputs: {text} {inputs[0]!r}")
    from analyzer.graph.query.parser import parse

    parse(text)
    done = check_all(options, inputs)
    checked, worst = done.graphs, done.worst
    names = [name.strip() for name in (options.show or "").split(",") if name.strip()]
    answers = answered(checked, text, names)
    for one in answers:
        completeness.report_undecided(one.name, one.answer)
    gaps = completeness.gaps_of(graph for _, graph in checked)
    completeness.print_gaps(gaps, options)
    count = sum(len(one.answer) for one in answers)
    if options.count:
        emit(joined(counts(answers)), options.output)
    else:
        emit(FORMATS[options.format](answers, style_for(options)), options.output)
    bad = (options.fail_if_any and count > 0) or (options.fail_if_none and not count)
    return completeness.exit_code(worst or int(bad), gaps, options)


def answered(
    checked: Sequence[tuple[str, RelationshipGraph]], text: str, names: Sequence[str]
) -> Answers:
    """Return the answer of each catalog, empty if it lacks the named resources.

    Raises:
        InputError: the query is not valid, or names resources that no catalog has.
    """
    from analyzer.diagnostics import InputError
    from analyzer.graph.query.answer import Answer
    from analyzer.graph.query.refusal import ABSENT

    answers: Answers = []
    absent: list[InputError] = []
    for name, graph in checked:
        try:
            found = graph.query(text)
            answers.append(CatalogAnswer(name, found, parameters_of(graph, found, names)))
        except InputError as error:
            if error.code != ABSENT:
                raise
            absent.append(error)
            answers.append(CatalogAnswer(name, Answer(warnings=(error.message,)), []))
    if absent and len(absent) == len(checked):
        raise absent[0]
    return answers


def parameters_of(
    graph: RelationshipGraph, answer: Answer, names: Sequence[str]
) -> list[JsonObject]:
    """Return the parameters to show of each resource, without secrets."""
    from analyzer.export.redact import visible_parameters

    resources = graph.resources
    found = (resources[graph.locate(str(ref))] for ref in answer.resources)
    return [visible_parameters(one, names) for one in found]


def counts(answers: Answers) -> list[str]:
    """Return the number of matches, for several catalogs with their names."""
    if len(answers) == 1:
        return [str(len(answers[0].answer))]
    return [f"{one.name}: {len(one.answer)}" for one in answers]


def as_refs(answers: Answers, style: OutputStyle) -> str:
    """Return lines with one reference or edge each."""
    return joined(
        str(found)
        for one in answers
        for found in (*one.answer.resources, *one.answer.relationships)
    )


def as_text(answers: Answers, style: OutputStyle) -> str:
    """Return the matches with their places; for several catalogs, below the names of these."""
    lines: list[str] = []
    for one in answers:
        rows = [*edge_lines(one.answer, style), *resource_lines(one, style)]
        if len(answers) > 1 and rows:
            lines += [style("bold", one.name), *(f"  {row}" for row in rows)]
        else:
            lines += rows
    return joined(lines)


def resource_lines(told: CatalogAnswer, style: OutputStyle) -> Iterator[str]:
    """Yield the resources with their places and parameters."""
    refs = [shown(str(ref)) for ref in told.answer.resources]
    places = [shown(str(place or "")) for place in told.answer.places]
    width = max(map(len, refs), default=0)
    second = max(map(len, places), default=0) if any(told.parameters) else 0
    for ref, place, parameters in zip(refs, places, told.parameters, strict=True):
        where = style("dim", f"{place:<{second}}")
        values = " ".join(f"{name}={text(value)}" for name, value in parameters.items())
        yield f"{ref:<{width}}  {where}  {shown(values)}".rstrip()


def text(value: object) -> str:
    """Return a parameter's value, cut if it is long."""
    from json import dumps

    if isinstance(value, dict) and "__unknown" in value:
        return "(unknown)"
    said = value if isinstance(value, str) else dumps(value, ensure_ascii=False)
    return said if len(said) <= LONG else f"{said[:LONG]}..."


def edge_lines(answer: Answer, style: OutputStyle) -> Iterator[str]:
    """Yield the edges with their places and origins."""
    from analyzer.graph.phrases import remark, word

    rows = [
        (
            shown(f"{edge.source} => {edge.target}"),
            str(edge.origin.span or "-"),
            word(edge),
            shown(remark(edge)),
        )
        for edge in answer.relationships
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for edge, place, made, said in rows:
        where = style("dim", f"{place:<{widths[1]}}")
        kind = style("cyan", f"{made:<{widths[2]}}")
        yield f"{edge:<{widths[0]}}  {where}  {kind}  {said}".rstrip()


def as_json(answers: Answers, style: OutputStyle) -> str:
    """Return a list of resources or edges; for several catalogs, with the catalog of each."""
    from json import dumps

    rows = []
    for one in answers:
        catalog = {"catalog": one.name} if len(answers) > 1 else {}
        rows += [{**catalog, **row} for row in rows_of(one)]
    return dumps(rows, indent=1, ensure_ascii=False)


def rows_of(told: CatalogAnswer) -> Iterator[JsonObject]:
    """Yield the matches as JSON rows."""
    from analyzer.export.values import relationship_row

    answer = told.answer
    for ref, span, values in zip(answer.resources, answer.places, told.parameters, strict=True):
        yield {
            "ref": str(ref),
            "type": ref.type,
            "title": ref.title,
            "file": span.file if span else None,
            "line": (span.line or None) if span else None,
            **({"parameters": values} if values else {}),
        }
    for edge in answer.relationships:
        yield relationship_row(edge)


FORMATS = {"text": as_text, "json": as_json, "refs": as_refs}
