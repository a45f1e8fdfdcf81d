"""Installs the modules of a repository for `catgraph modules --install`."""

from __future__ import annotations

import os
import sys

from analyzer.cli.shared.output import emit, print_error, show_progress
from analyzer.diagnostics import InputError
from analyzer.session.repository.install.install import Installation, InstallOrder, install
from analyzer.session.repository.install.lock import LOCK, lock_text, read_lock
from analyzer.session.settings import config_for
from analyzer.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.session.repository.modules import Inventory

PROTOCOLS = ("https", "http", "ssh", "file")


def install_modules(
    found: Inventory, options: Options, into: str, *, force: bool = False, lock: bool = False
) -> tuple[InputError, ...]:
    """Install the declared modules of a repository, print what was done, and return what failed.

    `into` is the folder for all of them, empty for the places that the repository wants.

    Raises:
        InputError: an option is wrong, or the lock file is none.
    """
    pins = read_lock(found.folder) if lock else {}
    protocols = protocols_of(options)
    order = InstallOrder(
        found.declarations,
        found.folder,
        into,
        forge_of(found, options, protocols),
        protocols,
        force,
        pins,
        show_progress if sys.stderr.isatty() else None,
    )
    outcome = install(order)
    for line in lines(outcome):
        print_error(line)
    if lock and not outcome.errors:
        emit(lock_text(outcome.pins), os.path.join(found.folder, LOCK))
    return outcome.errors


def protocols_of(options: Options) -> tuple[str, ...]:
    """Return the protocols that the user allows.

    Raises:
        InputError: one is unknown.
    """
    for name in options.protocol or ():
        if name not in PROTOCOLS:
            message = f"expected one of {', '.join(PROTOCOLS)}, not '{name}'"
            raise InputError(message, Span("--protocol"), "usage")
    return ("https", *(options.protocol or ()))


def forge_of(found: Inventory, options: Options, protocols: tuple[str, ...]) -> str:
    """Return the address of the Forge: the user's, or that of the Puppetfile; empty for none.

    Raises:
        InputError: a found `catgraph.toml` names one, or that of the Puppetfile is not encrypted.
    """
    config = config_for(found.folder, options.config)
    own = options.forge or os.environ.get("CATGRAPH_FORGE") or (config and config.program("forge"))
    if own:
        return str(own)
    forge = found.declarations.forge
    scheme, separator, _ = forge.partition("://")
    if forge and (not separator or scheme not in protocols):
        message = f"the Puppetfile names the Forge {forge}, which is not https; give --forge URL"
        raise InputError(message, Span(found.folder), "no-forge")
    return forge


def lines(outcome: Installation) -> list[str]:
    """Return the lines about an installation."""
    rows = [f"installed {name} {version} in {place}" for name, version, place in outcome.installed]
    return rows or ["nothing to install" if not outcome.errors else "nothing was installed"]
