"""The lines of the module protocol, by which a command sets classes and variables.

Facts: ModuleProtocol of evalfunction.c in 3.21.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from typing import Any

from analyzer.frontends.cfengine.agent.frames import Frame
from analyzer.frontends.cfengine.agent.state import Agent
from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.functions import read_data
from analyzer.frontends.cfengine.policy.unknown import NoResult, Unknown
from analyzer.frontends.cfengine.policy.variables import DataList

NAME = re.compile(r"[A-Za-z0-9_.:\[\]]+")
ITEM = re.compile(r"'([^']*)'|\"([^\"]*)\"")
ECHO = ("/bin/echo", "/usr/bin/echo")


def context_of(command: str) -> str:
    """Return the name under which the variables of a module are set: that of its file."""
    return canonified(os.path.basename(command.strip().split(" ")[0].strip('"')))


def output_of(command: str) -> list[str] | None:
    """Return the lines that a command prints, None if that is not known."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if not words or words[0] not in ECHO or words[1:2] in (["-n"], ["-e"]):
        return None
    return [" ".join(words[1:])]


def read_lines(agent: Agent, frame: Frame, command: str, lines: Iterable[str] | None) -> None:
    """Set the classes and variables of a module's output; None: it is not known."""
    context = context_of(command)
    if lines is None:
        why = Unknown(f"the module '{command}' may set it")
        agent.classes.anything = agent.classes.anything or why
        agent.table.unknown_bundles[context] = why
        return
    for line in lines:
        kind, rest = line[:1], line[1:]
        if kind == "^" and rest.startswith("context="):
            context = rest.removeprefix("context=")
        elif kind == "+":
            agent.set_class(("default", canonified(rest)), None, frame)
        elif kind == "-":
            for name in rest.split(","):
                agent.cancel_class(frame, name)
        else:
            set_variable(agent, context, kind, rest)


def set_variable(agent: Agent, context: str, kind: str, text: str) -> None:
    """Set the variable of one line, if it is one."""
    name, equals, content = text.partition("=")
    if not equals or not NAME.fullmatch(name) or kind not in ("=", "@", "%"):
        return
    value: Any = content
    if kind == "@":
        value = [first or second for first, second in ITEM.findall(content)]
    elif kind == "%":
        try:
            value = read_data(content)
        except NoResult:
            return
        value = DataList(value) if isinstance(value, list) else value
    agent.types["default", context, name] = {"=": "string", "@": "slist", "%": "data"}[kind]
    agent.set_variable(("default", context, name), value, None)
