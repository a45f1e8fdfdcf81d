"""`catgraph modules`: the modules that a repository declares, has, lacks and uses."""

from __future__ import annotations

from analyzer.cli.shared.inputs import refuse_others, settings_for
from analyzer.cli.shared.options import (
    COMPILE,
    CONFIG,
    FORGE,
    OUTPUT,
    PROTOCOL,
    Option,
    format_option,
)
from analyzer.cli.shared.output import emit, emit_json, usage_error
from analyzer.model.documents import JsonObject
from analyzer.model.nouns import counted
from analyzer.session.inputs import kind_of
from analyzer.session.settings import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.cli.shared.options import Options
    from analyzer.diagnostics import InputError
    from analyzer.frontends.puppet.node.declared import DeclaredModule
    from analyzer.session.repository.modules import Inventory, UsedName

USAGE = "[REPO]"
INPUTS = (0, 1)
HELP = """List the modules that the Puppetfile, metadata.json, .gitmodules and .fixtures.yml of a
repository declare: those that are not installed, with the names that the code uses from them, and
those that it does not use. Also list the modules that it uses without declaring them, and those
whose version is not the one that the Puppetfile, another module or Puppet requires. With
--install, fetch those that are absent from a Forge and from git; nothing of them runs. Exit code 1
if a module is missing or a version is wrong, 2 if one of these files cannot be read or a module
cannot be fetched, 3 if a manifest cannot be read."""
OPTIONS: tuple[Option, ...] = (
    format_option("text", "json"),
    OUTPUT,
    CONFIG,
    Option("--install", "fetch and install the declared modules that are absent", flag=True),
    Option("--into", "install into DIR instead of the repository's folder", metavar="DIR"),
    FORGE,
    PROTOCOL,
    Option("--force", "replace the folders of modules that are there", flag=True),
    Option("--lock", "use catgraph.modules.lock, and write it after installing", flag=True),
    *COMPILE,
)

# Options that say how to install.
OF_INSTALL = ("into", "forge", "protocol", "force", "lock")

# The most names listed for each module, and the most modules of one list.
SHOWN, MOST = 3, 200


def run(options: Options) -> int:
    """Print the inventory of a repository."""
    from dataclasses import replace

    from analyzer.cli.shared.output import report_error
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.session.repository.modules import inventory_of

    path = options.inputs[0] if options.inputs else "."
    given = [name for name in OF_INSTALL if getattr(options, name)]
    if given and not options.install:
        return usage_error("modules", f"--{given[0]} needs --install")
    if kind_of(path) != "manifests":
        return refuse_others("modules", path)
    settings = settings_for("manifests", options, config_for(path, options.config)) or Settings()
    found = inventory_of(path, settings)
    failures: tuple[InputError, ...] = ()
    if options.install:
        from analyzer.cli.shared.installing import install_modules

        failures = install_modules(
            found, options, options.into or "", force=options.force, lock=options.lock
        )
        if options.into:
            settings = replace(settings, modulepath=(options.into, *settings.modulepath))
        found = inventory_of(path, settings)
    if options.format == "json":
        emit_json(document(found), options.output, indent=2)
    else:
        emit("\n".join(lines(found)), options.output)
    worst = max(map(report_error, (*failures, *found.errors)), default=0)
    return worst or int(bool(found.missing or found.undeclared or found.mismatches))


def lines(found: Inventory) -> Iterator[str]:
    """Yield the lines of the text."""
    declared, missing = found.declarations.modules, found.missing
    files = " and ".join(found.declarations.files)
    if declared:
        count = counted(len(declared), "module")
        yield f"{count} declared in {files}, {len(missing):,} not installed"
    elif files:
        yield f"no modules are declared in {files}"
    else:
        yield "no modules are declared: there is no Puppetfile or similar file"
    if missing:
        yield "not installed:"
        yield from listed([row(one, found.used.get(one.name, [])) for one in missing])
        yield f"  to install them, run `{installer(found)}`, or `catgraph modules --install`"
    if found.undeclared:
        yield "used, but neither declared nor installed:"
        undeclared = sorted(found.undeclared.items())
        yield from listed([f"  {name}: {names_of(uses)}" for name, uses in undeclared])
    if found.unused:
        yield "declared, but not used by name (another module may need them):"
        yield from listed([f"  {module.full}  {module.span}" for module in found.unused])
    if found.mismatches:
        yield "versions that do not fit:"
        yield from listed([f"  {one.message}  {one.span}" for one in found.mismatches])


def listed(rows: list[str]) -> Iterator[str]:
    """Yield the first rows, and the number of the others."""
    yield from rows[:MOST]
    if len(rows) > MOST:
        yield f"  ... and {len(rows) - MOST:,} more (--format json lists them)"


def row(module: DeclaredModule, uses: list[UsedName]) -> str:
    """Return the line of a module that is not installed."""
    version = f" {module.version}" if module.version else ""
    return f"  {module.full}{version}  {module.span}  {names_of(uses, 'used: ')}".rstrip()


def names_of(uses: list[UsedName], head: str = "") -> str:
    """Return the first names in use from a module, with their places."""
    shown = ", ".join(f"{use.name} ({use.span})" for use in uses[:SHOWN])
    more = len(uses) - SHOWN
    return f"{head if uses else ''}{shown}{f' and {more} more' if more > 0 else ''}"


def installer(found: Inventory) -> str:
    """Return the command that installs most of the missing modules."""
    from collections import Counter

    from analyzer.frontends.puppet.node.declared import install_command

    ((file, _),) = Counter(module.span.file for module in found.missing).most_common(1)
    return install_command(file)


def document(found: Inventory) -> dict[str, object]:
    """Return the inventory in JSON form."""
    missing = {module.name for module in found.missing}
    unused = {module.name for module in found.unused}
    return {
        "declared": [
            {
                "name": module.name,
                "full_name": module.full,
                "version": module.version or None,
                "source": module.source or None,
                "file": module.span.file,
                "line": module.span.line,
                "installed": found.installed.get(module.name),
                "uses": used(found.used.get(module.name, [])),
            }
            for module in found.declarations.modules.values()
        ],
        "missing": sorted(missing),
        "undeclared": {name: used(uses) for name, uses in sorted(found.undeclared.items())},
        "unused": sorted(unused),
        "mismatches": [
            {
                "kind": one.kind,
                "module": one.module,
                "message": one.message,
                "file": one.span.file,
                "line": one.span.line,
            }
            for one in found.mismatches
        ],
    }


def used(uses: list[UsedName]) -> list[JsonObject]:
    """Return names in use, in JSON form."""
    return [
        {"kind": use.kind, "name": use.name, "file": use.span.file, "line": use.span.line}
        for use in uses
    ]
