"""Talks to `puppet_frontend.rb`: programs go in, what Puppet's front end says of them comes out."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from tests.oracle import harness
from tests.oracle.harness import ROOT, Answer, Question, installed

SCRIPT = Path(__file__).with_name("puppet_frontend.rb")
CACHE = ROOT / "build" / "frontend"


def ask(questions: Sequence[Question]) -> Iterator[Answer]:
    """Answers of real Puppet, in the order of the questions.

    Raises:
        FileNotFoundError: there is no Ruby with Puppet.
    """
    return harness.ask(questions, SCRIPT)


def ask_cached(questions: Iterable[Question], batch: int = 500) -> Iterator[Answer]:
    """Like `ask`, but batches that were answered once are read from `build/frontend/`."""
    pending: list[Question] = []
    for question in questions:
        pending.append(question)
        if len(pending) == batch:
            yield from _answers(pending)
            pending = []
    if pending:
        yield from _answers(pending)


def _answers(questions: Sequence[Question]) -> list[Answer]:
    path = _cache_path(questions)
    if path.exists():
        stored: list[Answer] = json.loads(gzip.decompress(path.read_bytes()))
        return stored
    answers = list(ask(questions))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(answers).encode(), 5))
    return answers


def _cache_path(questions: Sequence[Question]) -> Path:
    key = json.dumps([questions, installed(), _script_hash()], sort_keys=True)
    return CACHE / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json.gz"


@cache
def _script_hash() -> str:
    return hashlib.sha256(SCRIPT.read_bytes()).hexdigest()
