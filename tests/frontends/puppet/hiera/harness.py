"""Talks to `puppet_lookup.rb`: environments go in, what Puppet finds in them comes out."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.oracle.harness import HOW_TO_INSTALL, Answer, Question, installed

SCRIPT = Path(__file__).parents[1] / "puppet_lookup.rb"


def ask(questions: Iterable[Question]) -> Iterator[Answer]:
    """Answers of real Puppet, in the order of the questions.

    Raises:
        FileNotFoundError: there is no Ruby with Puppet.
    """
    found = installed()
    if found is None:
        raise FileNotFoundError(HOW_TO_INSTALL)
    with subprocess.Popen(
        [found[0], str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for question in questions:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"{SCRIPT.name} ended early, at {question['id']}")
            yield json.loads(line)
