"""Talks to `puppet_lookup.rb`: environments go in, what Puppet finds in them comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.oracle import harness
from tests.oracle.harness import Answer, Question

SCRIPT = Path(__file__).parents[1] / "puppet_lookup.rb"


def ask(questions: Iterable[Question]) -> Iterator[Answer]:
    """Answers of real Puppet, in the order of the questions.

    Raises:
        FileNotFoundError: there is no Ruby with Puppet.
    """
    return harness.ask(questions, SCRIPT)
