"""The functions that query the machine: its files as far as they are known, and the agent's
version."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from analyzer.frontends.cfengine.policy.host_files import File
from analyzer.frontends.cfengine.policy.unknown import (
    NoResult,
    Unknown,
    UnknownResult,
    unknown_part,
)
from analyzer.frontends.cfengine.policy.world import World

# What a function depends on that is known on the machine only.
DEPENDS = {
    "the output of a command": "execresult execresult_as_data returnszero usemodule",
    "the time": "now ago on accumulated laterthan splayclass",
    "chance": "randomint shuffle",
    "the environment of the agent": "getenv",
    "the users and groups of the machine": "getuid getgid getusers getuserinfo userexists"
    " groupexists hostinnetgroup getgroups getgroupinfo useringroup findlocalusers findlocalgroups",
    "the files of the machine": "accessedbefore changedbefore isnewerthan diskfree filesize"
    " filestat file_hash hashmatch findfiles findfiles_up lsdir makerule search_up isnewerthantime"
    " getacls isreadable",
    "the packages of the machine": "packagesmatching packageupdatesmatching",
    "the processes of the machine": "processexists findprocesses",
    "the network": "host2ip ip2host hostrange iprange network_connections readtcp url_get"
    " selectservers isconnectable remotescalar remoteclassesmatching hubknowledge peers peerleader"
    " peerleaders ldaparray ldaplist ldapvalue regldap hostsseen hostswithclass hostswithgroup",
    "settings of the kernel": "sysctlvalue data_sysctlvalues registryvalue",
}
# They have a value whatever it is.
SURE = frozenset(
    ("ago", "now", "on", "randomint", "getusers", "lsdir", "packagesmatching", "shuffle")
)
# The argument that names the array which a function sets.
SETS_ARRAY = {
    **dict.fromkeys(("getfields",), 3),
    **dict.fromkeys(("readintarray", "readrealarray", "readstringarray", "readstringarrayidx"), 0),
    **dict.fromkeys(("parseintarray", "parserealarray", "parsestringarray"), 0),
    **dict.fromkeys(("parsestringarrayidx", "ldaparray", "selectservers"), 0),
    "regextract": 2,
}
REASONS = {name: why for why, names in DEPENDS.items() for name in names.split()}


def reason(name: str) -> str:
    """Return why the result of a function is not known here."""
    why = REASONS.get(name)
    return f"{name}() depends on {why}" if why else f"{name}() is not computed here"


def found(world: World, path: object) -> File | None:
    """Return a file of the machine, None if there is none.

    Raises:
        UnknownResult: that is not known here.
    """
    if not isinstance(path, str):
        raise NoResult("a path")
    file = world.files.find(path)
    if isinstance(file, Unknown):
        raise UnknownResult(file)
    return file


def is_kind(kind: str) -> Callable[..., bool]:
    """Return a function that tests for a kind of file."""

    def test(world: World, path: str) -> bool:
        file = found(world, path)
        if file is None or file.kind == kind:
            return file is not None
        if file.kind == "link" and kind != "link":
            raise UnknownResult(f"where the link {path} leads is not known here")
        return kind == "file" and file.kind == "program"

    return test


def exist(world: World, paths: list[str]) -> bool:
    """Return whether all files are there; an unknown one decides only if no other is missing."""
    unknown = None
    for path in paths:
        try:
            if found(world, path) is None:
                return False
        except UnknownResult as why:
            unknown = why
    if unknown is not None:
        raise unknown
    return True


def text_of(world: World, path: str) -> str:
    """Return the content of a file.

    Raises:
        NoResult: there is none.
        UnknownResult: it is not known here.
    """
    file = found(world, path)
    if file is None or file.kind == "directory":
        raise NoResult(path)
    if isinstance(file.text, Unknown):
        raise UnknownResult(f"the content of {path} depends on the machine")
    return file.text


def read_file(world: World, path: str, most: str = "0") -> str:
    """Return the first bytes of a file, without the newline at the end."""
    text = text_of(world, path)
    cut = text.encode("utf-8", "surrogateescape")[: int(most) or None]
    return cut.decode("utf-8", "surrogateescape").removesuffix("\n")


def lines_matching(world: World, pattern: str, path: str) -> str:
    """Return how many lines of a file match an expression."""
    from analyzer.frontends.cfengine.policy.patterns import is_match

    if found(world, path) is None:
        return "0"
    return str(sum(is_match(pattern, line) for line in text_of(world, path).splitlines()))


def read_list(world: World, path: str, comment: str, split: str, most: str, size: str) -> list[str]:
    """Return the parts of a file's text, without its comments."""
    from analyzer.frontends.cfengine.policy.functions import split_string
    from analyzer.frontends.cfengine.policy.patterns import in_time, regular

    text = read_file(world, path, size)
    if comment:
        text = in_time(lambda: regular(comment).sub("", text))
    return [part for part in split_string(text, split, most) if part]


def read_json(world: World, path: str, *_: str) -> Any:
    """Return the container in a file of JSON."""
    from analyzer.frontends.cfengine.policy.functions import read_data

    return read_data(text_of(world, path))


def any_line(world: World, pattern: str, path: str) -> bool:
    """Return whether a line of a file matches an expression; a missing file has none."""
    from analyzer.frontends.cfengine.policy.patterns import is_match

    if found(world, path) is None:
        return False
    return any(is_match(pattern, line) for line in text_of(world, path).splitlines())


def read_numbers(world: World, path: str, *more: str) -> list[str]:
    """Return the numbers in a file."""
    return [part for part in read_list(world, path, *more) if part.strip()]


def read_data_file(world: World, path: str, kind: str = "auto") -> Any:
    """Return the container in a file of JSON or YAML."""
    from analyzer.frontends.cfengine.policy.text_functions import read_yaml_text

    if kind.lower() not in ("auto", "json", "yaml") or path.lower().endswith((".csv", ".env")):
        raise UnknownResult(f"files of the kind {kind} are not read here")
    return read_yaml_text(text_of(world, path))


def file_size(world: World, path: str) -> str:
    """Return how many bytes a file has."""
    return str(len(text_of(world, path).encode("utf-8", "surrogateescape")))


def version(text: str) -> tuple[int, ...]:
    """Return the parts of a version.

    Raises:
        NoResult: it is none.
    """
    if not re.fullmatch(r"[0-9]+(\.[0-9]+){0,2}", text):
        raise NoResult(text)
    return tuple(map(int, text.split(".")))


def compared(world: World, wanted: str) -> int:
    """Return how the agent's version compares to another, in as many parts as that has."""
    parts = version(wanted)
    own = version(world.version)[: len(parts)]
    return (own > parts) - (own < parts)


def is_linked(world: World, path: str) -> bool:
    """Return whether a path is a symbolic link."""
    file = found(world, path)
    return file is not None and file.kind == "link"


def is_executable(world: World, path: str) -> bool:
    """Return whether a file is a program."""
    file = found(world, path)
    if file is None or file.kind in ("program", "directory"):
        return file is not None
    raise UnknownResult(f"whether {path} is a program is not known here")


# Their first argument is the world; unknown parts of paths are theirs to judge.
FUNCTIONS: dict[str, Callable[..., object]] = {
    "cf_version_after": lambda world, one: compared(world, one) > 0,
    "cf_version_at": lambda world, one: compared(world, one) == 0,
    "cf_version_before": lambda world, one: compared(world, one) < 0,
    "cf_version_between": lambda world, low, high: (
        compared(world, low) >= 0 and compared(world, high) <= 0
    ),
    "cf_version_maximum": lambda world, one: compared(world, one) <= 0,
    "cf_version_minimum": lambda world, one: compared(world, one) >= 0,
    "countlinesmatching": lines_matching,
    "fileexists": lambda world, path: found(world, path) is not None,
    "filesexist": exist,
    "filesize": file_size,
    "isdir": is_kind("directory"),
    "isexecutable": is_executable,
    "islink": is_linked,
    "isplain": is_kind("file"),
    "readdata": read_data_file,
    "readfile": read_file,
    "readintlist": read_numbers,
    "readjson": read_json,
    "readreallist": read_numbers,
    "readstringlist": read_list,
    "readyaml": lambda world, path, *_: read_data_file(world, path, "yaml"),
    "regline": any_line,
}

__all__ = ["FUNCTIONS", "reason", "unknown_part"]
