"""The scripts of `scripts/`, and that every action of the table is in one of them."""

from itertools import combinations
from pathlib import Path

import pytest

from tests.amount import ALL
from tui.keys.actions import ACTIONS
from tui.keys.keymap import meet

from .dsl import Script, lines_of, script, scripts

# Actions that need options or another program, by the tests that carry them out with their keys.
ELSEWHERE = {
    "test_against": {
        *("against-screen", "against-step", "against-back", "against-next", "against-previous")
    },
    "test_other_programs": {"edit", "page", "unfilter"},
}
FILES = sorted((Path(__file__).parent / "scripts").glob("*.txt"))
EVERY = [(path.stem, one) for path in FILES for one in scripts(path)]


def actions_in(one: Script) -> set[str]:
    return {words for verb, words in lines_of(one.text) if verb == "do"}


def fewest() -> list[tuple[str, Script]]:
    """Return few scripts that carry out all actions: again and again the one that adds most."""
    left, chosen = set().union(*(actions_in(one) for _, one in EVERY)), []
    while left:
        best = max(EVERY, key=lambda case: len(actions_in(case[1]) & left))
        chosen.append(best)
        left -= actions_in(best[1])
    return chosen


CASES = EVERY if ALL else fewest()


@pytest.mark.parametrize(
    "one", [one for _, one in CASES], ids=[f"{name}: {one.title}" for name, one in CASES]
)
def test_script(one: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script(one.text, tmp_path)


def test_every_action_is_carried_out_in_a_script() -> None:
    done = set().union(*(actions_in(one) for _, one in CASES))
    lacking = {action.id for action in ACTIONS} - done - set().union(*ELSEWHERE.values())
    assert not lacking, f"add `do {min(lacking)}` to a script in tests/tui/scripts"


def test_no_screen_has_two_actions_for_a_key() -> None:
    """All but esc: it clears a filter where there is nothing to stop."""
    pairs = [
        (one.id, other.id)
        for one, other in combinations(ACTIONS, 2)
        if meet(one, other) and set(one.keys) & set(other.keys) - {"escape"}
    ]
    assert not pairs, f"one key, two actions on a screen: {pairs}"
