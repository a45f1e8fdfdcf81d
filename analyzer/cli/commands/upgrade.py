"""`catgraph upgrade PATH --to VERSION`: what another release of Puppet or OpenVox breaks."""

from __future__ import annotations

from analyzer.cli.shared.completeness import ALLOW, exit_code, print_gaps, statement_lines
from analyzer.cli.shared.inputs import refuse_others, settings_for
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    FORGE,
    OUTPUT,
    PROTOCOL,
    Option,
    format_option,
    positive,
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
    from analyzer.session.upgrade.new_modules import NewModules
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
  catgraph upgrade . --to puppet-8 --puppetfile Puppetfile.new --to-modulepath new --install

The version of the site is that of --puppet-version, catgraph.toml or metadata.json, else Puppet 7.
Without --facts, typical systems that the code names are tried. Other worlds, such as other values
of parameters, are tried as by 'catgraph explore'.

Exit codes: 0 nothing breaks or changes; 1 something does; 3 nothing does, but too much is
unknown."""
OPTIONS = (
    Option(
        "--to", "the target: puppet-8, openvox-8, openvox-9", metavar="VERSION", type=version_named
    ),
    Option("--to-modulepath", "modules of the target, searched before the others", metavar="DIRS"),
    Option("--puppetfile", "the Puppetfile of the target", metavar="FILE"),
    Option("--install", "fetch its absent modules into the first of --to-modulepath", flag=True),
    FORGE,
    PROTOCOL,
    Option("--worlds", "try at most N worlds of each node (8)", metavar="N", type=positive),
    Option("--fix", "replace legacy facts and functions, as far as nothing changes", flag=True),
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
    import tempfile

    from analyzer.session.inputs import graph_of, kind_of
    from analyzer.session.settings import config_for, rules_for
    from analyzer.session.upgrade.new_modules import hide_modules
    from analyzer.session.upgrade.other_worlds import WORLDS
    from analyzer.session.upgrade.report import Wanted

    path, fixing = options.inputs[0], options.fix or options.diff
    wrong = wrong_usage(options)
    if wrong:
        return usage_error("upgrade", wrong)
    if kind_of(path) != "manifests":
        return refuse_others("upgrade", path)
    config = config_for(path, options.config)
    settings = settings_of(path, options, config)
    if options.to <= settings.puppet_version and options.to.product != "openvox":
        message = f"the site has {settings.puppet_version} already (--puppet-version N sets it)"
        return usage_error("upgrade", message)

    def graph(catalog: Catalog) -> RelationshipGraph:
        return graph_of(catalog, rules_for(catalog, config))

    with tempfile.TemporaryDirectory() as hidden:
        folders = target_modules(options)
        new = new_modules(options, settings, folders) if options.puppetfile else None
        if new is not None and new.removed:
            hide_modules(new.removed, hidden)
            folders = (hidden, *folders)
        wanted = Wanted(path, settings, options.to, folders, graph, new, options.worlds or WORLDS)
        return print_fixes(options, wanted) if fixing else print_report(options, wanted)


def wrong_usage(options: Options) -> str:
    """Return the error of the options, or an empty string."""
    if options.to is None:
        return "expected a target: --to puppet-8, openvox-8 or openvox-9"
    if options.install and not (options.puppetfile and options.to_modulepath):
        return "--install needs --puppetfile FILE and --to-modulepath DIR"
    for name in ("forge", "protocol"):
        if getattr(options, name) and not options.install:
            return f"--{name} needs --install"
    return ""


def print_report(options: Options, wanted: Wanted) -> int:
    """Print what breaks and changes; return the exit code."""
    from analyzer.cli.reports.upgrade_text import as_json, text
    from analyzer.session.upgrade.report import upgrade

    found = upgrade(wanted)
    if options.format == "json":
        emit(as_json(found), options.output)
        print_gaps(found.gaps, options)
    else:
        gaps = statement_lines(found.gaps, options)
        body = text(found, style_for(options), explain=options.explain)
        emit("\n".join([body, *gaps]), options.output)
    return exit_code(int(found.is_serious), found.gaps, options)


def print_fixes(options: Options, wanted: Wanted) -> int:
    """Write the code with what the target has, or print it as a patch; return the exit code."""
    from analyzer.cli.shared.output import emit_bytes, print_error
    from analyzer.model.nouns import counted
    from analyzer.session.lint.fixes import diff
    from analyzer.session.upgrade.fixes import replace_all

    found = replace_all(wanted)
    if options.diff and found.texts:
        emit(diff(found.texts), options.output, exact=True)
    for file, text in () if options.diff else found.texts.items():
        emit_bytes(text.encode(), file)
    for place in found.left:
        print_error(f"{place}: not replaced: no compile shows that nothing changes with it")
    verb = "would replace" if options.diff else "replaced"
    files = counted(len(found.texts), "file")
    calls = f" and {counted(found.calls, 'call')}" if found.calls else ""
    print_error(f"{verb} {counted(found.facts, 'legacy fact')}{calls} in {files}")
    return int(bool(found.left or (options.diff and found.texts)))


def new_modules(options: Options, settings: Settings, folders: tuple[str, ...]) -> NewModules:
    """Return the modules of the target's Puppetfile; fetch those that are absent if asked to.

    Raises:
        InputError: the Puppetfile cannot be read, or a module cannot be fetched.
    """
    from dataclasses import replace

    from analyzer.frontends.puppet.node.declared import declared_by
    from analyzer.session.repository.modules import inventory_of
    from analyzer.session.upgrade.new_modules import find_modules

    inventory = inventory_of(options.inputs[0], settings)
    declarations = declared_by(options.puppetfile)
    found = find_modules(declarations, inventory, folders)
    if not (options.install and found.absent):
        return found
    from analyzer.cli.shared.installing import install_modules
    from analyzer.cli.shared.output import report_error

    modules = {name: declarations.modules[name] for name in found.absent}
    wanted = replace(inventory, declarations=replace(declarations, modules=modules))
    failures = install_modules(wanted, options, folders[0])
    for error in failures[1:]:
        report_error(error)
    if failures:
        raise failures[0]
    return find_modules(declarations, inventory, folders)


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
    from os import makedirs, pathsep
    from os.path import isdir

    from analyzer.diagnostics import InputError
    from analyzer.source import Span

    folders = tuple(options.to_modulepath.split(pathsep)) if options.to_modulepath else ()
    for folder in folders:
        if options.install and folder == folders[0]:
            makedirs(folder, exist_ok=True)
        if not isdir(folder):
            raise InputError("no such folder (--to-modulepath)", Span(folder))
    return folders
