"""Finds and checks manifests, templates and policies for `catgraph parse`."""

from __future__ import annotations

import os
from typing import NamedTuple

from analyzer.cli.shared.output import print_error
from analyzer.escape import joined, shown
from analyzer.reach import LINKED_OUT, leads_out, may_read, roots_of
from analyzer.reading import read_bytes, read_standard_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.frontends.cfengine.syntax.ast import PolicyFile
    from analyzer.frontends.puppet.syntax.ast import Node
    from analyzer.frontends.puppet.syntax.checked_file import Checked
    from analyzer.frontends.puppet.syntax.diagnostic import Diagnostic

ENDINGS = (".pp", ".epp")
POLICY = ".cf"

OUTSIDE = f"cannot be read: {LINKED_OUT}"


class ShownProblem(NamedTuple):
    """A diagnostic for display; 0 is an unknown line or column."""

    file: str
    line: int
    column: int
    severity: str
    code: str
    message: str
    hint: str
    snippet: str

    @property
    def place(self) -> str:
        """Return `FILE:LINE:COL`, as far as it is known."""
        known = [str(number) for number in (self.line, self.column) if number]
        return ":".join([self.file, *known])

    def text(self, place: str = "", severity: str = "") -> str:
        """Return the problem with its line of the source and a caret; the parts may be styled."""
        head = (
            f"{place or self.place + ':'} {severity or self.severity}: {self.message} ({self.code})"
        )
        hint = f"  {self.hint}" if self.hint else ""
        return joined(part for part in (head, *self.snippet.split("\n"), hint) if part)


class FileReport(NamedTuple):
    """The result for a file: its read error, or its problems and its tree in PN."""

    unreadable: str
    problems: tuple[ShownProblem, ...] = ()
    tree: str = ""


def find_files(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the files to check, each once, and errors about the paths."""
    found: dict[str, None] = {}
    wrong = []
    for path in paths:
        if path != "-" and os.path.isdir(path):
            # Files of other programs are named *.cf, too, and are part of Puppet modules.
            files = list(files_below(path, ENDINGS)) or list(files_below(path, (POLICY,)))
            if not files:
                wrong += nothing_in(path)
            roots = roots_below(path)
            outside = [file for file in files if not may_read(file, roots)]
            wrong += [f"{file}: {OUTSIDE}" for file in outside]
            found.update(dict.fromkeys(file for file in files if file not in outside))
        elif path != "-" and leads_out(path):
            wrong.append(f"{path}: {OUTSIDE}")
        elif path != "-" and os.path.isfile(path) and not path.endswith((*ENDINGS, POLICY)):
            wrong.append(f"{path}: neither a manifest (.pp), a template (.epp) nor a policy (.cf)")
        else:
            found[path] = None
    return list(found), wrong


def nothing_in(folder: str) -> list[str]:
    """Return errors about a folder without files to check, or print its kind of content."""
    from analyzer.frontends.puppet.node.contents import NOTHING, without_manifests

    found = without_manifests(folder)
    if found.code == NOTHING:
        print_error(f"{folder}: {found.message}")
        return []
    return [f"{folder}: no manifests (.pp), templates or policies in this folder"]


def files_below(folder: str, endings: tuple[str, ...]) -> Iterator[str]:
    """Yield the files of a folder with some extensions, by name; skip hidden folders.

    Links within the checkout are followed, because environments link to modules. Each folder is
    entered only once.
    """
    entered = set()
    roots = roots_below(folder)
    for place, folders, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        if real in entered or not may_read(real, roots):
            folders.clear()
            continue
        entered.add(real)
        folders[:] = sorted(name for name in folders if name[0] != ".")
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.join(place, name)


def roots_below(folder: str) -> frozenset[str]:
    """Return the real paths that may be read of a folder: all that is in it, even in a home."""
    return roots_of([folder]) | {os.path.realpath(folder)}


def report_of(path: str, trees: str = "") -> FileReport:
    """Check one file; with `trees` (`flat`, `pretty`, `python`), include its tree."""
    if path.endswith(POLICY):
        return policy_report(path, trees)
    from analyzer.frontends.puppet.node.contents import is_plan
    from analyzer.frontends.puppet.syntax.cache import user_cache
    from analyzer.frontends.puppet.syntax.checked import check_cached

    try:
        text = read(path)
    except OSError as error:
        return FileReport(f"{path}: {error.strerror or error}")
    except UnicodeDecodeError as error:
        return FileReport(f"{path}: not UTF-8: {error.reason} at byte {error.start + 1}")
    name = "<stdin>" if path == "-" else path
    epp, tasks = path.endswith(".epp"), is_plan(path)
    checked = check_cached(text, name, epp=epp, tasks=tasks, cache=user_cache())
    problems = tuple(problem_of(found, text, name) for found in checked.found)
    return FileReport("", problems, dump(checked, text, path, trees) if trees else "")


def read(path: str) -> str:
    """Return a file's text with unchanged line ends."""
    if path == "-":
        return read_standard_input().decode()
    return read_bytes(path).decode()


def dump(checked: Checked, text: str, path: str, trees: str) -> str:
    """Return a tree in the form of Puppet's dump, directly after the file's name."""
    if checked.tree is None:
        return ""
    if trees == "python":
        return python_of(checked.tree, text, path)
    from analyzer.frontends.puppet.syntax.pn import to_pn

    head = "" if path == "-" else f"--- {shown(path)}"
    return head + to_pn(checked.tree, pretty=trees == "pretty")


def python_of(tree: Node, text: str, path: str) -> str:
    """Return the Python code for the lambdas of a manifest, below the file's name."""
    import analyzer.frontends.puppet.compiler.evaluator  # noqa: F401 (this registers all writers)
    from analyzer.frontends.puppet.evaluate.errors import Unit
    from analyzer.frontends.puppet.evaluate.generated.listing import listing

    found = listing(tree, Unit(text, path))
    return f"# --- {shown(path)}\n{found}" if found else ""


def problem_of(found: Diagnostic, text: str, name: str) -> ShownProblem:
    """Return a diagnostic with its line of the source."""
    from analyzer.frontends.puppet.syntax.diagnostic import place_in
    from analyzer.source import caret_snippet, without_secrets

    line, column = place_in(found, text)
    snippet = caret_snippet(text, line, column) if column else ""
    message = without_secrets(found.message, text)
    return ShownProblem(
        name, line, column, found.severity, found.code, message, found.hint, snippet
    )


def policy_report(path: str, trees: str) -> FileReport:
    """Check one CFEngine policy; include its tree in the form of cf-promises."""
    from analyzer.diagnostics import InputError
    from analyzer.frontends.cfengine.syntax.check import check_text, read_text
    from analyzer.source import caret_snippet

    try:
        text = read_text(path)
    except InputError as error:
        return FileReport(f"{path}: {error.message}")
    checked = check_text(text, path)
    problems = tuple(
        ShownProblem(
            path,
            found.span.line,
            found.span.column,
            "error",
            f"cf-{found.code}",
            found.message,
            "",
            caret_snippet(text, found.span.line, found.span.column),
        )
        for found in checked.problems
    )
    return FileReport(
        "", problems, dump_policy(checked.tree, trees) if trees not in ("", "python") else ""
    )


def dump_policy(tree: PolicyFile, trees: str) -> str:
    """Return a policy's tree as JSON."""
    from json import dumps

    from analyzer.frontends.cfengine.syntax.tree_json import to_json

    indent = 1 if trees == "pretty" else None
    return dumps(to_json(tree), indent=indent, ensure_ascii=False) + "\n"
