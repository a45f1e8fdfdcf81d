"""`catgraph upgrade PATH --to VERSION`: what another release of Puppet or OpenVox breaks."""

from __future__ import annotations

from analyzer.cli.shared.completeness import ALLOW, exit_code, print_gaps, statement_lines
from analyzer.cli.shared.inputs import refuse_others, settings_for
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    Option,
    format_option,
    version_named,
)
from analyzer.cli.shared.output import emit, style_for, usage_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.config import Config
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.session.upgrade.report import Wanted

USAGE = "PATH"
INPUTS = (1, 1)
HELP = """Compile every node of a control repo, or every class of a module, under its own version of
Puppet and under another one, and report what breaks, by cause, most nodes first: what no longer
compiles, what compiles to another catalog, what changes in order and refreshes, legacy facts in
manifests, templates and data, functions and types that are gone, modules that do not admit the
target, and what only warns.

  catgraph upgrade . --to puppet-8
  catgraph upgrade . --to openvox-9 --explain
  catgraph upgrade . --to puppet-8 --to-modulepath new/modules

The version of the site is that of --puppet-version, catgraph.toml or metadata.json, else Puppet 7.
Without --facts, typical systems that the code names are tried.

Exit codes: 0 nothing breaks or changes; 1 something does; 3 nothing does, but too much is
unknown."""
OPTIONS = (
    Option(
        "--to", "the target: puppet-8, openvox-8, openvox-9", metavar="VERSION", type=version_named
    ),
    Option("--to-modulepath", "modules of the target, searched before the others", metavar="DIRS"),
    Option("--fix", "replace the legacy facts of manifests, as far as nothing changes", flag=True),
    Option("--diff", "print that as a patch; write nothing", flag=True),
    format_option("text", "json"),
    ALLOW,
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)


def run(options: Options) -> int:
    """Compile under both releases, and print what differs."""
    from analyzer.session.inputs import graph_of, kind_of
    from analyzer.session.settings import config_for, rules_for
    from analyzer.session.upgrade.report import Wanted, upgrade

    path = options.inputs[0]
    if options.to is None:
        return usage_error("upgrade", "expected a target: --to puppet-8, openvox-8 or openvox-9")
    if kind_of(path) != "manifests":
        return refuse_others("upgrade", path)
    config = config_for(path, options.config)
    settings = settings_of(path, options, config)
    if options.to <= settings.puppet_version and options.to.product != "openvox":
        message = f"the site has {settings.puppet_version} already (--puppet-version N sets it)"
        return usage_error("upgrade", message)

    def graph(catalog: Catalog) -> RelationshipGraph:
        return graph_of(catalog, rules_for(catalog, config))

    wanted = Wanted(path, settings, options.to, target_modules(options), graph)
    if options.fix or options.diff:
        return print_fixes(options, wanted)
    found = upgrade(wanted)
    from analyzer.cli.reports.upgrade_text import as_json, text

    if options.format == "json":
        emit(as_json(found), options.output)
        print_gaps(found.gaps, options)
    else:
        gaps = statement_lines(found.gaps, options)
        body = text(found, style_for(options), explain=options.explain)
        emit("\n".join([body, *gaps]), options.output)
    return exit_code(int(found.is_serious), found.gaps, options)


def print_fixes(options: Options, wanted: Wanted) -> int:
    """Write the manifests without legacy facts, or print them as a patch; return the exit code."""
    from analyzer.cli.shared.output import emit_bytes, print_error
    from analyzer.model.nouns import counted
    from analyzer.session.lint.fixes import diff
    from analyzer.session.upgrade.fixes import replace_facts

    found = replace_facts(wanted)
    if options.diff and found.texts:
        emit(diff(found.texts), options.output, exact=True)
    for file, text in () if options.diff else found.texts.items():
        emit_bytes(text.encode(), file)
    for place in found.left:
        print_error(f"{place}: not replaced: no compile shows that nothing changes with it")
    verb = "would replace" if options.diff else "replaced"
    files = counted(len(found.texts), "file")
    print_error(f"{verb} {counted(found.count, 'legacy fact')} in {files}")
    return int(bool(found.left or (options.diff and found.texts)))


def settings_of(path: str, options: Options, config: Config | None) -> Settings:
    """Return the settings of the site under its own version.

    Raises:
        InputError: an option or the configuration is not valid.
    """
    from dataclasses import replace

    from analyzer.session.upgrade.releases import version_of_site

    settings = settings_for("manifests", options, config)
    assert settings is not None
    if options.puppet_version or (config and config.puppet_version):
        return settings
    version = version_of_site(path, options.to)
    return replace(settings, puppet_version=version, version_assumed=False)


def target_modules(options: Options) -> tuple[str, ...]:
    """Return the folders of modules of the target.

    Raises:
        InputError: one does not exist.
    """
    from os import pathsep
    from os.path import isdir

    from analyzer.diagnostics import InputError
    from analyzer.source import Span

    folders = tuple(options.to_modulepath.split(pathsep)) if options.to_modulepath else ()
    for folder in folders:
        if not isdir(folder):
            raise InputError("no such folder (--to-modulepath)", Span(folder))
    return folders
