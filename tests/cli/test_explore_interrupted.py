"""`catgraph explore` ends at an interrupt, and says what it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.session.worlds.exploring import Exploring
from analyzer.session.worlds.turns import Turn
from tests.cli.test_explore import Capture, site


def test_an_interrupt_ends_it_with_what_it_has(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal, the first lines of findings come before the report."""
    answer = Exploring.answer

    def interrupted(self: Exploring, turn: Turn) -> object:
        if turn.number == 1:
            raise KeyboardInterrupt
        return answer(self, turn)

    monkeypatch.setattr(Exploring, "answer", interrupted)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["explore", site(tmp_path), "--no-cache", "--jobs", "1"]) == 1
    out, err = capsys.readouterr()
    assert "not explored because you interrupted it: 3 of 4 nodes: odd, web1, web2\n" in out
    assert "web: dependency cycle if facts.os.family is 'RedHat'" in err
