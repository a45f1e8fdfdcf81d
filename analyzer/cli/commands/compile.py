"""`catgraph compile`: the catalog of a manifest, an environment or a control repo."""

from __future__ import annotations

from analyzer.cli.shared.completeness import tell
from analyzer.cli.shared.inputs import settings_for
from analyzer.cli.shared.options import COMPILE, CONFIG, OUTPUT, usage_error
from analyzer.cli.shared.output import emit, warn
from analyzer.session import config_for, is_manifest, load_catalogs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options

USAGE = "INPUT"
INPUTS = (1, 1)
HELP = """Compile a manifest (.pp), an environment or a control repo, and print the catalog as
Puppet does; a list of them if there are several nodes or sets of facts. Only the Puppet language
is evaluated: templates and functions in Ruby are Unknown, unless --ruby runs them. What is not
known, and what that may hide, is told on standard error. Exit code 3 if it cannot be compiled."""
OPTIONS = (OUTPUT, CONFIG, *COMPILE)


def run(options: Options) -> int:
    """Compile, print the catalog."""
    path = options.inputs[0]
    if not is_manifest(path):
        return usage_error("compile", f"{path} is no manifest (.pp) and no folder")
    catalogs = load_catalogs(path, settings_for(path, options, config_for(path, options.config)))
    for catalog in catalogs:
        warn(path, catalog.warnings)
    tell(dict.fromkeys(gap for catalog in catalogs for gap in catalog.gaps), options)
    from analyzer.export.catalog_json import to_json

    documents = [to_json(catalog) for catalog in catalogs]
    emit(documents[0] if len(documents) == 1 else f"[{','.join(documents)}]", options.output)
    return 0
