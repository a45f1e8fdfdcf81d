"""Nodes that export resources to each other compile to what Puppet compiles them to."""

from __future__ import annotations

import pytest

from . import exporting
from .cases import blocks
from .exporting import PROGRAMS, RECORDED, compile_in_turn, question, text_of

CODE = blocks(PROGRAMS)


def parts(text: str) -> list[str]:
    """What was made of each node."""
    return text.split("--- ")[1:]


@pytest.mark.parametrize(("name", "expected"), blocks(RECORDED).items())
def test_program(name: str, expected: str) -> None:
    asked = question(name, CODE[name])
    ours = parts(text_of(asked, compile_in_turn(asked)))
    theirs = parts(expected)
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        node, _, message = mine.partition("\n! ")
        assert (node in other and message.strip() in other) if message else mine == other


def test_enough_is_recorded() -> None:
    assert set(blocks(RECORDED)) == set(CODE)
    assert len(CODE) >= 60


def test_without_the_termini_of_puppetdb_the_live_run_is_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exporting, "has_library", lambda name: False)
    assert exporting.live(1, 1) == 0
    assert "skipped: no termini of PuppetDB" in capsys.readouterr().out
