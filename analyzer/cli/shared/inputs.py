"""Reads the inputs of commands: catalogs and their graphs, references, several files."""

from __future__ import annotations

import sys

from analyzer.cli.shared.completeness import gaps_of, print_gaps
from analyzer.cli.shared.output import show_progress, warn
from analyzer.cli.shared.read_input import ReadInput
from analyzer.model.names import split_ref
from analyzer.session.inputs import (
    compile_manifests,
    graph_of,
    kind_of,
    load_catalog,
    load_catalogs,
    whole,
)
from analyzer.session.settings import config_for, rules_for, settings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from analyzer.cli.shared.options import Options
    from analyzer.compiles.unreached import Unreached
    from analyzer.config import Config
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.session.inputs import Kind
    from analyzer.session.workers import Workers


def read_graph(
    path: str, options: Options, data: bytes | None = None, kind: Kind | None = None
) -> RelationshipGraph:
    """Read the only catalog of a file and build its graph; print warnings and gaps on standard
    error.

    `data` is the content of the file, and `kind` the kind of input, if these are known already.

    Raises:
        InputError: it cannot be read.
    """
    config = config_for(path, options.config)
    kind = kind or kind_of(path)
    catalog = load_catalog(path, settings_for(kind, options, config), data, kind)
    graph = graph_at(path, catalog, options, config)
    warn(path, catalog.warnings + graph.warnings)
    print_gaps(graph.gaps, options)
    return graph


def read_graphs(
    path: str, options: Options, data: bytes | None = None, kind: Kind | None = None
) -> tuple[list[tuple[str, RelationshipGraph]], int]:
    """Read every catalog of a file, or of the nodes of a manifest, and build their graphs by name.

    Returns the graphs, and the exit code of nodes that do not compile, 0 if all do. The
    errors of nodes that do not compile are printed.

    Raises:
        InputError: it cannot be read.
        CompileError: a manifest cannot be compiled for any of the nodes.
    """
    config = config_for(path, options.config)
    kind = kind or kind_of(path)
    found = []
    done = catalogs_at(path, settings_for(kind, options, config), kind, data)
    warned: set[str] = set()
    for catalog in done.catalogs:
        graph = graph_at(path, catalog, options, config)
        warn_once(path, catalog.warnings + graph.warnings, warned)
        found.append((catalog.name or "", graph))
    print_gaps(gaps_of(graph for _, graph in found), options)
    if done.error is None:
        return found, 0
    if not found:
        raise done.error
    from analyzer.cli.shared.output import report_error

    return found, report_error(done.error)


def graph_at(
    path: str, catalog: Catalog, options: Options, config: Config | None
) -> RelationshipGraph:
    """Return the graph of a catalog in an input, with the files that folders generate."""
    from os import pathsep

    known: RelationshipGraph | None = catalog.graph
    if known is not None:
        return known
    # A run reports the files of its folders itself.
    if not getattr(options, "times", None):
        given = options.modulepath.split(pathsep) if options.modulepath else ()
        whole(catalog, path, tuple(given or (config.modulepath if config else ())))
    return graph_of(catalog, rules_for(catalog, config))


def warn_once(path: str, warnings: list[str], known: set[str]) -> None:
    """Print the warnings that no earlier catalog had; nodes share many of them."""
    warn(path, [text for text in dict.fromkeys(warnings) if text not in known])
    known.update(warnings)


def catalogs_at(
    path: str, settings: Settings | None, kind: Kind, data: bytes | None = None
) -> ReadInput:
    """Return the catalogs of an input, and the errors of nodes without a catalog."""
    if kind != "manifests":
        return ReadInput(load_catalogs(path, settings, data, kind=kind))
    outcome = compile_manifests(path, settings)
    return ReadInput(outcome.catalogs, outcome.error)


def version_of(options: Options, config: Config | None) -> int:
    """Return Puppet's major version: from the option, else the file, else the newest."""
    given: int | None = options.puppet_version
    return given or (config and config.puppet_version) or 8


def settings_for(kind: Kind, options: Options, config: Config | None) -> Settings | None:
    """Return the settings for compiling manifests, None for others; options override the file.

    Raises:
        InputError: the file names a program but was not named itself.
    """
    if kind != "manifests":
        return None
    from os import environ, pathsep
    from os.path import isdir, isfile

    from analyzer.diagnostics import InputError
    from analyzer.source import Span

    if options.no_cache:
        environ["CATGRAPH_NO_CACHE"] = "1"
    given = {**vars(options), "puppet_version": version_of(options, config)}
    given["version_assumed"] = not options.puppet_version
    given["progress"] = show_progress if sys.stderr.isatty() else None
    given["modulepath"] = options.modulepath.split(pathsep) if options.modulepath else ()
    for folder in given["modulepath"]:
        if not isdir(folder):
            raise InputError("no such folder (--modulepath)", Span(folder))
    if options.hiera_config and not isfile(options.hiera_config):
        raise InputError("no such file (--hiera-config)", Span(options.hiera_config))
    return settings_of(config, given)


def refuse_others(command: str, path: str) -> int:
    """Report an input that is neither a manifest nor a folder; return the exit code.

    Raises:
        InputError: it is missing.
    """
    from os.path import exists

    from analyzer.cli.shared.output import usage_error

    if path != "-" and not exists(path):
        from analyzer.diagnostics import InputError
        from analyzer.reading import why_missing
        from analyzer.source import Span

        raise InputError(f"cannot be read: {why_missing(path)}", Span(path))
    return usage_error(command, f"{path} is neither a manifest (.pp) nor a folder")


def refs_and_inputs(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split words into references (`Type[title]`) and inputs, in any order.

    Give a file whose name has that form with its folder, as in `./File[x]`.
    """
    refs = [word for word in words if is_ref(word)]
    return refs, [word for word in words if not is_ref(word)]


def is_ref(word: str) -> bool:
    """Return whether a word is a reference; types contain no slash or dot."""
    parts = split_ref(word)
    return parts is not None and not set("/.") & set(parts[0])


class CheckedInputs:
    """The catalogs of inputs with their graphs and names.

    `unreadable` are the inputs that cannot be read, with reasons, `worst` the exit code of the
    worst of these, 0 if there are none. `unreached` are the classes that no node has, each with the
    user's name of its input; their catalogs are among the others. `beside` are the modules in which
    a site does not look for code, each with the path of that site.
    """

    def __init__(self) -> None:
        self.graphs: list[tuple[str, RelationshipGraph]] = []
        self.unreadable: list[tuple[str, str]] = []
        self.worst = 0
        self.unreached: list[tuple[str, Unreached]] = []
        self.beside: dict[str, str] = {}

    def add_error(self, path: str, error: Exception) -> None:
        """Add the error of an input, and print it."""
        from analyzer.cli.shared.output import report_error

        self.unreadable.append((path, str(error)))
        self.worst = max(self.worst, report_error(error))


def check_all(
    options: Options,
    inputs: Sequence[str],
    workers: Workers[Any, Any] | None = None,
    accepts: Callable[[Exception], bool] | None = None,
    *,
    whole: bool = False,
) -> CheckedInputs:
    """Return the catalogs of all inputs; an unreadable input does not stop the others.

    `workers` compile in other processes. Errors of nodes that are accepted are not reported. For
    the `whole` code of a site, classes that no node has are compiled, too.
    """
    found = CheckedInputs()
    show = len(inputs) > 20 and sys.stderr.isatty()
    for number, path in enumerate(inputs, 1):
        if show:
            show_progress(f"{number} of {len(inputs)}")
        try:
            config = config_for(path, options.config)
            done = read(path, options, config, workers, whole=whole)
            add_input(found, path, done, options, config)
        except Exception as error:
            if getattr(error, "code", "") == "nothing-to-compile":
                print(f"{path}: {error.args[0]}", file=sys.stderr)
                continue
            if len(inputs) == 1:
                raise
            found.add_error(path, error)
            continue
        if done.error is None or (accepts is not None and accepts(done.error)):
            continue
        if len(inputs) == 1 and not done.catalogs:
            raise done.error
        found.add_error(path, done.error)
    if show:
        show_progress("")
    return found


def add_input(
    found: CheckedInputs, path: str, done: ReadInput, options: Options, config: Config | None
) -> None:
    """Add what was read or compiled of an input, and store what another run needs of it."""
    graphs = [*graphs_of(path, done.catalogs, options, config)]
    if done.beside:
        found.beside[path] = done.beside
        found.graphs += graphs
    else:
        add(found, path, graphs, is_whole=done.error is None)
    alone = [catalog for one in done.unreached for catalog in one.catalogs]
    of_alone = [*graphs_of(path, alone, options, config)]
    found.graphs += of_alone
    found.unreached += ((path, one) for one in done.unreached)
    made = (graph for _, graph in (*graphs, *of_alone))
    done.save(zip((*done.catalogs, *alone), made, strict=True))


def add(
    found: CheckedInputs,
    path: str,
    graphs: Sequence[tuple[str, RelationshipGraph]],
    *,
    is_whole: bool,
) -> None:
    """Add the catalogs of an input, and print their warnings; the only one has its path as name."""
    single = len(graphs) == 1 and is_whole and not graphs[0][1].catalog.alone
    warned: set[str] = set()
    for name, graph in graphs:
        warn_once(path, graph.catalog.warnings + graph.warnings, warned)
        found.graphs.append((path if single else name, graph))


def graphs_of(
    path: str, catalogs: Sequence[Catalog], options: Options, config: Config | None
) -> Iterator[tuple[str, RelationshipGraph]]:
    """Yield the graphs of an input's catalogs with their names."""
    for catalog in catalogs:
        yield f"{path} ({catalog.name})", graph_at(path, catalog, options, config)


def read(
    path: str,
    options: Options,
    config: Config | None,
    workers: Workers[Any, Any] | None,
    *,
    whole: bool = False,
) -> ReadInput:
    """Read the catalogs of a file or compile a manifest; for the `whole` code of a site, outlines
    serve in place of stored catalogs.
    """
    kind = kind_of(path)
    if kind == "policy":
        from analyzer.cli.shared.policies import request_of
        from analyzer.session.policies import policy_catalog

        return ReadInput([policy_catalog(path, request_of(options), loops=True)])
    settings = settings_for(kind, options, config)
    if kind != "manifests":
        return ReadInput(load_catalogs(path, settings, kind=kind))
    if settings is not None and whole:
        from analyzer.cli.shared.whole_code import compile_whole

        return compile_whole(path, settings, options, workers)
    if workers is None:
        outcome = compile_manifests(path, settings)
    else:
        from analyzer.session.shared_compiles import compile_shared

        outcome = compile_shared(path, settings, workers)
    return ReadInput(outcome.catalogs, outcome.error)
