"""Talks to `puppet_functions.rb`: expressions go in, what real Puppet makes of them comes out."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.oracle.harness import HOW_TO_INSTALL, installed

from .cases import question

SCRIPT = Path(__file__).parent.with_name("puppet_functions.rb")


def ask(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Answers of real Puppet, in the order of the expressions.

    Raises:
        FileNotFoundError: there is no Ruby with Puppet.
    """
    found = installed()
    if found is None:
        raise FileNotFoundError(HOW_TO_INSTALL)
    lines = "".join(json.dumps(question(text, i)) + "\n" for i, text in enumerate(texts))
    run = subprocess.run(
        [found[0], str(SCRIPT)], input=lines, capture_output=True, encoding="utf-8", check=True
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(texts):
        raise RuntimeError(f"{SCRIPT.name} ended early: {run.stderr[:1000]}")
    return answers
