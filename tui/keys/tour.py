"""The tours: stops with a text and a key; each ends once its action is carried out.

The texts describe the samples of the tours, which `project.samples` names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tui.keys.keymap import Keys, written
from tui.present.pieces import Line, line


class TourStop(NamedTuple):
    """A stop of the tour: its text, and the action that ends it."""

    action: str
    text: str


STOPS: tuple[TourStop, ...] = (
    TourStop("step", "The list at the top lists the resources that are ready, then those that"
             " wait, with what they wait for. The first one is next: apply it."),
    TourStop("step", "It changed: the log shows the change, and the timeline has a mark for it."
             " Apply the next one."),
    TourStop("back", "You can step back too. That undoes nothing: it shows the run as it was"
             " before. Step back once."),
    TourStop("over", "The tree on the left shows which container holds which resource. Apply the"
             " rest of the container that holds the next resource."),
    TourStop("why", "Ask of any resource why it comes here, or why not yet. Select one with the"
             " arrow keys; tab goes to another pane. Esc closes the answer."),
    TourStop("next-tab", "The pane on the right describes the selection: its parameters, the edges"
             " with the lines that made them, events, diff, source. Show the next tab."),
    TourStop("inject", "What if a resource fails? Inject an outcome of the selection: enter"
             " chooses it."),
    TourStop("continue", "Apply the rest of the run: all that depends on this resource will be"
             " skipped."),
    TourStop("previous-mark", "The timeline marks failures, refreshes and skips. Go back to the"
             " previous mark."),
    TourStop("break", "Set a breakpoint on the selection: a run stops there in both directions."),
    TourStop("continue-back", "Go back to the previous breakpoint, or to the beginning."),
    TourStop("graph-screen", "All screens share the selection. Show it in the graph, between its"
             " dependencies and its dependents."),
    TourStop("run-screen", "Go back to the run."),
    TourStop("palette", "Find any resource or action by a part of its name. Esc closes the list."),
    TourStop("theme", "Switch between the light and the dark theme."),
    TourStop("help", "That was the tour. The help lists all keys; you can change each of them."),
)  # fmt: skip

BROKEN: tuple[TourStop, ...] = (
    TourStop("graph-screen", "Puppet would refuse this catalog: its resources wait for each other"
             " in a cycle. The list at the top names them. Show the selection in the graph."),
    TourStop("graph-cycles", "The graph shows what one resource depends on, and what depends on"
             " it. Show the cycle."),
    TourStop("cycle-next", "Each edge of the cycle is shown with the statement that makes it; its"
             " line in the manifest is next to it or below. Go to the next edge."),
    TourStop("cycle-cut", "The pane at the bottom names the fewest statements to remove, and which"
             " ordering is lost by that. Go to the edge that the cut removes."),
    TourStop("findings-screen", "The linter can try the cut. Show its findings."),
    TourStop("source-screen", "The fix is shown as a diff, with the ordering lost: the file would"
             " no longer be there before the package. Decide which statement was meant: show it in"
             " the manifest."),
    TourStop("copy", "Copy the cycle as Markdown, for the person who knows which one to remove."),
    TourStop("run-screen", "Go back to the run. It can start when the manifest is changed and"
             " compiled again."),
)  # fmt: skip


@dataclass(slots=True)
class Tour:
    """A tour at one of its stops."""

    stops: tuple[TourStop, ...] = STOPS
    at: int = 0

    @property
    def is_over(self) -> bool:
        """Return whether the last stop is over."""
        return self.at >= len(self.stops)

    def saw(self, action: str) -> bool:
        """Go to the next stop if an action ends this one; return whether it did."""
        if not self.is_over and self.stops[self.at].action == action:
            self.at += 1
            return True
        return False

    def lines(self, keys: Keys, width: int) -> list[Line]:
        """Return the text of this stop."""
        from textwrap import wrap

        if self.is_over:
            text, key = "The tour is over. Press 'K' to start a run against this host.", ""
            if self.stops is BROKEN:
                text = "The tour is over. 'catgraph cycles' prints the same report in the shell."
        else:
            stop = self.stops[self.at]
            text, key = stop.text, written(keys[stop.action][0])
        # The width of a line's head, and of a column at both edges of the panel.
        rows = wrap(text, max(20, width - 15))
        head = f"Tour {min(self.at + 1, len(self.stops))}/{len(self.stops)}"
        found = [line((f" {head:<12}", "title"), rows[0])]
        found += [line(" " * 13, row) for row in rows[1:]]
        if key:
            found.append(
                line(" " * 13, "press ", (f" {key} ", "press"), ("   or f1 to end the tour", "dim"))
            )
        return found
