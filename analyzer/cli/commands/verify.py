"""`catgraph verify PATH`: the same nodes compiled by the installed Puppet or OpenVox, and by us."""

from __future__ import annotations

from analyzer.cli.shared.completeness import ALLOW
from analyzer.cli.shared.inputs import refuse_others, settings_for
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    Option,
    format_option,
)
from analyzer.cli.shared.output import emit, print_error, style_for, usage_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.session.verify.report import Verification, VerifyRequest

USAGE = "PATH"
INPUTS = (1, 1)
HELP = """Compile every node of a control repo, or every class of a module, with the installed
Puppet or OpenVox and with catgraph, and compare resources, parameters, containment, relationships
and order. Differences are grouped by cause, most nodes first; each is made as small as possible
and has its private names replaced, so that it can be reported.

  catgraph verify .
  catgraph verify . --node web1.example.com --facts facts/web1.json
  catgraph verify . --against openvox --output cases
  catgraph verify . --against catalog.json --node web1.example.com --facts facts/web1.json

The real tool runs the Ruby code of the modules: functions, templates, generate(). It runs with
your permissions and is not confined: use this only for code that you trust. All folders of its
own are temporary ones; it reads no configuration of the machine and writes nothing to PATH. Both
compile with the same facts, those of a Debian 12 without --facts, and for the version of the tool.

Exit codes: 0 equal; 1 different; 2 no such tool is installed, or wrong usage; 3 no difference, but
something cannot be compared."""
OPTIONS = (
    Option(
        "--against",
        "the product that has to be installed, or a catalog in JSON of one node",
        metavar="puppet|openvox|FILE",
    ),
    Option("--no-shrink", "do not search for the smallest case of each cause", flag=True),
    Option("-o --output", "write the smallest cases into this folder", metavar="DIR"),
    format_option("text", "json"),
    ALLOW,
    CONFIG,
    *COMPILE,
    COLOR,
)
PRODUCTS = ("puppet", "openvox")


def run(options: Options) -> int:
    """Compile both ways, and print what differs."""
    from analyzer.session.inputs import graph_of, kind_of
    from analyzer.session.settings import config_for, rules_for
    from analyzer.session.verify.report import VerifyRequest

    path, against = options.inputs[0], options.against or ""
    if "://" in against:
        message = "a server cannot be asked yet; fetch its catalog, and use --against FILE"
        return usage_error("verify", message)
    if kind_of(path) != "manifests":
        return refuse_others("verify", path)
    config = config_for(path, options.config)
    settings = settings_for("manifests", options, config)
    assert settings is not None

    def graph(catalog: Catalog) -> RelationshipGraph:
        return graph_of(catalog, rules_for(catalog, config))

    wanted = VerifyRequest(path, settings, graph, not options.no_shrink)
    found = verified(wanted, against)
    report(found, options)
    code = found.exit_code
    return 0 if code == 3 and options.allow_incomplete else code


def verified(wanted: VerifyRequest, against: str) -> Verification:
    """Return the verification against the installed tool, or a catalog in a file.

    Raises:
        InputError: there is no such tool or file, or an input cannot be read.
    """
    from analyzer.session.verify.against_catalog import verify_against
    from analyzer.session.verify.report import verify
    from analyzer.session.verify.tool import Tool, find_tool

    if against and against not in PRODUCTS:
        return verify_against(wanted, against)
    with Tool(find_tool(), against) as tool:
        return verify(wanted, tool)


def report(found: Verification, options: Options) -> None:
    """Print the result, and write the smallest cases where they are wanted."""
    from analyzer.cli.reports.verify_text import as_json, case_files, text

    if options.format == "json":
        emit(as_json(found), None)
    else:
        emit(text(found, style_for(options), explain=options.explain), None)
    if options.output:
        names = case_files(found, options.output)
        print_error(f"{len(names)} of {len(found.causes)} causes written to {options.output}")
