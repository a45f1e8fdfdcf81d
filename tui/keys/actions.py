"""Everything a person can do, as one table: keys, help, palette and hints all come from it.

An action is carried out by the method `do_ID` (with `_` for `-`) of the focused widget, of what
it is in, of the screen, or of the application: the first that has one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.keys import conditions as available

if TYPE_CHECKING:
    from tui.run.controller import Controller

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
    Action("over", "over", ("n",), RUN,
           "go to the end of the container that the next resource is in",
           available.can_go_on, ("run",), STEPPING),
    Action("over-back", "back over", ("N",), RUN, "go back to where that container begins",
           available.can_go_back, ("run",)),
    Action("continue", "continue", ("c",), RUN, "go on to the next breakpoint, or to the end",
           available.can_go_on, ("run",), STEPPING),
    Action("continue-back", "continue back", ("C",), RUN,
           "go back to the breakpoint before, or to the beginning",
           available.can_go_back, ("run",), ("timeline",)),
    Action("run-to", "to selection", ("t",), RUN, "go on until the selection is next",
           available.can_run_to, ("run",), ("tree", "frontier", "detail")),
    Action("run-back-to", "back to selection", ("T",), RUN, "go back until the selection is next",
           available.can_go_back, ("run",), ("log",)),
    Action("finish", "finish", ("f",), RUN,
           "go to the end of the selected container, or of what the selection is in",
           available.can_go_on, ("run",), ("tree",)),
    Action("finish-back", "finish back", ("F",), RUN, "go back to where that container begins",
           available.can_go_back, ("run",)),
    Action("pick", "apply next", ("p",), RUN,
           "apply the selection now, though another comes first: it has to be ready",
           available.can_pick, ("run",), ("frontier",)),
    Action("next-mark", "next mark", ("]",), RUN, "go to the next failure, refresh or skip",
           available.is_open, ("run",), ("timeline", "log")),
    Action("previous-mark", "mark before", ("[",), RUN, "go to the one before",
           available.can_go_back, ("run",), ("timeline", "log")),
    Action("go-to", "go to step", ("g",), RUN, "go to a step by its number",
           available.is_open, ("run",), ("timeline", "log")),
    Action("head", "head", (".",), RUN, "go to the last step that is known",
           available.is_behind, ("run",), STEPPING),
    Action("restart", "restart", ("R",), RUN, "go back to the beginning",
           available.can_go_back, ("run",)),
    Action("stop", "stop", ("escape",), RUN, "stop a run that goes on by itself",
           available.is_busy, ("run",), STEPPING),
    Action("break", "break", ("b",), STEER, "set a breakpoint on the selection, or take it away",
           available.has_selection, ("run",), ("tree", "frontier", "detail")),
    Action("breakpoints", "breakpoints", ("B",), STEER,
           "all breakpoints; add one on a type, tag, file:line, event, with a condition",
           available.is_open, ("run",)),
    Action("inject", "inject", ("x",), STEER,
           "let the selection fail, in apply or refresh, or change in any case",
           available.can_inject, ("run",), ("tree", "frontier", "detail")),
    Action("noop", "noop", ("o",), STEER, "switch noop of the selection",
           available.can_steer, ("run",), ("tree", "detail")),
    Action("noop-all", "noop all", ("O",), STEER, "switch noop of the whole run",
           available.can_steer_run, ("run",)),
    Action("kind", "kind of run", ("K",), STEER,
           "simulated, noop against this host, or real", available.is_open, ("run",)),
    Action("branches", "branches", ("v",), STEER, "go through another branch of the run",
           available.has_branches, ("run",), STEPPING),
    Action("compare", "compare", ("V",), STEER, "compare two branches at their ends",
           available.has_branches, ("run",), STEPPING),
    Action("why", "why", ("w",), ASK,
           "why the selection is here, or why not yet; so does enter in a list",
           available.has_selection, ("run",), ("tree", "frontier", "detail")),
    Action("next-tab", "next tab", ("d",), ASK, "parameters, edges, events, diff, source",
           available.has_selection, ("run",), ("detail",)),
    Action("previous-tab", "tab before", ("D",), ASK, "the tab before",
           available.has_selection, ("run",)),
    Action("select-next", "select next", ("space",), FIND, "select what is next",
           available.is_open, ("run",), ("log",)),
    Action("select-last", "select last", (",",), FIND, "select what was done last",
           available.can_go_back, ("run",)),
    Action("select-container", "container", ("u",), FIND, "select what contains the selection",
           available.has_selection),
    Action("earlier", "earlier", ("-",), FIND, "select what was selected before",
           available.has_past),
    Action("later", "later", ("=",), FIND, "select what was selected after that",
           available.has_future),
    Action("filter", "filter", ("/",), FIND, "show only lines with some words, in this pane",
           available.is_open, ("run", "findings", "report"),
           ("tree", "frontier", "log", "findings", "report")),
    Action("command", "command", (":",), FIND, "type a command: :help lists them"),
    Action("palette", "find", ("ctrl+p",), FIND, "find any resource or action by its name",
           panes=("*",)),
    Action("jump", "jump", ("ctrl+o",), FIND, "go to a pane by a letter"),
    Action("zoom", "zoom", ("z",), FIND, "let this pane fill the screen, or be as it was",
           available.is_open, ("run",)),
    Action("graph-centre", "to the middle", ("enter",), FIND,
           "put the resource under the cursor into the middle; open a fold",
           available.has_selection, GRAPH, ("around", "walk")),
    Action("graph-fold", "fold", ("space",), FIND,
           "open what is folded, or fold resources of one type again",
           available.has_selection, GRAPH, ("around",)),
    Action("graph-deeper", "wider", (">",), FIND,
           "show a column more on each side", available.has_selection, GRAPH, ("around",)),
    Action("graph-shallower", "narrower", ("<",), FIND,
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
    Action("run-screen", "Run", ("1",), SCREENS,
           "the run: what is next, what waits, what happened"),
    Action("graph-screen", "Graph", ("2",), SCREENS,
           "the selection among what comes before and after", available.is_open),
    Action("findings-screen", "Findings", ("3",), SCREENS, "what a reviewer would say",
           available.is_open),
    Action("source-screen", "Source", ("4",), SCREENS, "the manifest at the selection",
           available.is_open),
    Action("report-screen", "Report", ("5",), SCREENS, "totals, slowest, critical chain",
           available.is_open),
    Action("export", "export", ("e",), FILES,
           "a picture of the focus, the log, the report", available.is_open,
           panes=("around", "report")),
    Action("copy", "copy", ("y",), FILES,
           "what the cursor is on as markdown to the clipboard: a cycle, a fix, the selection",
           available.is_open, panes=("walk", "cut", "findings", "finding")),
    Action("open", "open", ("ctrl+f",), FILES,
           "open a catalog, manifests, a report, a log, a policy, or a sample"),
    Action("theme", "theme", ("ctrl+t",), APP, "light or dark colours"),
    Action("tour", "tour", ("f1",), APP, "a guided tour of two minutes"),
    Action("help", "help", ("?",), APP, "all keys and what they do", panes=("*",)),
    Action("interrupt", "interrupt", ("ctrl+c",), APP,
           "stop a run that goes on, on any screen; twice ends a real one at once"),
    Action("suspend", "suspend", ("ctrl+z",), APP, "go back to the shell; 'fg' comes back"),
    Action("quit", "quit", ("q", "ctrl+q"), APP, "leave; a real run that is not at its end asks"),
)
# fmt: on

BY_ID = {action.id: action for action in ACTIONS}


def actions_of(screen: str) -> list[Action]:
    """Return the actions that a screen has."""
    return [action for action in ACTIONS if not action.where or screen in action.where]
