"""The names in arguments of some functions: classes, types, templates, files, keys of data."""

from __future__ import annotations

from typing import Protocol

from analyzer.frontends.puppet.syntax.lexing.tokens import Token

# The kind of name that an argument is, and whether only the first argument is one.
CALLS: dict[str, tuple[str, bool]] = {
    **dict.fromkeys(("include", "contain", "require", "hiera_include"), ("class", False)),
    **dict.fromkeys(("create_resources", "ensure_resource", "ensure_resources"), ("type", True)),
    **dict.fromkeys(("lookup", "hiera", "hiera_array", "hiera_hash"), ("key", True)),
    "template": ("template", False),
    "epp": ("epp", True),
    "file": ("file", False),
    "run_plan": ("plan", True),
    "find_file": ("file", False),
}
CALLS["hiera_include"] = ("key", True)

# Functions that are called without parentheses (Puppet::Pops::Model::Factory::STATEMENT_CALLS).
STATEMENTS = frozenset(
    {"require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning"}
    | {"err", "fail", "import", "break", "next", "return"}
)

NAMES = frozenset({"STRING", "NAME", "WORD"})


# Kinds whose names are paths in a module.
FILES = frozenset({"template", "epp", "file"})

# The name of the code's own module in a path.
OWN = "${module_name}"


class TokenReader(Protocol):
    """The part of a scan that this module uses."""

    tokens: list[Token]
    kinds: list[str]
    close: list[int]

    def use(self, kind: str, name: str, i: int, last: int = 0) -> None:
        """Record a use by a token, or by those up to `last`."""


def uses_in_call(scan: TokenReader, function: str, j: int, stop: int) -> None:
    """Record the names in the arguments from `j` to `stop`: strings, words, or lists of these.

    Without parentheses, the arguments end where no comma follows.
    """
    if function not in CALLS:
        return
    kind, only_first = CALLS[function]
    lists = kind == "class"
    while j < stop:
        if scan.kinds[j] in NAMES:
            note(scan, kind, j)
        elif scan.kinds[j] == "DQPRE" and kind in FILES and (path := own_path(scan, j)):
            scan.use(kind, path, j, j + 2)
            j += 2
        elif scan.kinds[j] in ("LISTSTART", "LBRACK") and lists:
            end = min(scan.close[j], stop)
            for k in range(j + 1, end):
                if scan.kinds[k] in NAMES and scan.kinds[k - 1] != "FARROW":
                    note(scan, kind, k)
            j = end
        j = max(scan.close[j], j) + 1
        if only_first or scan.kinds[j] != "COMMA":
            return
        j += 1


def note(scan: TokenReader, kind: str, j: int) -> None:
    """Record one name."""
    name = str(scan.tokens[j][1])
    if kind in ("class", "type"):
        name = name.lower().removeprefix("::")
    scan.use(kind, name, j)


def own_path(scan: TokenReader, j: int) -> str:
    """Return the path in `"${module_name}/path"`, empty for other strings."""
    kinds, tokens = scan.kinds, scan.tokens
    is_own = kinds[j + 1] == "VARIABLE" and str(tokens[j + 1][1]) in (
        "module_name",
        "::module_name",
    )
    return f"{OWN}{tokens[j + 2][1]}" if is_own and kinds[j + 2] == "DQPOST" else ""
