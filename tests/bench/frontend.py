"""The front end against Puppet's: the manifests of the packaged modules, and one cold file."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from analyzer.frontends.puppet.syntax.cache import Cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from tests.oracle.harness import MODULES

from .measure import CONSOLE_SCRIPT, ENVIRONMENT, HERE, Absent, Row, cold, cpu, ruby, take_turns

PROGRAM = """class web (Integer $port = 80) {
  file { '/etc/web.conf':
    ensure  => file,
    content => "port ${port}",
  }
  ~> service { 'web': ensure => running }
}
"""


def manifests() -> dict[str, str]:
    """Paths and texts of the manifests of the packaged modules.

    Raises:
        Absent: no modules are installed.
    """
    files = sorted(path for module in MODULES.glob("*") for path in module.resolve().rglob("*.pp"))
    if not files:
        raise Absent(
            "no packaged modules; on Debian: apt-get install puppet-module-puppetlabs-apache"
        )
    return {str(path): path.read_bytes().decode() for path in files}


def puppets_parser(paths: list[str]) -> float:
    """CPU milliseconds of Puppet's lexer and parser for these files, in a process of its own."""
    run = subprocess.run(
        [ruby(), str(HERE / "frontend.rb")],
        input="\n".join(paths),
        env=ENVIRONMENT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return float(json.loads(run.stdout)["cpu"]) * 1000


def parsing() -> Iterator[Row]:
    """All packaged manifests from text to tree, without and with the cache."""
    texts = manifests()
    parse("")  # Reads the parse table, as Puppet's is loaded with the program.

    def cold_side() -> object:
        return [parse(text, path) for path, text in texts.items()]

    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(folder)

        def warm_side() -> object:
            return [check_cached(text, path, cache=cache) for path, text in texts.items()]

        warm_side()
        sides = cpu(cold_side), cpu(warm_side), lambda: puppets_parser(list(texts))
        cold_time, warm_time, theirs = take_turns(3, *sides)
    name = f"parse {len(texts):,} manifests"
    yield Row(name, cold_time, "Puppet's parser", theirs, 0.2)
    yield Row(f"{name}, cached", warm_time, "Puppet's parser", theirs, 0.03)


def cold_parse() -> Iterator[Row]:
    """One small manifest checked, as a whole process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "web.pp"
        file.write_text(PROGRAM)
        ruby()
        ours = cold(str(CONSOLE_SCRIPT), "parse", str(file))
        theirs = cold("puppet", "parser", "validate", str(file))
        mine, puppets = take_turns(9, ours, theirs)
    yield Row("catgraph parse, one file, cold", mine, "puppet parser validate", puppets, 0.06)


ROWS = (parsing, cold_parse)
