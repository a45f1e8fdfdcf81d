"""`catgraph compile`: print the catalog of a manifest, an environment or a control repo."""

from __future__ import annotations

from analyzer.cli.shared.completeness import print_gaps
from analyzer.cli.shared.inputs import refuse_others, settings_for
from analyzer.cli.shared.options import COMPILE, CONFIG, OUTPUT, Option
from analyzer.cli.shared.output import emit, usage_error, warn
from analyzer.reading import Secrets, note_secret
from analyzer.session.inputs import kind_of, load_catalogs
from analyzer.session.settings import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options

USAGE = "INPUT"
INPUTS = (1, 1)
HELP = """Compile a manifest (.pp), an environment or a control repo, and print the catalog in
Puppet's JSON; for several nodes or sets of facts, a list of catalogs. Only the Puppet language is
evaluated: templates and functions in Ruby are unknown unless --ruby runs them. Anything unknown,
and what it may hide, is reported on standard error. Exit code 3 if compilation fails. With --plan,
nothing is compiled: the nodes or classes are listed, with the reason for each."""
OPTIONS = (
    Option("--plan", "list the compiles, why each is made, and what it needs", flag=True),
    Option("-f --format", "output format of --plan", choices=("text", "json")),
    OUTPUT,
    CONFIG,
    *COMPILE,
)


def run(options: Options) -> int:
    """Compile, and print the catalog."""
    if options.format and not options.plan:
        return usage_error("compile", "--format is the format of --plan; a catalog is JSON")
    if options.plan:
        return print_plan(options)
    if options.no_cache:
        return compiled(options)
    from analyzer.cli.shared.kept import kept

    return kept("compile", options, compiled, at_once=False)


def compiled(options: Options) -> int:
    """Compile and print; return the exit code."""
    path = options.inputs[0]
    kind = kind_of(path)
    if kind != "manifests":
        return refuse_others("compile", path)
    settings = settings_for(kind, options, config_for(path, options.config))
    catalogs = load_catalogs(path, settings, kind=kind)
    for catalog in catalogs:
        warn(path, catalog.warnings)
    print_gaps(dict.fromkeys(gap for catalog in catalogs for gap in catalog.gaps), options)
    from analyzer.export.catalog_json import to_json

    documents = [to_json(catalog) for catalog in catalogs]
    if Secrets.met or any('"sensitive_parameters"' in text for text in documents):
        note_secret()
    emit(documents[0] if len(documents) == 1 else f"[{','.join(documents)}]", options.output)
    return 0


def print_plan(options: Options) -> int:
    """Print what would be compiled, and why; return the exit code."""
    path = options.inputs[0]
    kind = kind_of(path)
    settings = settings_for(kind, options, config_for(path, options.config))
    if kind != "manifests" or settings is None:
        return refuse_others("compile", path)
    from analyzer.compiles.plan import plan_of
    from analyzer.export.plan import render_json, render_text

    render = render_json if options.format == "json" else render_text
    emit(render(plan_of(path, settings)), options.output)
    return 0
