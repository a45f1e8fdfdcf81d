"""`catgraph init`: write a first `catgraph.toml` for a repository."""

from __future__ import annotations

import os

from analyzer.cli.shared.options import OUTPUT, Option
from analyzer.cli.shared.output import emit, usage_error
from analyzer.escape import one_line
from analyzer.model.nouns import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.session.repository.survey import Survey

USAGE = "[DIR]"
INPUTS = (0, 1)
HELP = """Write a catgraph.toml for the control repo or module in DIR (the current folder), with
what it found: the environment, the nodes and how they were found, roles, the systems to compile
for, and modules that are not installed. Settings that you may want to change are included as
comments. An existing file is never overwritten; '-o -' prints the text."""
OPTIONS: tuple[Option, ...] = (OUTPUT,)

NAME = "catgraph.toml"

# The most nodes and names in a comment.
SHOWN = 20
FEW = 8

HEAD = """\
# Configuration of catgraph, written by `catgraph init`. All keys are optional.
# Paths are relative to this file. Command-line options override it.
"""

TAIL = """\
# The severity of the findings of a rule: error, warning or note. `catgraph rule` lists the rules.
# [severity]
# CG101 = "note"

# Rules that do not apply to some files.
# [per_path]
# "modules/legacy" = ["CG1"]
"""


def run(options: Options) -> int:
    """Survey the repository, write the file, and print the next step."""
    folder = options.inputs[0] if options.inputs else "."
    if not os.path.isdir(folder):
        return usage_error("init", f"{folder} is not a folder")
    output = options.output or os.path.normpath(os.path.join(folder, NAME))
    if output != "-" and os.path.lexists(output):
        return usage_error(
            "init", f"{output} already exists and was not changed; '-o -' prints a new one"
        )
    from analyzer.session.repository.survey import survey

    found = survey(folder)
    emit("\n".join(text_of(found)), output)
    if output != "-":
        what = ", ".join(summary(found))
        emit(one_line(f"{output}: {what}; next: catgraph check {folder}"), None)
    return 0


def summary(found: Survey) -> Iterator[str]:
    """Yield a short description of the repository."""
    roles = sum(target.role is not None for target in found.targets)
    nodes = len(found.targets) - roles
    classes = len(found.classes)
    numbers = ((classes, "class", "classes"), (nodes, "node", "nodes"), (roles, "role", "roles"))
    yield from (counted(count, noun, nouns) for count, noun, nouns in numbers if count)
    yield f"facts {', '.join(found.facts)}"
    if found.inventory.missing:
        yield f"{counted(len(found.inventory.missing), 'module')} not installed"


def text_of(found: Survey) -> Iterator[str]:
    """Yield the parts of the file."""
    yield HEAD
    yield from comment(environment_lines(found))
    if found.modulepath:
        places = [relative(found, path) for path in found.modulepath]
        yield f"modulepath = {listed(places)}   # not listed in environment.conf\n"
    else:
        yield '# modulepath = ["modules"]   # folders to search first\n'
    if found.inventory.missing:
        yield from comment(module_lines(found))
        yield ""
    yield from comment(target_lines(found))
    if found.nodes_dir:
        yield f"nodes_dir = {quoted(relative(found, found.nodes_dir))}"
    elif not found.classes:
        names = [target.node for target in found.targets if not target.role]
        yield f"# nodes = {listed(names[:1] or ['web1.example.com'])}   # only these"
    yield ""
    if not found.classes:
        yield from comment(role_lines(found))
        yield '# roles = ["role::*"]   # classes to compile as nodes, in addition to the others\n'
    yield from fact_lines(found)
    yield TAIL


def environment_lines(found: Survey) -> Iterator[str]:
    """Yield the manifests to compile, and the folders that are searched for modules."""
    if found.classes:
        yield "A module, or a folder of modules: each class is compiled by itself."
    else:
        manifests = [relative(found, path) for path in found.environment.manifests]
        yield f"A control repo: {few(manifests)}."
    places = [relative(found, path) for path in found.environment.modulepath]
    yield f"Modules are searched for in {few(places)}." if places else "There is no module path."


def module_lines(found: Survey) -> Iterator[str]:
    """Yield the declared modules that are not installed."""
    declared = found.inventory.declarations
    missing = [module.name for module in found.inventory.missing]
    count = counted(len(declared.modules), "module")
    files = " and ".join(relative(found, path) for path in declared.files)
    yield f"{count} declared in {files}, {len(missing)} not installed:"
    yield f"  {few(missing)}"
    yield "`catgraph modules` shows how to install them, and where the code uses them."


def target_lines(found: Survey) -> Iterator[str]:
    """Yield the classes or nodes to compile, and the origin of their names."""
    if found.classes:
        yield f"{counted(len(found.classes), 'class', 'classes')}: {few(found.classes)}"
        return
    catalogs = counted(len(found.targets), "catalog")
    yield f"Compiled for each set of facts: {catalogs}"
    width = max(len(target.name) for target in found.targets[:SHOWN])
    for target in found.targets[:SHOWN]:
        yield f"  {target.name:<{width}}  {relative_origin(found, target.origin)}"
    if len(found.targets) > SHOWN:
        yield f"  ... and {len(found.targets) - SHOWN:,} more"


def role_lines(found: Survey) -> Iterator[str]:
    """Yield the classes that are roles."""
    if found.roles:
        count = counted(len(found.roles), "role class", "role classes")
        yield f"{count}, for --all-roles: {few(found.roles)}"
    else:
        yield "No class is called role::* or roles::*."


def fact_lines(found: Survey) -> Iterator[str]:
    """Yield the facts to compile with."""
    yield from comment(
        [
            f"Facts: {found.why}. The code is compiled with each of them.",
            "`catgraph facts` lists the typical ones; you can also name files in JSON or YAML.",
        ]
    )
    files = [one if one.startswith("@") else relative(found, one) for one in found.facts]
    yield f"facts = {listed(files)}"
    if found.facts_dir:
        yield f"facts_dir = {quoted(relative(found, found.facts_dir))}   # by node"
    if found.legacy_facts:
        yield "legacy_facts = true   # the code uses legacy facts, such as $osfamily"
    yield ""


def comment(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines as comments."""
    return (one_line(f"# {line}") for line in lines)


def few(names: Sequence[str]) -> str:
    """Return the first names, and the number of the others."""
    more = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more


def relative(found: Survey, path: str) -> str:
    """Return a path relative to the folder of the file."""
    inside = os.path.relpath(path, found.folder)
    return path if inside.startswith(os.pardir) else inside


def relative_origin(found: Survey, origin: str) -> str:
    """Return the origin of a name, with its path relative to the folder of the file."""
    inside = os.path.join(os.path.normpath(found.folder), "")
    return origin.removeprefix(inside)


def listed(texts: Sequence[str]) -> str:
    """Return a list in TOML."""
    return f"[{', '.join(map(quoted, texts))}]"


def quoted(text: str) -> str:
    """Return a string in TOML."""
    from json import dumps

    return dumps(text)
