"""The scripts of `scripts/`, and that every action of the table is in one of them."""

from pathlib import Path

import pytest

from tui.actions import ACTIONS

from .dsl import Script, lines_of, script, scripts

FILES = sorted((Path(__file__).parent / "scripts").glob("*.txt"))
CASES = [(path.stem, one) for path in FILES for one in scripts(path)]


@pytest.mark.parametrize(
    "one", [one for _, one in CASES], ids=[f"{name}: {one.title}" for name, one in CASES]
)
def test_script(one: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script(one.text, tmp_path)


def test_every_action_is_carried_out_in_a_script() -> None:
    done = {words for _, one in CASES for verb, words in lines_of(one.text) if verb == "do"}
    assert {action.id for action in ACTIONS} - done == set()
