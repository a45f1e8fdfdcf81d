"""Talks to `puppet.rb`: cases go in as JSON lines, what real Puppet says comes out."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCRIPT = HERE / "puppet.rb"
CACHE = ROOT / "build" / "oracle"
MODULES = Path("/usr/share/puppet/modules")
HOW_TO_INSTALL = "no Ruby with Puppet on this machine; on Debian: apt-get install puppet-agent"

Question = dict[str, Any]
Answer = dict[str, Any]

_RUBIES = ("/opt/puppetlabs/puppet/bin/ruby", "ruby")
# The folder `lib` of the source of a Puppet or OpenVox to ask; empty: the installed one is asked.
LIBRARY = os.environ.get("PUPPET_LIB", "")
_VERSION = "require 'puppet/version'; print Puppet.version"


@cache
def installed() -> tuple[str, str] | None:
    """The path of a Ruby that has Puppet and the version of Puppet, or None."""
    for name in _RUBIES:
        ruby = shutil.which(name)
        if ruby is None:
            continue
        run = subprocess.run([ruby, "-e", _VERSION], capture_output=True, text=True, check=False)
        if run.returncode == 0:
            return ruby, run.stdout
    return None


@cache
def has_library(name: str) -> bool:
    """Whether the Ruby that has Puppet also has a library."""
    found = installed()
    if found is None:
        return False
    words = [found[0], "-e", "require 'puppet'; require ARGV.first", name]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def ask(
    questions: Iterable[Question], script: Path = SCRIPT, library: str = LIBRARY
) -> Iterator[Answer]:
    """Answers of real Puppet, in the order of the questions; nothing is cached.

    `library` is the folder `lib` of the source of another Puppet or OpenVox, else the installed
    one is asked.

    Questions are sent ahead, so that Puppet works on the next ones while an answer is looked at.

    Raises:
        FileNotFoundError: there is no Ruby with Puppet.
    """
    found = installed()
    if found is None:
        raise FileNotFoundError(HOW_TO_INSTALL)
    with subprocess.Popen(
        [found[0], *options_for(library), str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sent: list[Any] = []
        Thread(target=_send, args=(questions, process.stdin, sent), daemon=True).start()
        answered = 0
        for line in process.stdout:
            yield json.loads(line)
            answered += 1
    if answered < len(sent):
        raise RuntimeError(f"{script.name} ended early, at {sent[answered]}")


def options_for(library: str) -> list[str]:
    """The options of Ruby that take Puppet from a folder."""
    return ["-rset", "-I", library] if library else []


def _send(questions: Iterable[Question], to: IO[str], sent: list[Any]) -> None:
    """Write questions as lines, and remember which; the reader may be gone by then."""
    with suppress(BrokenPipeError, ValueError), to:
        for question in questions:
            sent.append(question["id"])
            to.write(json.dumps(question) + "\n")
            to.flush()


def conversation(script: Path = SCRIPT) -> Callable[[Question], Answer]:
    """Return a function that asks one question after the other, of one running Puppet."""
    questions: SimpleQueue[Question] = SimpleQueue()
    answers = ask(iter(questions.get, None), script)

    def asked(question: Question) -> Answer:
        questions.put(question)
        return next(answers)

    return asked


def ask_cached(questions: Iterable[Question]) -> Iterator[Answer]:
    """Like `ask`, but an answer given once is read from `build/oracle/`."""
    asked = [(_cache_path(question), question) for question in questions]
    missing = {path: question for path, question in asked if not path.exists()}
    live = ask(list(missing.values()))
    for path, question in asked:
        if path not in missing and path.exists():
            yield json.loads(gzip.decompress(path.read_bytes()))
            continue
        known = missing.pop(path, None) is None
        answer = next(ask([question]) if known else live)
        # Whether the time was enough depends on the machine of the moment.
        if answer["stage"] not in ("timeout", "crash"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(gzip.compress(json.dumps(answer).encode(), 5))
        yield answer


def _cache_path(question: Question) -> Path:
    key = json.dumps([question, installed(), _script_hash()], sort_keys=True)
    digest = hashlib.sha256(key.encode()).hexdigest()
    return CACHE / digest[:2] / f"{digest[2:32]}.json.gz"


@cache
def _script_hash() -> str:
    return hashlib.sha256(SCRIPT.read_bytes()).hexdigest()
