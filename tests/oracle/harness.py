"""Talks to `puppet.rb`: cases go in as JSON lines, what real Puppet says comes out."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCRIPT = HERE / "puppet.rb"
CACHE = ROOT / "build" / "oracle"
MODULES = Path("/usr/share/puppet/modules")
HOW_TO_INSTALL = "no Ruby with Puppet on this machine; on Debian: apt-get install puppet-agent"

Question = dict[str, Any]
Answer = dict[str, Any]

_RUBIES = ("/opt/puppetlabs/puppet/bin/ruby", "ruby")
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


def ask(questions: Iterable[Question], script: Path = SCRIPT) -> Iterator[Answer]:
    """Answers of real Puppet, in the order of the questions; nothing is cached.

    Raises:
        FileNotFoundError: there is no Ruby with Puppet.
    """
    found = installed()
    if found is None:
        raise FileNotFoundError(HOW_TO_INSTALL)
    command = [found[0], str(script)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for question in questions:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"{script.name} ended early, at {question['id']}")
            yield json.loads(line)


def ask_cached(questions: Iterable[Question]) -> Iterator[Answer]:
    """Like `ask`, but an answer given once is read from `build/oracle/`."""
    missing: list[Question] = []
    live = ask(iter(missing.pop, None))
    for question in questions:
        path = _cache_path(question)
        if path.exists():
            yield json.loads(gzip.decompress(path.read_bytes()))
            continue
        missing.append(question)
        answer = next(live)
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
