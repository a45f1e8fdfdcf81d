"""`docs/terminal.md` shows screens and the keys as they are; `--update` writes them anew."""

import re
from pathlib import Path

from tests.conftest import ROOT
from tui.keys.actions import ACTIONS
from tui.keys.keymap import written

PAGE = ROOT / "docs" / "terminal.md"
SNAPSHOTS = Path(__file__).parent / "snapshots"
# The pictures of the page, in their order.
SHOWN = ("run_with_a_failure.txt", "nodes.txt")
KEYS = re.compile(
    r"(?<=<!-- The table of actions. -->\n).*?(?=<!-- The end of the table. -->)", re.S
)
BLOCK = re.compile(r"(?<=```text\n).*?(?=```)", re.S)


def table() -> str:
    """Return the actions by group, as Markdown."""
    found = []
    for group in dict.fromkeys(action.group for action in ACTIONS):
        found += [
            "",
            f"### {group}",
            "",
            "| key | name | screen | does |",
            "| --- | --- | --- | --- |",
        ]
        for action in ACTIONS:
            if action.group == group:
                keys = " ".join(f"`{written(key)}`" for key in action.keys)
                where = ", ".join(action.where) or "all"
                found.append(f"| {keys} | `{action.id}` | {where} | {action.help} |")
    return "\n".join([*found, "", ""])


def test_page(update: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    files = [(SNAPSHOTS / name).read_text(encoding="utf-8") for name in SHOWN]
    screens = iter([text.split("== ")[1].partition("\n")[2] for text in files])
    wanted = BLOCK.sub(lambda _: next(screens), KEYS.sub(lambda _: table(), text))
    if update:
        PAGE.write_text(wanted, encoding="utf-8")
    else:
        assert text == wanted, "if the change is right: pytest tests/tui --update"
