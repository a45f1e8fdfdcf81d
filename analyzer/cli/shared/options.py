"""Options as rows: one table serves parsing, help and shell completion.

argparse is imported only when an option is given: it takes longer to load than a catalog.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from types import ModuleType
    from typing import Any, NoReturn

    from analyzer.model.documents import JsonObject


def size_of(text: str) -> int:
    """Return the bytes of a size such as `2G`.

    Raises:
        ValueError: it is not valid.
    """
    from analyzer import reading

    return reading.size_of(text)


def size_or_none(text: str) -> int:
    """Return the bytes of a size such as `2G`, or 0.

    Raises:
        ValueError: it is not valid.
    """
    return 0 if text == "0" else size_of(text)


size_of.__name__ = size_or_none.__name__ = "size"


class Option:
    """A row: flags, help text, default; `choices`, or `type` of the value.

    `flag` options take no value and are False by default; `many` may be given several times.
    """

    __slots__ = (
        "choices",
        "default",
        "flag",
        "flags",
        "help",
        "many",
        "metavar",
        "name",
        "type",
    )

    def __init__(
        self,
        flags: str,
        help: str,
        default: object = None,
        choices: tuple[str, ...] = (),
        metavar: str | None = None,
        type: Any = None,
        flag: bool = False,
        many: bool = False,
    ) -> None:
        self.flags = flags.split()
        self.help = help
        self.default = False if flag else default
        self.choices = choices
        self.metavar = metavar
        self.type = type
        self.flag = flag
        self.many = many
        self.name = self.flags[-1].lstrip("-").replace("-", "_")


class Options:
    """The values of a command's options by name, and `inputs`, the other words."""

    def __init__(self, values: JsonObject, inputs: list[str]) -> None:
        self.inputs = inputs
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def positive(text: str) -> int:
    """Return the value of an option as a number above 0.

    Raises:
        ArgumentTypeError: it is not valid.
    """
    from argparse import ArgumentTypeError

    if not text.isascii() or not text.isdigit() or not int(text[:18]):
        raise ArgumentTypeError(f"expected a number above 0, not '{text}'")
    return int(text[:18])


def not_negative(text: str) -> int:
    """Return the value of an option as a number of at least 0.

    Raises:
        ArgumentTypeError: it is not valid.
    """
    return 0 if text == "0" else positive(text)


def version_named(text: str) -> int:
    """Return the value of an option as a version of Puppet or OpenVox.

    Raises:
        ArgumentTypeError: it is unknown.
    """
    from argparse import ArgumentTypeError

    from analyzer.config.keys import VERSIONS
    from analyzer.model.releases import Release

    try:
        return Release.parse(text)
    except ValueError:
        raise ArgumentTypeError(f"expected {VERSIONS}, not '{text}'") from None


OUTPUT = Option("-o --output", "write to FILE instead of standard output", metavar="FILE")
COLOR = Option("--color", "colour the text output", "auto", ("auto", "always", "never"))
CONFIG = Option("--config", "use this catgraph.toml instead of the nearest one", metavar="FILE")
NO_PLUGINS = Option("--no-plugins", "do not load rules of installed plugins", flag=True)
WORLDS = Option(
    "--worlds",
    "try up to N combinations of facts and parameters of each node (16); 1: only those given",
    metavar="N",
    type=positive,
)
NO_CACHE = Option("--no-cache", "neither use nor keep the results of runs", flag=True)
JOBS = Option(
    "--jobs",
    "number of processes for long work (one per core); 1: only this process",
    metavar="N",
    type=positive,
)
MAX_INPUT = Option(
    "--max-input",
    "size of the largest file to read, uncompressed: 2G, 100M (512M)",
    metavar="SIZE",
    type=size_of,
)
# The first word of a hook of pre-commit, which adds the `args` of the user and names of files.
HOOK = "--hook"
FORGE = Option("--forge", "address of the Forge (API v3); or CATGRAPH_FORGE", metavar="URL")
PROTOCOL = Option(
    "--protocol",
    "let git and the Forge of a Puppetfile use this protocol, besides https; repeatable",
    metavar="http|ssh|file",
    many=True,
)
# Options for compiling manifests and reading catalogs.
COMPILE = (
    Option(
        "--node",
        "compile only for node NAME, not for every node; repeatable",
        metavar="NAME",
        many=True,
    ),
    Option(
        "--nodes-dir",
        "folder of a classifier's answers, NODE.yaml: classes, parameters, environment",
        metavar="DIR",
    ),
    Option("--all-roles", "compile each role class with the top-level code of the site", flag=True),
    Option(
        "--class",
        "compile only this class of a module or control repo; repeatable",
        metavar="NAME",
        many=True,
    ),
    Option(
        "--param",
        "value of a parameter of --class, as a Puppet literal; repeatable",
        metavar="NAME=VALUE",
        many=True,
    ),
    Option("--facts", "facts in JSON or YAML, or @SYSTEM; repeatable", metavar="FILE", many=True),
    Option("--facts-dir", "folder of facts by node, NODE.json or NODE.yaml", metavar="DIR"),
    Option("--legacy-facts", "add Facter's legacy facts, such as osfamily", flag=True),
    Option(
        "--modulepath", "module folders to search before those of the environment", metavar="DIRS"
    ),
    Option(
        "--environment",
        "environment of the control repo; elsewhere, the value of $environment",
        metavar="NAME",
    ),
    Option("--enc", "external node classifier: a program that prints YAML", metavar="PROGRAM"),
    Option(
        "--store",
        "store of exported resources; updated for the compiled nodes",
        metavar="FILE",
    ),
    Option("--hiera-config", "the global hiera.yaml", metavar="FILE"),
    Option(
        "--allow-read",
        "let code read a folder outside the checkout and the modulepath; repeatable",
        metavar="DIR",
        many=True,
    ),
    Option(
        "--puppet-version",
        "version of Puppet (4 to 8, 8.9) or OpenVox (openvox-8, openvox-8.28, openvox-9) (8)",
        metavar="N",
        type=version_named,
    ),
    Option(
        "--strict",
        "treat missing modules and missing data as errors, as Puppet does",
        flag=True,
    ),
    Option(
        "--strict-variables",
        "treat unknown variables as errors, as Puppet 8 does; earlier versions warn",
        flag=True,
    ),
    Option(
        "--ruby",
        "run Ruby templates and functions with a Ruby that has Puppet; auto finds one",
        metavar="auto|off|PATH",
    ),
    Option(
        "--time-limit",
        "limit for compiling a node, in seconds of CPU time (25); 0: no limit",
        metavar="N",
        type=not_negative,
    ),
    Option(
        "--memory-limit",
        "memory for compiling a node: 2G, 300M (512M); 0: no limit",
        metavar="SIZE",
        type=size_or_none,
    ),
    Option(
        "--explain",
        "list everything unknown; for lint, also print the documentation of rules",
        flag=True,
    ),
    MAX_INPUT,
    NO_CACHE,
    Option("--watch", "run again when an input changes", flag=True),
)
# Options for simulating a policy.
DEFINE = Option(
    "--define",
    "classes to define, separated by commas; !NAME is never set (CFEngine)",
    metavar="CLASSES",
    many=True,
)
NORMAL_ORDER = Option(
    "--normal-order",
    "order of promise types: of the real agent, or as documented (CFEngine)",
    "running",
    ("running", "documented"),
)
AGENT = Option(
    "--agent",
    "whose bundles to evaluate; default: the first one that has any (CFEngine)",
    choices=("agent", "server", "monitor"),
)
OUTCOME = Option(
    "--outcome",
    "outcomes of promises: events as printed by 'order --format json' (CFEngine)",
    metavar="FILE",
)
BUNDLESEQUENCE = Option(
    "-b --bundlesequence",
    "bundles to evaluate instead of the policy's, separated by commas (CFEngine)",
    metavar="BUNDLES",
)
HOST = Option(
    "--host",
    "the machine: unknown, or a new one with no files but those of the policy (CFEngine)",
    "unknown",
    ("unknown", "empty"),
)
FROM_HOST = Option(
    "--from-host",
    "read files, system and time of this machine where the policy asks for them (CFEngine)",
    flag=True,
)
SIMULATE = (DEFINE, HOST, FROM_HOST, OUTCOME, BUNDLESEQUENCE, NORMAL_ORDER, AGENT)


def format_option(*formats: str) -> Option:
    """Return the row of `--format`; the first is the default."""
    return Option("-f --format", "output format", formats[0], formats)


def parse(prog: str, command: ModuleType, argv: list[str]) -> Options:
    """Parse a command's arguments with its OPTIONS; after `--`, all words are inputs.

    Raises:
        SystemExit: usage error (2), or help (0).
    """
    rows: tuple[Option, ...] = command.OPTIONS
    wanted: tuple[int, int | None] = command.INPUTS
    least, most = wanted
    plain = all(word == "-" or (word and word[0] != "-") for word in argv)
    if plain and len(argv) >= least and (most is None or len(argv) <= most):
        return Options({row.name: row.default for row in rows}, argv)
    parser = build_parser(prog, command, rows)
    words, names = end_of_options(argv)
    if looking := [word for word in words if argv[0] == HOOK and is_file_like_option(word)]:
        parser.error(f"'{looking[0]}' is a file, but looks like an option; rename it")
    found = vars(parser.parse_intermixed_args(words))
    inputs = [*found.pop("inputs"), *names]
    if "" in inputs:
        parser.error(f"expected {command.USAGE}, but an argument is empty")
    if len(inputs) < least or (most is not None and len(inputs) > most):
        given = f"got {' '.join(inputs)}" if inputs else "but none was given"
        parser.error(f"expected {command.USAGE or 'no input'}, {given}")
    return Options(found, inputs)


def end_of_options(argv: list[str]) -> tuple[list[str], list[str]]:
    """Return the words up to the end of options, and those after it, which are inputs.

    argparse before Python 3.13 reads options after `--` too. After `--hook`, a user's `args` and
    names of files follow each other: those at the end that name a manifest are inputs.
    """
    last = len(argv)
    if argv[0] == HOOK:
        while argv[last - 1].endswith(".pp"):
            last -= 1
    end = argv.index("--") if "--" in argv[:last] else last
    return [word for word in argv[:end] if word != HOOK], argv[end + ("--" in argv[:last]) :]


def is_file_like_option(word: str) -> bool:
    """Return whether a word begins like an option, but names a file."""
    import os

    return word.startswith("-") and word != "-" and os.path.lexists(word)


def suggestion(message: str, rows: tuple[Option, ...]) -> str:
    """Return the end of argparse's message about an unknown option or value: a similar one."""
    from difflib import get_close_matches

    for word in message.removeprefix("unrecognized arguments: ").split():
        flags = [flag for row in rows for flag in row.flags if flag.startswith("--")]
        near = get_close_matches(word.partition("=")[0], flags, 1)
        if message.startswith("unrecognized") and near:
            return f"; did you mean {near[0]}?"
    _, _, value = message.partition("invalid choice: '")
    value, _, choices = value.partition("'")
    near = get_close_matches(value, [word.strip(" ',)") for word in choices.split(",")[1:]], 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def build_parser(prog: str, command: ModuleType, rows: tuple[Option, ...]) -> ArgumentParser:
    """Return argparse's parser for the table."""
    from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
    from functools import partial

    from analyzer.escape import shown

    class OptionParser(ArgumentParser):
        def error(self, message: str) -> NoReturn:
            super().error(shown(message + suggestion(message, rows)))

    parser = OptionParser(
        prog=prog,
        usage=" ".join([prog, *command.USAGE.split(), "[options]"]),
        description=command.HELP,
        # Each argument is tried with a formatter, which imports `shutil` to find out its width.
        formatter_class=partial(RawDescriptionHelpFormatter, width=80),
        allow_abbrev=False,
    )
    words = command.USAGE.split()
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar=words[0] if words else "INPUT",
        help=None if words else SUPPRESS,
    )
    for row in rows:
        kind: JsonObject = {"dest": row.name, "help": row.help, "default": row.default}
        if row.flag:
            kind["action"] = "store_true"
        elif row.many:
            kind.update(metavar=row.metavar, action="append", type=row.type)
        else:
            kind.update(metavar=row.metavar, choices=row.choices or None, type=row.type)
        parser.add_argument(*row.flags, **kind)
    parser.formatter_class = RawDescriptionHelpFormatter
    return parser
