"""The commands that are typed after a colon; every action is one too, by its id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.apply.engine.commands import GoTo, Inject, SetNoop
from analyzer.apply.engine.faults import told_failures
from tui.keys.actions import BY_ID
from tui.present.pieces import Line, line
from tui.project.opening import Request
from tui.run.messages import Told

if TYPE_CHECKING:
    from tui.app import CatgraphApp


@dataclass(frozen=True, slots=True)
class Row:
    """A command: what is written behind it, what it does, and the function that does so."""

    argument: str
    help: str
    do: Callable[[CatgraphApp, str], None]


def select(app: CatgraphApp, text: str) -> None:
    """Select a resource."""
    app.controller.select(text, "command")


def go(app: CatgraphApp, text: str) -> None:
    """Go to a step, or select a resource."""
    if not text.isdigit():
        select(app, text)
        return
    known = len(app.controller.timeline)
    if int(text) > known:
        app.controller.tell(Told(f"the run is known up to step {known:,}", "warning"))
    else:
        app.controller.do(GoTo(int(text)))


def stop_at(app: CatgraphApp, text: str) -> None:
    """Set a breakpoint, or take it away."""
    app.controller.toggle_stop(text)


def fail(app: CatgraphApp, text: str) -> None:
    """Let a resource fail."""
    try:
        told = told_failures([text or str(app.controller.selection)])
    except ValueError as error:
        app.controller.tell(Told(str(error), "warning"))
        return
    for ref, outcome in told.items():
        app.controller.do(Inject(ref, outcome))


def noop(app: CatgraphApp, text: str) -> None:
    """Switch noop on or off, of the run or of a resource."""
    word, _, ref = text.partition(" ")
    if word not in ("on", "off"):
        app.controller.tell(Told("noop on|off [Type[title]]", "warning"))
        return
    app.controller.do(SetNoop(word == "on", ref.strip()))


def open_path(app: CatgraphApp, text: str) -> None:
    """Open something."""
    if text:
        app.open(Request(text, app.options))
    else:
        app.do_open()


def export(app: CatgraphApp, text: str) -> None:
    """Write something to a file."""
    app.export_to(text)


def copy(app: CatgraphApp, text: str) -> None:
    """Copy markdown of a cycle."""
    app.copy_cycle(int(text) if text.isdigit() else 1)


def kind(app: CatgraphApp, text: str) -> None:
    """Begin another kind of run."""
    app.begin(text) if text else app.do_kind()


def theme(app: CatgraphApp, text: str) -> None:
    """Choose the colours."""
    if text in ("light", "dark"):
        app.theme = f"catgraph-{text}"
    else:
        app.do_theme()


COMMANDS: dict[str, Row] = {
    "select": Row("REF", "select a resource", select),
    "go": Row("STEP|REF", "go to a step, or select a resource", go),
    "break": Row("WHERE [if ...]", "set a breakpoint, or take it away", stop_at),
    "fail": Row("[REF][=refresh]", "let a resource fail", fail),
    "noop": Row("on|off [REF]", "switch noop of the run or of a resource", noop),
    "open": Row("PATH", "open a catalog, manifests, a report, a log, a policy", open_path),
    "export": Row("FILE", "by its ending: svg, html, md, log, json, yaml", export),
    "copy": Row("[N]", "the n-th cycle as markdown, to the clipboard", copy),
    "kind": Row("simulated|host|real", "begin another kind of run", kind),
    "theme": Row("light|dark", "choose the colours", theme),
}


def perform(app: CatgraphApp, text: str) -> None:
    """Carry out what was typed: a command, or an action by its id."""
    word, _, rest = text.strip().partition(" ")
    if not word:
        return
    row = COMMANDS.get(word)
    if row is not None and (rest or word not in BY_ID):
        if app.controller.project is None and word not in ("open", "theme"):
            app.controller.tell(Told("nothing is open", "warning"))
        else:
            row.do(app, rest.strip())
    elif word in BY_ID:
        app.action_act(word)
    else:
        from difflib import get_close_matches

        near = get_close_matches(word, [*COMMANDS, *BY_ID], 1)
        hint = f"; did you mean '{near[0]}'?" if near else "; '?' lists what there is"
        app.controller.tell(Told(f"there is no command '{word}'{hint}", "warning"))


def command_lines() -> list[Line]:
    """Return the commands for the help."""
    return [
        line("  ", (f":{name} {row.argument:<{22 - len(name)}}", "key"), row.help)
        for name, row in COMMANDS.items()
    ]
