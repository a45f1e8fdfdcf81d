"""The command that prints the content of a screen, for a colleague or a script."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tui.run.controller import Controller

# Options that affect the compile; each may be a list.
KEPT = ("node", "facts", "modulepath", "hiera_config", "config")


def command_of(screen: str, controller: Controller, options: Mapping[str, object]) -> str:
    """Return the command of a screen; empty if there is none.

    Run, Graph and Source are about the selection: with an earlier one, the command is the way from
    the one to the other.
    """
    words = WORDS.get(screen, of_selection)(controller)
    return shlex.join(["catgraph", *words, *kept(options)]) if words else ""


def kept(options: Mapping[str, object]) -> Iterator[str]:
    """Yield the options that affect the compile."""
    for name in KEPT:
        value = options.get(name)
        for one in value if isinstance(value, list | tuple) else [value]:
            if one:
                yield from (f"--{name.replace('_', '-')}", str(one))


def of_selection(controller: Controller) -> list[str]:
    """Return the words that explain the selection."""
    project, ref = controller.project, controller.selection
    if project is None or ref is None:
        return []
    if controller.history.past and controller.history.past[-1] != ref:
        graph = project.graph
        one, other = controller.history.past[-1], ref
        if graph.why(one, other).verdict == "after":
            one, other = other, one
        return ["why", project.path, str(one), str(other)]
    return ["impact", project.path, str(ref)]


def of_graph(controller: Controller) -> list[str]:
    """Return the words that draw the graph around the selection."""
    if controller.project is None or controller.selection is None:
        return []
    return ["graph", controller.project.path, "--focus", str(controller.selection)]


def of_input(*command: str) -> Callable[[Controller], list[str]]:
    """Return a function that puts a command before the input."""

    def words(controller: Controller) -> list[str]:
        project, exploring = controller.project, controller.exploring
        if exploring is not None and (project is None or command[0] == "explore"):
            return [*command, exploring.repository.request.path]
        return [*command, project.path] if project else []

    return words


def of_difference(controller: Controller) -> list[str]:
    """Return the words that print the differences."""
    from os.path import exists

    project = controller.project
    if project is None or project.other is None:
        return []
    other = project.other.title
    return (
        ["diff", other, project.path] if exists(other) else ["diff", "--rev", other, project.path]
    )


WORDS: dict[str, Callable[[Controller], list[str]]] = {
    "nodes": of_input("explore"),
    "graph": of_graph,
    "cycle": of_input("cycles"),
    "findings": of_input("lint"),
    "report": of_input("apply"),
    "against": of_difference,
}
