"""The commands that you type after a colon; every action is one too, by its id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analyzer.apply.engine.commands import GoTo, Inject, SetNoop
from analyzer.apply.engine.faults import told_failures
from tui.keys.actions import BY_ID
from tui.keys.context import KeyContext
from tui.present.pieces import Line, line


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command: its argument, its help, and the function that carries it out."""

    argument: str
    help: str
    run: Callable[[KeyContext, str], None]


def select(context: KeyContext, text: str) -> None:
    """Select a resource."""
    context.controller.select(text, "command")


def go(context: KeyContext, text: str) -> None:
    """Go to a step, or select a resource."""
    if not text.isdigit():
        select(context, text)
        return
    known = len(context.controller.timeline)
    if int(text) > known:
        context.controller.notify(f"the run has {known:,} steps so far", "warning")
    else:
        context.runner.carry_out(GoTo(int(text)))


def set_break(context: KeyContext, text: str) -> None:
    """Set or remove a breakpoint."""
    context.controller.toggle_stop(text)


def fail(context: KeyContext, text: str) -> None:
    """Inject a failure of a resource."""
    try:
        failures = told_failures([text or str(context.controller.selection)])
    except ValueError as error:
        context.controller.notify(str(error), "warning")
        return
    for ref, outcome in failures.items():
        context.runner.carry_out(Inject(ref, outcome))


def noop(context: KeyContext, text: str) -> None:
    """Switch noop of the run or of a resource on or off."""
    word, _, ref = text.partition(" ")
    if word not in ("on", "off"):
        context.controller.notify("usage: noop on|off [Type[title]]", "warning")
        return
    context.runner.carry_out(SetNoop(word == "on", ref.strip()))


TYPED_COMMANDS: dict[str, TypedCommand] = {
    "select": TypedCommand("REF", "select a resource", select),
    "go": TypedCommand("STEP|REF", "go to a step, or select a resource", go),
    "go-to": TypedCommand("STEP|REF", "the same", go),
    "break": TypedCommand("WHERE [if ...]", "set or remove a breakpoint", set_break),
    "fail": TypedCommand("[REF][=refresh]", "inject a failure of a resource", fail),
    "noop": TypedCommand("on|off [REF]", "turn noop on or off for the run or a resource", noop),
}


def perform(context: KeyContext, text: str, commands: Mapping[str, TypedCommand]) -> None:
    """Carry out a typed line: one of some commands, or an action by its id."""
    word, _, rest = text.strip().partition(" ")
    if not word:
        return
    command = commands.get(word)
    if command is not None and (rest or word not in BY_ID):
        if context.controller.project is None and word not in ("open", "theme"):
            context.controller.notify("no project is open", "warning")
        else:
            command.run(context, rest.strip())
    elif word in BY_ID and rest:
        context.controller.notify(f"'{word}' takes no argument", "warning")
    elif word in BY_ID:
        context.act(word)
    else:
        from difflib import get_close_matches

        near = get_close_matches(word, [*commands, *BY_ID], 1)
        hint = f"; did you mean '{near[0]}'?" if near else "; press '?' for the list"
        context.controller.notify(f"no command '{word}'{hint}", "warning")


def command_lines(commands: Mapping[str, TypedCommand]) -> list[Line]:
    """Return the commands for the help."""
    return [
        line("  ", (f":{name} {row.argument:<{22 - len(name)}}", "key"), row.help)
        for name, row in commands.items()
    ]
