"""Everything a person can do, as one table: keys, help, palette and hints all come from it.

An action is carried out by the method `do_ID` (with `_` for `-`) of the focused widget, of what
it is in, of the screen, or of the application: the first that has one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui import available

if TYPE_CHECKING:
    from tui.controller import Controller

# Returns why an action cannot be carried out now; empty if it can.
When = Callable[["Controller"], str]


@dataclass(frozen=True, slots=True)
class Action:
    """A row: `keys` in Textual's names, `where` the screens that have it, none meaning all.

    `title` is what the hints at the bottom say, `panes` those parts of a screen in which it is
    hinted at, in the table's order; `*` is any.
    """

    id: str
    title: str
    keys: tuple[str, ...]
    group: str
    help: str
    when: When = available.always
    where: tuple[str, ...] = ()
    panes: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        """The name of the method that carries it out."""
        return f"do_{self.id.replace('-', '_')}"


RUN, STEER, ASK, FIND, SCREENS, FILES, APP = (
    "Going through the run",
    "Steering the run",
    "Asking",
    "Finding and choosing",
    "Screens",
    "Taking things along",
    "The application",
)
GRAPH, FINDINGS, SOURCE, REPORT = ("graph",), ("findings",), ("source",), ("report",)
STEPPING = ("tree", "frontier", "log", "timeline", "detail")

# fmt: off
ACTIONS: tuple[Action, ...] = (
    Action("step", "step", ("s",), RUN, "apply the next resource",
           available.can_go_on, ("run",), STEPPING),
    Action("back", "back", ("S",), RUN, "go back one step",
           available.can_go_back, ("run",), STEPPING),
    Action("run-screen", "Run", ("1",), SCREENS,
           "the run: what is next, what waits, what happened"),
    Action("graph-screen", "Graph", ("2",), SCREENS,
           "the selection among what comes before and after"),
    Action("findings-screen", "Findings", ("3",), SCREENS, "what a reviewer would say"),
    Action("source-screen", "Source", ("4",), SCREENS, "the manifest at the selection"),
    Action("report-screen", "Report", ("5",), SCREENS, "totals, slowest, critical chain"),
    Action("graph-centre", "to the middle", ("enter",), FIND,
           "put the resource under the cursor into the middle; open a fold",
           available.has_selection, GRAPH, ("around", "walk")),
    Action("graph-back", "back", ("left_square_bracket", "backspace"), FIND,
           "put what was in the middle before back there",
           available.has_selection, GRAPH, ("around",)),
    Action("graph-forward", "forward", ("right_square_bracket",), FIND, "undo going back",
           available.has_selection, GRAPH),
    Action("graph-fold", "fold", ("space",), FIND,
           "open what is folded, or fold resources of one type again",
           available.has_selection, GRAPH, ("around",)),
    Action("graph-deeper", "wider", ("plus", "equals_sign"), FIND,
           "show a column more on each side", available.has_selection, GRAPH, ("around",)),
    Action("graph-shallower", "narrower", ("minus",), FIND,
           "show a column less on each side", available.has_selection, GRAPH),
    Action("graph-cycles", "cycles", ("c",), ASK,
           "walk round the dependency cycles, edge by edge",
           available.has_cycle, GRAPH, ("around", "walk", "statement", "cut")),
    Action("cycle-next", "next edge", ("n",), ASK, "go on along the cycle",
           available.has_cycle, GRAPH, ("walk", "statement", "cut")),
    Action("cycle-previous", "previous", ("N",), ASK, "go back along the cycle",
           available.has_cycle, GRAPH),
    Action("cycle-cut", "to the cut", ("x",), ASK, "go to the edge that the proposed cut removes",
           available.has_cycle, GRAPH, ("walk", "statement", "cut")),
    Action("cycle-other", "next cycle", ("C",), ASK, "walk round the next cycle",
           available.has_cycle, GRAPH, ("walk",)),
    Action("cycle-copy", "copy", ("y",), FILES, "copy the cycle as Markdown to the clipboard",
           available.has_cycle, GRAPH, ("walk", "statement", "cut")),
    Action("graph-picture", "picture", ("e",), FILES,
           "write a picture of the neighbourhood: svg, html, dot or mermaid",
           available.has_selection, GRAPH, ("around",)),
    Action("source-graph", "graph", ("enter",), FIND, "show the selection in the graph",
           available.has_selection, SOURCE, ("lines",)),
    Action("source-next", "next", ("n",), FIND,
           "go to the next line that declares or relates something",
           available.is_open, SOURCE, ("lines",)),
    Action("source-previous", "previous", ("N",), FIND,
           "go to the last line before that declares or relates something",
           available.is_open, SOURCE, ("lines",)),
    Action("source-other", "other", ("o",), FIND,
           "select another resource that the same line declares",
           available.has_selection, SOURCE, ("lines",)),
    Action("source-files", "files", ("f",), FIND, "show or hide the list of files",
           available.is_open, SOURCE, ("lines", "files")),
    Action("finding-source", "source", ("enter",), FIND,
           "show the manifest at the place of the finding",
           available.is_open, FINDINGS, ("findings", "finding")),
    Action("finding-graph", "graph", ("g",), FIND,
           "show the finding's first resource in the graph",
           available.is_open, FINDINGS, ("findings", "finding")),
    Action("finding-order", "order", ("o",), FIND,
           "order the findings by file, or by how grave they are",
           available.is_open, FINDINGS, ("findings",)),
    Action("finding-patch", "copy fix", ("y",), FILES,
           "copy the fix as a patch to the clipboard",
           available.is_open, FINDINGS, ("findings", "finding")),
    Action("finding-again", "again", ("r",), ASK,
           "look again, at the files as they are now",
           available.is_open, FINDINGS, ("findings",)),
    Action("report-run", "run", ("enter",), FIND, "show the selection in the run",
           available.has_selection, REPORT, ("report",)),
    Action("report-graph", "graph", ("g",), FIND, "show the selection in the graph",
           available.has_selection, REPORT, ("report",)),
    Action("report-next", "next section", ("n",), FIND, "go to the next section",
           available.is_open, REPORT, ("report", "totals")),
    Action("report-previous", "previous", ("N",), FIND, "go to the section before",
           available.is_open, REPORT, ("report", "totals")),
    Action("help", "help", ("?",), APP, "all keys and what they do", panes=("*",)),
    Action("quit", "quit", ("q",), APP, "leave"),
)
# fmt: on

BY_ID = {action.id: action for action in ACTIONS}


def actions_of(screen: str) -> list[Action]:
    """Return the actions that a screen has."""
    return [action for action in ACTIONS if not action.where or screen in action.where]
