"""Writes the reference pages of the site from the code: nothing in them is kept by hand."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO

import catgraph
from analyzer.cli import main
from analyzer.cli.command_table import COMMANDS
from analyzer.cli.commands.rule import explained
from analyzer.cli.shared.options import Option
from analyzer.config.keys import KEYS, PATHS, PROGRAMS, Key
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import Rule

HEADS = re.compile(r"^(Why|Evidence|Bad|Good|Silent):", re.MULTILINE)
# Options of an example come after the language; the highlighter has another name for one of them.
FENCES = (
    (re.compile(r"^```puppet[^\n]*$", re.MULTILINE), "```puppet"),
    (re.compile(r"^```cfengine[^\n]*$", re.MULTILINE), "```cfengine3"),
)
CODES = """# Exit codes

All commands use these; `catgraph COMMAND --help` says what each means for a command.

| exit code | meaning |
| --- | --- |
| 0 | clean, and nothing that could hide a problem is unknown |
| 1 | there is a finding: a cycle, a failed resource, a difference |
| 2 | wrong usage, or an input that cannot be read |
| 3 | a manifest does not compile, or too much is unknown to call it clean |
| 130 | interrupted |
| 141 | the reader of the output has gone |

Only 0 means clean and complete. 3 is not a finding, but the answer to a question that could not be
answered: the output says what is missing. `--allow-incomplete` turns it into 0 or 1.
"""
# Commands whose JSON the reference shows, with an input that has something to show.
DOCUMENTS: dict[str, tuple[str, ...]] = {
    "check": ("check", "sample_catalogs/leftovers", "--format", "json"),
    "cycles": ("cycles", "sample_catalogs/require_loop/catalog.json", "--format", "json"),
    "order": ("order", "sample_catalogs/stages/catalog.json", "--format", "json"),
    "why": (
        "why", "sample_catalogs/healthy_web_stack/catalog.json", "Package[nginx]",
        "Service[nginx]", "--format", "json",
    ),
    "graph": ("graph", "sample_catalogs/stages/catalog.json", "--format", "json"),
    "diff": (
        "diff", "tests/graph/diff/before.pp", "tests/graph/diff/after.pp", "--format", "json",
    ),
    "explore": ("explore", "sample_catalogs/require_loop", "--jobs", "1", "--format", "json"),
    "unused": ("unused", "sample_catalogs/leftovers", "--format", "json"),
}  # fmt: skip


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each page."""
    yield "reference/commands/index.md", commands()
    for name in COMMANDS:
        yield f"reference/commands/{name}.md", command(name)
    for rule in all_rules().values():
        yield f"reference/rules/{rule.code}.md", rule_page(rule)
    yield "reference/configuration.md", configuration()
    yield "reference/json.md", documents()
    yield "reference/exit-codes.md", CODES
    yield "reference/library.md", library()


def cell(text: object) -> str:
    """Return text for a cell of a table."""
    return " ".join(str(text).split()).replace("|", "\\|").replace("<", "&lt;")


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table."""
    names = list(head)
    lines = [names, ["---"] * len(names), *([cell(one) for one in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def commands() -> str:
    """Return the page with all commands."""
    rows = ((f"[{name}]({name}.md)", summary) for name, (_, summary) in COMMANDS.items())
    usage = "# Commands\n\n`catgraph COMMAND [INPUT...] [options]`\n\n"
    return usage + table(("command", "does"), rows)


def command(name: str) -> str:
    """Return the page of a command."""
    module = import_module(COMMANDS[name][0])
    options: tuple[Option, ...] = module.OPTIONS
    usage = f"```text\ncatgraph {name} {module.USAGE} [options]\n```\n"
    rows = ((f"`{flags(row)}`", help_of(row), default(row)) for row in options)
    listed = f"## Options\n\n{table(('option', '', 'default'), rows)}" if options else ""
    return f"# catgraph {name}\n\n{usage}\n{prose(module.HELP)}\n{listed}"


def prose(text: str) -> str:
    """Return the help of a command as paragraphs; lines that are set in are examples."""
    parts = []
    for part in text.split("\n\n"):
        if "\n  " in part or part.startswith("  "):
            parts.append(f"```text\n{part}\n```")
        else:
            parts.append(re.sub(r"([<*_\[\]`])", r"\\\1", " ".join(part.split())))
    return "\n\n".join(parts) + "\n"


def flags(row: Option) -> str:
    """Return the flags of an option, with its value."""
    value = "" if row.flag else f" {(row.metavar or row.name.upper()).replace('|', '/')}"
    return f"{', '.join(row.flags)}{value}"


def help_of(row: Option) -> str:
    """Return what an option does, with the words that it takes."""
    choices = ", ".join(f"`{one}`" for one in row.choices)
    return f"{row.help}: {choices}" if choices else row.help


def default(row: Option) -> str:
    """Return the default of an option."""
    return f"`{row.default}`" if row.default not in (None, False, "", 0) else ""


def rule_page(rule: Rule) -> str:
    """Return the page of a rule; its examples are those that the tests run."""
    first, _, text = explained(rule).partition("\n\n")
    code, name, rest = first.split(" ", 2)
    text = HEADS.sub(r"**\1.**", text)
    for pattern, new in FENCES:
        text = pattern.sub(new, text)
    return f"# {code} {name}\n\n{rest.strip('()')}\n\n{text}\n"


def configuration() -> str:
    """Return the page with the keys of catgraph.toml."""
    intro = (
        "# Keys of catgraph.toml\n\nAll keys are optional. "
        "[catgraph.toml](../configuration.md) explains them; a key that is not here is an "
        "error, with its place.\n\n"
    )
    rows = ((f"`{path}`", key.wanted, "; ".join(notes_on(path))) for path, key in keys_of(KEYS))
    return intro + table(("key", "takes", ""), rows)


def notes_on(path: str) -> Iterator[str]:
    """Yield what holds for a key besides its type."""
    if path in PATHS:
        yield "relative to the file"
    if path in PROGRAMS:
        yield f"also the option's {PROGRAMS[path]}: see [security](../security.md)"


def keys_of(keys: Mapping[str, Key], above: str = "") -> Iterator[tuple[str, Key]]:
    """Yield each key with its path."""
    for name, key in sorted(keys.items()):
        path = f"{above}{name}"
        yield path, key
        inner = key.keys or (key.values.keys if key.values else None)
        if inner:
            yield from keys_of(inner, f"{path}.{'NAME.' if not key.keys else ''}")


def documents() -> str:
    """Return the page with the shapes of JSON outputs, as the samples show them."""
    parts = [
        "# JSON documents\n\nThe shape of what `--format json` prints, taken from real runs when "
        "this page was built. A field may be null where the table says so; new releases may add "
        "fields.\n"
    ]
    for name, words in DOCUMENTS.items():
        shapes: dict[str, set[str]] = {}
        note(json.loads(output(words)), "", shapes)
        rows = ((f"`{path or '.'}`", ", ".join(sorted(kinds))) for path, kinds in shapes.items())
        parts.append(
            f"## {name}\n\n`catgraph {' '.join(words)}`\n\n{table(('field', 'type'), rows)}"
        )
    return "\n".join(parts)


def note(value: object, path: str, shapes: dict[str, set[str]]) -> None:
    """Note the type of a JSON value and of all values in it."""
    kinds: dict[type, str] = {
        dict: "object", list: "array", str: "string", bool: "boolean", int: "number",
        float: "number", type(None): "null",
    }  # fmt: skip
    shapes.setdefault(path, set()).add(kinds[type(value)])
    if isinstance(value, dict):
        for name, one in value.items():
            note(one, f"{path}.{name}".lstrip("."), shapes)
    elif isinstance(value, list):
        for one in value:
            note(one, f"{path}[]", shapes)


def output(words: Iterable[str]) -> str:
    """Return what a command prints."""
    with redirect_stdout(out := StringIO()), redirect_stderr(StringIO()):
        main(list(words))
    return out.getvalue()


def library() -> str:
    """Return the page with the names of the library."""
    parts = [
        "# The Python library\n\n`import catgraph`; [the library](../library.md) has examples.\n"
    ]
    for name in sorted(catgraph.__all__, key=str.lower):
        value = getattr(catgraph, name)
        parts.append(f"## {name}\n\n{described(value, f'catgraph.{name}')}")
        if inspect.isclass(value):
            parts += [
                f"### {name}.{part}\n\n{described(member, f'{name}.{part}')}"
                for part, member in methods(value)
            ]
    return "\n".join(parts)


def methods(value: type) -> Iterator[tuple[str, object]]:
    """Yield the public methods and properties of a class."""
    for name, member in sorted(vars(value).items()):
        if not name.startswith("_") and (
            inspect.isfunction(member) or isinstance(member, property)
        ):
            yield name, member


def described(value: object, name: str) -> str:
    """Return the signature and the docstring of a value."""
    signature = str(inspect.signature(value)) if inspect.isfunction(value) else ""
    text = inspect.getdoc(value) or ""
    text = re.sub(r"^Raises:\n((?: +.*\n?)+)", r"**Raises**\n\n\1", text, flags=re.MULTILINE)
    text = re.sub(r"^ {4,}", "", text, flags=re.MULTILINE)
    return f"```python\n{name}{signature}\n```\n\n{text}\n"
