"""The guided tour: what to press, and what it shows; each stop ends when its action was done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tui.keys.keymap import Keys, written
from tui.present.pieces import Line, line


class Stop(NamedTuple):
    """One stop: the action that leads on, and what is said before it."""

    action: str
    text: str


STOPS: tuple[Stop, ...] = (
    Stop("step", "This is a node that Puppet is about to change. The frontier lists what is ready:"
         " the first is next, the others could come as well. Apply it."),
    Stop("step", "It changed: see the log below, and the mark on the time line. What waited for it"
         " is ready now. Once more."),
    Stop("back", "A run can be gone back too: nothing is undone, you only look at an earlier"
         " moment. Go back a step."),
    Stop("over", "The tree on the left shows what contains what. Go on to the end of the container"
         " that the next resource is in."),
    Stop("why", "Every resource can be asked why it is its turn, or why not yet: choose one with"
         " the arrow keys, tab changes the pane. Esc closes the answer."),
    Stop("next-tab", "On the right is all that is known of the selection: parameters, edges with"
         " the line that made them, events, diff, source. Turn to the next tab."),
    Stop("inject", "What if something goes wrong? Let the selection fail: choose what becomes of"
         " it with enter."),
    Stop("continue", "Now go on to the end, and see what is skipped because of it."),
    Stop("previous-mark", "The time line marks failures, refreshes and skips. Go back to the last"
         " of them."),
    Stop("break", "Set a breakpoint on the selection: a run stops there, in both directions."),
    Stop("continue-back", "Go back to the breakpoint before, or to the beginning."),
    Stop("graph-screen", "The selection is shared by all screens. See it in the graph, among what"
         " comes before and after."),
    Stop("run-screen", "And back to the run."),
    Stop("palette", "Find any resource or action by a part of its name. Esc closes it."),
    Stop("theme", "Light or dark, as you like."),
    Stop("help", "That is all you need. This lists the rest; every key can be changed."),
)  # fmt: skip


@dataclass(slots=True)
class Tour:
    """A tour at one of its stops."""

    at: int = 0

    @property
    def is_over(self) -> bool:
        """Whether all stops were seen."""
        return self.at >= len(STOPS)

    def saw(self, action: str) -> bool:
        """Take in an action that was carried out; return whether the tour went on."""
        if not self.is_over and STOPS[self.at].action == action:
            self.at += 1
            return True
        return False

    def lines(self, keys: Keys, width: int) -> list[Line]:
        """Return what is said at this stop."""
        from textwrap import wrap

        if self.is_over:
            text, key = "The tour is over. 'K' begins a run that looks at this host.", ""
        else:
            stop = STOPS[self.at]
            text, key = stop.text, written(keys[stop.action][0])
        rows = wrap(text, max(20, width - 14))
        head = f"Tour {min(self.at + 1, len(STOPS))}/{len(STOPS)}"
        found = [line((f" {head:<12}", "title"), rows[0])]
        found += [line(" " * 13, row) for row in rows[1:]]
        if key:
            found.append(
                line(" " * 13, "press ", (f" {key} ", "press"), ("   f1 ends the tour", "dim"))
            )
        return found
