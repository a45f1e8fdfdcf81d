"""`catgraph graph`: draw the graph, or export it for other tools."""

from __future__ import annotations

import sys
from os.path import splitext

from analyzer.cli.shared.completeness import ALLOW, exit_code
from analyzer.cli.shared.inputs import read_graph
from analyzer.cli.shared.options import COMPILE, CONFIG, OUTPUT, SIMULATE, Option
from analyzer.cli.shared.output import emit, emit_bytes, usage_error
from analyzer.cli.shared.policies import all_policies, policy_graph
from analyzer.session.inputs import kind_of
from analyzer.session.locating import locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.cli.shared.options import Options
    from analyzer.export.graph.view import GraphView
    from analyzer.export.page.page_data import Causes
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.refs import ResourceRef

# name: (file extensions, drawn for people)
FORMATS: dict[str, tuple[tuple[str, ...], bool]] = {
    "dot": ((".dot", ".gv"), True),
    "svg": ((".svg",), True),
    "png": ((".png",), True),
    "json": ((".json",), False),
    "graphml": ((".graphml",), False),
    "mermaid": ((".mmd", ".mermaid"), True),
    "html": ((".html", ".htm"), True),
}

USAGE = "INPUT"
INPUTS = (1, None)
HELP = """Draw the relationship graph, or export it. The format is --format, else the extension
of the output file, dot for a name without one.
Drawings leave out edges that other edges imply; json and graphml
contain all edges. html is a single page that works offline and needs no program; svg and png need
Graphviz. Exit code 3 if something unknown may hide a resource or an edge; every format says
what."""
OPTIONS = (
    Option("-f --format", "output format", None, tuple(FORMATS)),
    Option(
        "--view",
        "containment, relationships as declared, or containers split into begin and end",
        "relationships",
        ("relationships", "containment", "expanded"),
    ),
    Option("--focus", "show only the neighbourhood of a resource", metavar="REF"),
    Option(
        "--depth",
        "with --focus: number of edges to follow in each direction (2)",
        metavar="N",
        type=int,
    ),
    Option(
        "--select",
        "show only what an expression matches; see 'catgraph query --help'",
        metavar="EXPR",
    ),
    Option("--fold", "fold resources into their classes", choices=("class",)),
    Option("--reduce", "leave out implied edges, in every format", flag=True),
    Option("--no-reduce", "draw all edges", flag=True),
    *SIMULATE,
    ALLOW,
    OUTPUT,
    CONFIG,
    *COMPILE,
)


def run(options: Options) -> int:
    """Build the view, render it, and write it."""
    form = options.format or format_of(options.output)
    problem = usage_problem(options, form)
    if problem:
        return usage_error("graph", problem)
    inputs = options.inputs
    policy = all_policies(inputs)
    graph = policy_graph(inputs, options) if policy else read_graph(inputs[0], options)
    locate(graph)
    try:
        view = chosen_view(graph, options, form)
    except KeyError as error:
        return usage_error("graph", str(error.args[0]))
    if form in ("svg", "png"):
        return draw(view, form, options) or exit_code(0, graph.gaps, options)
    if form == "html":
        from analyzer.export.page.html_page import render

        emit(render(graph, view, causes_of(graph, options)), options.output)
    else:
        emit(text_renderer(form)(view), options.output)
    return exit_code(0, graph.gaps, options)


def usage_problem(options: Options, form: str) -> str:
    """Return the error about the options, empty if there is none."""
    if len(options.inputs) > 1 and not all_policies(options.inputs):
        return "expected one INPUT; only a policy may have several files"
    if not form:
        known = " ".join(end for extensions, _ in FORMATS.values() for end in extensions)
        return f"{options.output}: unknown extension; use one of {known}, or --format"
    if options.reduce and options.no_reduce:
        return "--reduce and --no-reduce cannot be used together"
    if options.depth is not None and not options.focus:
        return "--depth needs --focus"
    if options.select and options.focus:
        return "--select and --focus cannot be used together"
    if options.depth is not None and options.depth < 0:
        return "--depth must be 0 or more"
    binary = form == "png" and options.output in (None, "-")
    if binary and sys.stdout.isatty():
        return "cannot write a png to a terminal; name a file with -o"
    return ""


def format_of(output: str | None) -> str:
    """Return the format of a file's extension, dot for a name without one, empty if unknown."""
    name = (output or "").lower()
    for form, (extensions, _) in FORMATS.items():
        if name.endswith(extensions):
            return form
    return "" if splitext(name)[1] else "dot"


def chosen_view(graph: RelationshipGraph, options: Options, form: str) -> GraphView:
    """Return the view for the options.

    Raises:
        KeyError: the resource to focus on is not in the catalog.
        InputError: the expression of `--select` is not valid, or matches no resource.
    """
    from analyzer.export.graph.transform import class_map, focus, fold_classes, reduce, select
    from analyzer.export.graph.view import build_view

    view = build_view(graph, options.view)
    if options.fold:
        view = fold_classes(graph, view)
    if options.select:
        into = class_map(graph) if options.fold else None
        view = select(view, selected(graph, options), into)
    if options.focus:
        depth = 2 if options.depth is None else options.depth
        view = focus(graph, view, options.focus, depth)
    # The page can show implied edges by itself.
    drawn = FORMATS[form][1] and form != "html"
    if options.reduce or (drawn and not options.no_reduce):
        view = reduce(view)
    return view


def selected(graph: RelationshipGraph, options: Options) -> tuple[ResourceRef, ...]:
    """Return the resources to draw.

    Raises:
        InputError: the expression is not valid, or matches no resource.
    """
    from analyzer.cli.shared.completeness import report_undecided
    from analyzer.graph.query.refusal import refuse

    answer = graph.query(options.select)
    report_undecided(options.inputs[0], answer)
    if not answer.resources:
        edges = "it matches edges" if answer.relationships else "it matches nothing"
        refuse(options.select, 1, f"no resource to draw: {edges}")
    return answer.resources


def text_renderer(form: str) -> Callable[[GraphView], str]:
    """Return the function that writes a view in a text format."""
    name = "json_doc" if form == "json" else form
    module = __import__(f"analyzer.export.graph.{name}", fromlist=["render"])
    renderer: Callable[[GraphView], str] = module.render
    return renderer


def draw(view: GraphView, form: str, options: Options) -> int:
    """Draw with Graphviz; for a large graph, suggest other formats first."""
    from analyzer.export.graph import dot
    from analyzer.export.graph.svg import SLOW, NoGraphvizError, render

    if len(view.nodes) > SLOW:
        print(
            f"catgraph graph: {len(view.nodes):,} nodes, so dot will take long; "
            "--fold class, --focus REF or --format html is faster",
            file=sys.stderr,
        )
    try:
        data = render(dot.render(view), form)
    except NoGraphvizError as error:
        return usage_error("graph", str(error))
    if options.output in (None, "-"):
        sys.stdout.buffer.write(data)
    else:
        emit_bytes(data, options.output)
    return 0


def causes_of(graph: RelationshipGraph, options: Options) -> Causes:
    """Return the nearest cause of each value of manifests, from one more compile of them."""
    path = options.inputs[0]
    if kind_of(path) != "manifests":
        return {}
    from analyzer.cli.shared.inputs import settings_for
    from analyzer.compiles.explaining import explain_path
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.session.settings import config_for

    settings = settings_for("manifests", options, config_for(path, options.config)) or Settings()
    return {
        entry.ref: {
            name: (row.text, str(row.span or ""))
            for name, row in node.explanation.causes(entry).items()
        }
        for node in explain_path(path, settings, (graph.catalog.name,))
        if node.explanation is not None
        for entry in node.explanation.entries()
    }
