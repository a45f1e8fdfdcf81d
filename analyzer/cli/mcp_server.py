"""Serves questions as tools of the Model Context Protocol, which change nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from analyzer.cli.asking import CommandProcess, ask
from analyzer.version import VERSION

# Seconds for an answer, and its characters.
PATIENCE, MOST_CHARACTERS = 120.0, 60_000
MEANINGS = {
    0: "clean and complete",
    1: "findings",
    2: "wrong usage, or unreadable input",
    3: "something does not compile, or is unknown and may hide a problem",
}
READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)

Place = Annotated[
    str,
    Field(description="a manifest, module, environment, control repo or catalog, in the folder"),
]
Facts = Annotated[
    str,
    Field(description="a typical system such as @debian-12, or a file of facts; empty: unknown"),
]
Ref = Annotated[str, Field(description="a resource, such as Service[nginx]")]


class CommandTools:
    """The tools: each runs one command on a path of the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.worker = CommandProcess(answer, PATIENCE)

    def check(self, path: Place = ".", facts: Facts = "") -> str:
        """Report cycles, errors and everything unknown that the baseline does not accept."""
        return self.run("check", [self.inside(path)], facts)

    def cycles(self, path: Place = ".", facts: Facts = "") -> str:
        """Explain each dependency cycle: the line of each edge, and the smallest cut."""
        return self.run("cycles", [self.inside(path)], facts)

    def why(self, first: Ref, second: str = "", path: Place = ".", facts: Facts = "") -> str:
        """Explain why a resource is there; with a second one, why the first comes before it; with
        a parameter, where its value comes from."""
        words = [self.inside(path), plain(first), *([plain(second)] if second else [])]
        return self.run("why", words, facts)

    def impact(self, what: str, path: Place = ".", facts: Facts = "") -> str:
        """Report what depends on a resource, FILE:LINE, a key of Hiera or a fact."""
        return self.run("impact", [self.inside(path), plain(what)], facts)

    def query(self, expression: str, path: Place = ".", facts: Facts = "") -> str:
        """Find resources or edges: type = File and not before type = Service."""
        return self.run("query", [self.inside(path), plain(expression)], facts)

    def diff(self, revision: str, path: Place = ".", facts: Facts = "") -> str:
        """Compare catalogs and order with a git revision, such as main or v1.0..v1.1."""
        return self.run("diff", [self.inside(path), f"--rev={plain(revision)}"], facts)

    def inside(self, path: str) -> str:
        """Return a path in the folder, relative to it.

        Raises:
            ValueError: it leads out of the folder.
        """
        target = (self.folder / plain(path)).resolve()
        if not target.is_relative_to(self.folder):
            raise ValueError(f"{path!r} is not in the folder that is served")
        return os.path.relpath(target, self.folder)

    def run(self, command: str, words: list[str], facts: str) -> str:
        """Return the answer of a command, with the meaning of its exit code."""
        if facts.startswith("@"):
            words.append(f"--facts={plain(facts)}")
        elif facts:
            words.append(f"--facts={self.inside(facts)}")
        return self.worker.ask(json.dumps([str(self.folder), command, *words]))


def plain(text: str) -> str:
    """Return a word that is no option.

    Raises:
        ValueError: it would be one.
    """
    if text.startswith("-") or "\0" in text or not text:
        raise ValueError(f"{text!r} must not be empty, nor start with -")
    return text


def answer(request: str, _: str) -> str:
    """Return the output of a command, in the process of a worker."""
    folder, *words = json.loads(request)
    os.chdir(folder)
    asked = ask(words)
    text = asked.out + asked.errors
    if len(text) > MOST_CHARACTERS:
        left = len(text) - MOST_CHARACTERS
        text = f"{text[:MOST_CHARACTERS]}\n({left:,} more characters: ask about a part)\n"
    return f"{text}exit code {asked.code}: {MEANINGS.get(asked.code, 'not finished')}"


def told(tool: Callable[..., str]) -> Callable[..., str]:
    """Return a tool that tells the client why it refuses."""

    @wraps(tool)
    def call(*values: str, **more: str) -> str:
        try:
            return tool(*values, **more)
        except (ValueError, TimeoutError) as error:
            raise ToolError(str(error)) from None

    return call


def server_of(questions: CommandTools) -> MCPServer:
    """Return a server with the tools."""
    server: MCPServer = MCPServer("catgraph", version=VERSION, log_level="ERROR")
    for name in ("check", "cycles", "why", "impact", "query", "diff"):
        tool = told(getattr(questions, name))
        server.tool(annotations=READ_ONLY, structured_output=False)(tool)
    return server


def serve(folder: Path) -> None:
    """Serve on standard input and output until the input ends."""
    questions = CommandTools(folder)
    try:
        server_of(questions).run("stdio")
    finally:
        questions.worker.stop()
