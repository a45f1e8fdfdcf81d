"""The run without screens, for a screen reader: you type a line, and each change is one line."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from analyzer.diagnostics import InputError
from analyzer.source import Span
from tui.keys.actions import BY_ID
from tui.keys.keymap import keys_of
from tui.keys.run_commands import RUN_COMMANDS
from tui.present.log import log_line
from tui.present.pieces import plain, printable
from tui.present.waiting import why as why_lines
from tui.project.opening import open_project
from tui.project.project import OpenRequest, Project
from tui.run.agent_timeline import AgentTimeline
from tui.run.controller import Controller
from tui.run.messages import Notice

if TYPE_CHECKING:
    from textual.message import Message

SEVERAL = "it has several nodes or worlds: choose one with --node NAME --facts FILE"
PROMPT = "> "


def start(path: str, options: Mapping[str, object]) -> int:
    """Carry out the lines that you type until the input ends or you type q; return the exit code.

    Raises:
        InputError: the input cannot be read, or has several nodes.
        CompileError: the manifests cannot be compiled.
    """
    gc.enable()
    found = open_project(OpenRequest(path, options))
    if not isinstance(found, Project):
        raise InputError(SEVERAL, Span(path), "several")
    session = Session(found)
    for text in (*found.warnings, "type a command; ? lists them", session.place()):
        print(printable(text))
    while True:
        try:
            words = input(PROMPT).strip()
        except EOFError:
            return 0
        if words in ("q", "quit"):
            return 0
        for text in session.answer(words):
            print(text)


class Session:
    """A simulated or recorded run, and the commands typed for it."""

    def __init__(self, project: Project) -> None:
        self.messages: list[str] = []
        self.controller = Controller(self.take)
        self.controller.open(project)
        keys = keys_of(project.config)
        self.commands = {key: id for id in RUN_COMMANDS for key in (*keys[id][:1], id)}

    def take(self, message: Message) -> None:
        """Keep a notice for the answer."""
        if isinstance(message, Notice):
            self.messages.append(f"{message.severity}: {message.text}")

    def answer(self, words: str) -> Iterator[str]:
        """Carry out a line; yield the lines that answer it."""
        word, _, rest = words.partition(" ")
        if word in self.commands:
            yield from self.carry_out(self.commands[word])
        elif word in ("w", "why"):
            yield from self.why(rest)
        elif word in ("?", "help"):
            yield "w [REF]: explain why it is applied here, or why not yet. q: quit."
            yield from (
                f"{key}: {BY_ID[id].help}" for key, id in self.commands.items() if key != id
            )
        elif word:
            self.controller.select(words)
            yield from self.notices()
            yield f"selected: {printable(str(self.controller.selection))}"

    def notices(self) -> Iterator[str]:
        """Yield the controller's messages since the last call."""
        messages, self.messages = self.messages, []
        yield from map(printable, messages)

    def carry_out(self, action: str) -> Iterator[str]:
        """Carry out a command to the run; yield a line for each change, and the place."""
        controller = self.controller
        begin = controller.timeline.position
        reason = BY_ID[action].when(controller)
        if reason:
            yield printable(reason)
            return
        for _ in controller.steps(RUN_COMMANDS[action](controller)):
            pass
        story = controller.story
        if controller.timeline.position > begin:
            entries = story.entries[story.ends[begin] : story.ends[controller.timeline.position]]
            yield from (plain(log_line(story, entry)).strip() for entry in entries)
        yield from self.notices()
        yield self.place()

    def why(self, ref: str) -> Iterator[str]:
        """Yield the reason for the place of a resource; without a name, of the selection."""
        controller = self.controller
        if ref:
            controller.select(ref)
            yield from self.notices()
        node, timeline = controller.selected_node, controller.timeline
        if node is None:
            yield "no resource is selected"
        elif isinstance(timeline, AgentTimeline):
            from tui.present import policy_detail

            yield from map(plain, policy_detail.why(timeline, node))
        else:
            found = why_lines(timeline, controller.story, controller.edges, node)
            yield from filter(str.strip, map(plain, found))

    def place(self) -> str:
        """Return the step of the run, and the next resource."""
        controller, timeline = self.controller, self.controller.timeline
        if timeline.error:
            return f"the run cannot start: {printable(timeline.error)}"
        after = controller.next_ref
        rest = f"next is {after}" if after is not None else f"the run has ended: {timeline.status}"
        return printable(f"step {timeline.position} of {controller.branch.steps}, {rest}")
