"""The table of all actions: keys, help, palette and hints come from it.

An action is a command to the run (a row of `run_commands`), or the method `do_ID` (with `_` for
`-`) of the focused widget, of a widget around it or of the screen, or a row of `screens.handlers`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.keys import conditions

if TYPE_CHECKING:
    from tui.run.controller import Controller

# Returns the reason why an action cannot be carried out now; empty if it can.
When = Callable[["Controller"], str]


@dataclass(frozen=True, slots=True)
class Action:
    """A row: `keys` in Textual's names, `where` the screens that have it, none for all.

    `title` appears in the hints at the bottom, `help` in the help and the palette. `panes` are the
    parts of a screen whose hints include it, in the table's order; `*` is any.
    """

    id: str
    title: str
    keys: tuple[str, ...]
    group: str
    help: str
    when: When = conditions.always
    where: tuple[str, ...] = ()
    panes: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        """Return the name of the method of a widget or screen that carries it out."""
        return f"do_{self.id.replace('-', '_')}"

    @property
    def shows(self) -> str:
        """Return the screen that it shows; empty for other actions."""
        return self.id.removesuffix("-screen") if self.id.endswith("-screen") else ""


RUN, STEER, ASK, FIND, SCREENS, FILES, APP = (
    "Moving through the run",
    "Steering the run",
    "Asking",
    "Finding and selecting",
    "Screens",
    "Files",
    "The application",
)
GRAPH, FINDINGS, SOURCE, REPORT = ("graph",), ("findings",), ("source",), ("report",)
NODES, AGAINST = ("nodes",), ("against",)
STEPPING = ("tree", "frontier", "log", "timeline", "detail")

# fmt: off
ACTIONS: tuple[Action, ...] = (
    Action("step", "step", ("s",), RUN, "apply the next resource",
           conditions.can_go_on, ("run",), STEPPING),
    Action("back", "back", ("S",), RUN, "go back one step",
           conditions.can_go_back, ("run",), STEPPING),
    Action("over", "over", ("n",), RUN,
           "run to the end of the container that holds the next resource",
           conditions.can_go_on, ("run",), STEPPING),
    Action("over-back", "back over", ("N",), RUN, "go back to the start of that container",
           conditions.can_go_back, ("run",)),
    Action("continue", "continue", ("c",), RUN,
           "run to the next breakpoint, or to the end",
           conditions.can_go_on, ("run",), STEPPING),
    Action("continue-back", "continue back", ("C",), RUN,
           "go back to the previous breakpoint or the beginning",
           conditions.can_go_back, ("run",), ("timeline",)),
    Action("run-to", "to selection", ("t",), RUN, "run until the selection is next",
           conditions.can_run_to, ("run",), ("tree", "frontier", "detail")),
    Action("run-back-to", "back to selection", ("T",), RUN, "go back until the selection is next",
           conditions.can_go_back, ("run",), ("log",)),
    Action("finish", "finish", ("f",), RUN,
           "run to the end of the selected container, or of the selection's container",
           conditions.can_go_on, ("run",), ("tree",)),
    Action("finish-back", "finish back", ("F",), RUN, "go back to the start of that container",
           conditions.can_go_back, ("run",)),
    Action("pick", "apply now", ("p",), RUN,
           "apply the selection now, out of turn: it must be ready",
           conditions.can_pick, ("run",), ("frontier",)),
    Action("next-mark", "next mark", ("]",), RUN, "go to the next failure, refresh or skip",
           conditions.is_open, ("run",), ("timeline", "log")),
    Action("previous-mark", "previous mark", ("[",), RUN,
           "go to the previous failure, refresh or skip",
           conditions.can_go_back, ("run",), ("timeline", "log")),
    Action("go-to", "go to step", ("g",), RUN, "go to a step by its number",
           conditions.is_open, ("run",), ("timeline", "log")),
    Action("head", "last step", (".",), RUN, "go to the latest step",
           conditions.is_behind, ("run",), STEPPING),
    Action("restart", "restart", ("R",), RUN, "go back to the beginning",
           conditions.can_go_back, ("run",)),
    Action("stop", "stop", ("escape",), RUN, "stop the current run",
           conditions.is_busy, ("run",), STEPPING),
    Action("break", "break", ("b",), STEER, "set or remove a breakpoint on the selection",
           conditions.has_selection, ("run",), ("tree", "frontier", "detail")),
    Action("breakpoints", "breakpoints", ("B",), STEER,
           "list, add and remove breakpoints: on a type, tag, file:line, event, condition",
           conditions.is_open, ("run",)),
    Action("inject", "inject", ("x",), STEER,
           "inject an outcome: the selection fails, changes or fails to refresh",
           conditions.can_inject, ("run",), ("tree", "frontier", "detail")),
    Action("noop", "noop", ("m",), STEER, "turn noop on or off for the selection",
           conditions.can_steer, ("run",), ("tree", "detail")),
    Action("noop-all", "noop all", ("M",), STEER, "turn noop on or off for the run",
           conditions.can_steer_run, ("run",)),
    Action("kind", "new run", ("K",), STEER,
           "start a new run: simulated, noop on this host, or real", conditions.is_open, ("run",)),
    Action("branches", "branches", ("v",), STEER, "switch to another branch of the run",
           conditions.has_branches, ("run",), STEPPING),
    Action("compare", "compare", ("V",), STEER, "compare the results of two branches",
           conditions.has_branches, ("run",), STEPPING),
    Action("why", "why", ("w",), ASK,
           "explain why the selection is applied here, or why not yet (also enter)",
           conditions.has_selection, ("run",), ("tree", "frontier", "detail")),
    Action("next-tab", "next tab", ("d",), ASK,
           "show the next tab: parameters, edges, events, diff, source",
           conditions.has_selection, ("run",), ("detail",)),
    Action("previous-tab", "previous tab", ("D",), ASK, "show the previous tab",
           conditions.has_selection, ("run",)),
    Action("select-next", "select next", ("space",), FIND, "select the next resource",
           conditions.is_open, ("run",), ("log",)),
    Action("select-last", "select last", (",",), FIND, "select the resource of the last step",
           conditions.can_go_back, ("run",)),
    Action("select-container", "container", ("u",), FIND, "select the container of the selection",
           conditions.has_selection),
    Action("earlier", "earlier", ("-",), FIND, "go back to the previous selection",
           conditions.has_past),
    Action("later", "later", ("=",), FIND, "go forward to the next selection",
           conditions.has_future),
    Action("filter", "filter", ("/",), FIND,
           "show only the lines of this pane with all words, or go to them with 'n' and 'N' "
           "(Source, details); esc ends it",
           conditions.always,
           ("welcome", "nodes", "run", "graph", "findings", "source", "report", "against"),
           ("nodes", "tree", "frontier", "log", "around", "findings", "lines", "files", "report",
            "pairs", "differences")),
    Action("command", "command", (":",), FIND, "type a command: '?' lists them"),
    Action("palette", "find", ("ctrl+p",), FIND, "find a resource or an action by its name",
           panes=("*",)),
    Action("jump", "jump", ("ctrl+o",), FIND, "go to a pane by its letter"),
    Action("zoom", "zoom", ("z",), FIND, "maximise this pane, or restore it",
           conditions.is_open, ("run",)),
    Action("node-open", "open", ("enter",), FIND,
           "open the world under the cursor, or show the worlds of a node with several",
           conditions.has_nodes, NODES, NODES),
    Action("node-worlds", "worlds", ("space",), FIND,
           "show or hide the worlds of the node", conditions.has_nodes, NODES, NODES),
    Action("node-next", "next cycle", ("n",), FIND, "go to the next node with a cycle",
           conditions.has_nodes, NODES, NODES),
    Action("node-previous", "previous", ("N",), FIND, "go to the previous node with a cycle",
           conditions.has_nodes, NODES),
    Action("node-stop", "stop", ("escape",), ASK, "stop exploring; the results stay",
           conditions.is_exploring, NODES, NODES),
    # Below the actions that stop something with the same key.
    Action("unfilter", "clear filter", ("escape",), FIND,
           "show the lines that a filter hides"),
    Action("node-again", "explore", ("r",), ASK,
           "explore the remaining nodes, or else this node again",
           conditions.has_nodes, NODES, NODES),
    Action("graph-centre", "centre", ("enter",), FIND,
           "centre the resource under the cursor; expand a group",
           conditions.has_selection, GRAPH, ("around", "walk")),
    Action("graph-fold", "fold", ("space",), FIND,
           "expand or collapse resources of one type",
           conditions.has_selection, GRAPH, ("around",)),
    Action("graph-deeper", "wider", (">",), FIND,
           "show one more column on each side", conditions.has_selection, GRAPH, ("around",)),
    Action("graph-shallower", "narrower", ("<",), FIND,
           "show one column fewer on each side", conditions.has_selection, GRAPH),
    Action("graph-cycles", "cycles", ("c",), ASK,
           "show the dependency cycles, edge by edge",
           conditions.has_cycle, GRAPH, ("around", "walk", "statement", "cut")),
    Action("cycle-next", "next edge", ("n",), ASK, "go to the next edge of the cycle",
           conditions.has_cycle, GRAPH, ("walk", "statement", "cut")),
    Action("cycle-previous", "previous", ("N",), ASK, "go to the previous edge of the cycle",
           conditions.has_cycle, GRAPH),
    Action("cycle-cut", "cut", ("x",), ASK, "go to the edge that the suggested cut removes",
           conditions.has_cycle, GRAPH, ("walk", "statement", "cut")),
    Action("cycle-other", "next cycle", ("C",), ASK, "show the next cycle",
           conditions.has_cycle, GRAPH, ("walk",)),
    Action("source-graph", "graph", ("enter",), FIND, "show the selection in the graph",
           conditions.has_selection, SOURCE, ("lines",)),
    Action("source-next", "next", ("n",), FIND,
           "go to the next line with a declaration or a relationship",
           conditions.is_open, SOURCE, ("lines",)),
    Action("source-previous", "previous", ("N",), FIND,
           "go to the previous line with a declaration or a relationship",
           conditions.is_open, SOURCE, ("lines",)),
    Action("source-other", "other", ("space",), FIND,
           "select another resource on this line",
           conditions.has_selection, SOURCE, ("lines",)),
    Action("source-files", "files", ("f",), FIND, "show or hide the list of files",
           conditions.is_open, SOURCE, ("lines", "files")),
    Action("finding-source", "source", ("enter",), FIND,
           "show the manifest at the finding",
           conditions.is_open, FINDINGS, ("findings", "finding")),
    Action("finding-graph", "graph", ("g",), FIND,
           "show the finding's first resource in the graph",
           conditions.is_open, FINDINGS, ("findings", "finding")),
    Action("finding-order", "sort", ("s",), FIND,
           "sort the findings by severity or by file",
           conditions.is_open, FINDINGS, ("findings",)),
    Action("finding-again", "lint again", ("r",), ASK,
           "lint the files again",
           conditions.is_open, FINDINGS, ("findings",)),
    Action("report-run", "run", ("enter",), FIND, "show the selection in the run",
           conditions.has_selection, REPORT, ("report",)),
    Action("report-graph", "graph", ("g",), FIND, "show the selection in the graph",
           conditions.has_selection, REPORT, ("report",)),
    Action("report-next", "next section", ("n",), FIND, "go to the next section",
           conditions.is_open, REPORT, ("report", "totals")),
    Action("report-previous", "previous", ("N",), FIND, "go to the previous section",
           conditions.is_open, REPORT, ("report", "totals")),
    Action("against-step", "step", ("s",), ASK, "go to the next step of both runs",
           conditions.has_other, AGAINST, ("pairs",)),
    Action("against-back", "back", ("S",), ASK, "go to the previous step of both runs",
           conditions.has_other, AGAINST, ("pairs",)),
    Action("against-next", "next difference", ("n", "c"), ASK,
           "go to the next step where the runs differ",
           conditions.has_other, AGAINST, ("pairs", "differences")),
    Action("against-previous", "previous", ("N", "C"), ASK,
           "go to the previous step where the runs differ",
           conditions.has_other, AGAINST, ("pairs",)),
    Action("nodes-screen", "Nodes", ("0",), SCREENS,
           "show the nodes of the control repo or module, and their worlds",
           conditions.has_nodes),
    Action("run-screen", "Run", ("1",), SCREENS,
           "show the run: ready, waiting, log", conditions.is_open),
    Action("graph-screen", "Graph", ("2",), SCREENS,
           "show the dependencies and dependents of the selection", conditions.is_open),
    Action("findings-screen", "Findings", ("3",), SCREENS, "show the findings of the linter",
           conditions.is_open),
    Action("source-screen", "Source", ("4",), SCREENS, "show the manifest at the selection",
           conditions.is_open),
    Action("report-screen", "Report", ("5",), SCREENS,
           "show the report: totals, slowest resources, critical path",
           conditions.is_open),
    Action("against-screen", "Compare", ("6",), SCREENS,
           "compare with the input or revision of --against: differences, both runs side by side",
           conditions.has_other),
    Action("export", "export", ("E",), FILES,
           "write the graph, the log or the report to a file", conditions.is_open,
           panes=("around", "report")),
    Action("copy", "copy", ("y",), FILES,
           "copy the reference, the place, the line, the command of this view, or Markdown",
           conditions.has_lines, panes=("walk", "cut", "findings", "finding")),
    Action("edit", "edit", ("e",), FILES, "open $EDITOR at the statement",
           conditions.is_open, panes=("walk", "statement", "cut", "findings", "finding", "lines")),
    Action("page", "page", ("o",), FILES, "open the graph page of the selection in a browser",
           conditions.has_selection, panes=("around",)),
    Action("open", "open", ("ctrl+f",), FILES,
           "open a catalog, manifests, a report, a journal, a policy or a sample"),
    Action("theme", "theme", ("ctrl+t",), APP, "switch between the light and the dark theme"),
    Action("tour", "tour", ("f1",), APP, "start or end the two-minute tour"),
    Action("tour-broken", "tour of a cycle", ("f2",), APP,
           "start the tour of a catalog with a cycle"),
    Action("help", "help", ("?",), APP, "show all keys", panes=("*",)),
    Action("interrupt", "interrupt", ("ctrl+c",), APP,
           "stop the run on any screen; twice, stop a real run at once"),
    Action("suspend", "suspend", ("ctrl+z",), APP, "return to the shell; type 'fg' to come back"),
    Action("quit", "quit", ("q", "ctrl+q"), APP, "quit; asks first in the middle of a real run"),
)
# fmt: on

BY_ID = {action.id: action for action in ACTIONS}


def actions_of(screen: str) -> list[Action]:
    """Return the actions that a screen has."""
    return [action for action in ACTIONS if not action.where or screen in action.where]
