"""The compiler against Puppet's: many resources, a long reduction, and classes of real modules."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation, CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.syntax.cache import Cache
from tests.oracle.facts import debian_11
from tests.oracle.harness import MODULES

from .measure import (
    CONSOLE_SCRIPT,
    ENVIRONMENT,
    HERE,
    PYTHON,
    Absent,
    Row,
    cpu,
    cpu_of_children,
    report_of,
    ruby,
    take_turns,
)

RESOURCES = """Integer[1, 20000].each |$i| {
  $opts = { 'message' => "number ${i} of ${$i % 7}", 'tag' => ["t${$i % 7}", 'all'] }
  notify { "n${i}": message => $opts['message'], tag => $opts['tag'] }
}
"""
MIXED = """Integer[1, 20000].each |$i| {
  $name = "item-${i}"
  $h = { 'a' => $i, 'b' => [$i, $i + 1], 'c' => { 'x' => "v${i}" } }
  $m = $h + { 'd' => $i * 2 }
  $even = $i % 2 ? { 0 => 'even', default => 'odd' }
  if $m['d'] > 10 and $even == 'even' { $mode = '0644' } else { $mode = '0600' }
  $sum = $m['b'].map |$x| { $x * 3 }.reduce |$acc, $x| { $acc + $x }
  file { "/srv/${name}/${even}":
    ensure  => 'file',
    mode    => $mode,
    content => "M ${m['c']['x']} ${sum} ${mode}",
    tag     => ['t1', "t-${even}"],
  }
}
"""
REDUCTION = "$x = Integer[1, 300000].reduce |$sum, $i| { $sum + $i * 2 - $i }\n"

# Packaged modules that are large, and compile for Debian's facts alone.
CLASSES = ("apache", "nova::compute::libvirt", "keystone::wsgi::apache")
MORE = ("chrony", "haproxy", "mysql::server", "ntp", "postfix", "rabbitmq")


def puppets_compiler(
    code: str, *, modules: bool = False, times: int = 1, anew: bool = True
) -> tuple[float, float]:
    """CPU milliseconds of Puppet's compiler and the peak memory in MB, in a process of its own."""
    work = {
        "code": code,
        "modulepath": [str(MODULES)] if modules else [],
        "facts": debian_11() if modules else {},
        "times": times,
        "anew": anew,
    }
    run = subprocess.run(
        [ruby(), str(HERE / "compile.rb")],
        input=json.dumps(work),
        env=ENVIRONMENT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    found = json.loads(run.stdout)
    return found["cpu"][0] * 1000, found["memory"] / 1024


def compiled(known: DefinitionTable, facts: dict[str, Any] | None = None) -> Compilation:
    """Compile what is known for a node."""
    inputs = CompileInputs("node.example.com", facts or {}, strict_variables=False)
    return Compiler(known, inputs).compile()


def program(code: str) -> DefinitionTable:
    """A program parsed."""
    known = DefinitionTable()
    known.add_program(code, "site.pp")
    return known


def compiling() -> Iterator[Row]:
    """Parse and compile a manifest, as Puppet's compiler does, both in a warm process."""
    rows = (
        ("20,000 resources", RESOURCES, 0.04),
        ("20,000 of a mixed program", MIXED, 0.04),
        ("300,000 steps of reduce", REDUCTION, 0.01),
    )
    for name, code, aim in rows:

        def our_side(code: str = code) -> object:
            return compiled(program(code))

        def their_side(code: str = code) -> float:
            return puppets_compiler(code)[0]

        mine, theirs = take_turns(3, cpu(our_side), their_side)
        yield Row(f"compile {name}", mine, "Puppet's compiler", theirs, aim)
    ours = report_of(PYTHON, "-m", "tests.bench.fresh_compile").memory
    yield Row(
        "peak memory, 20,000 resources", ours, "Puppet", puppets_compiler(RESOURCES)[1], 1, "MB"
    )


def real_classes() -> Iterator[Row]:
    """Classes of packaged modules, in a warm process.

    First in an environment that knows nothing yet, where Puppet parses and catgraph has its cache;
    then for one node more of an environment that is loaded.
    """
    for name in installed(CLASSES):
        with tempfile.TemporaryDirectory() as folder:
            for what, anew in (("", True), (", next node", False)):
                yield class_row(name, what, anew, Cache(folder))


def installed(classes: Sequence[str]) -> Sequence[str]:
    """Return the classes if their modules are installed.

    Raises:
        Absent: a module is not installed.
    """
    if not MODULES.is_dir():
        raise Absent("no packaged modules; on Debian: apt-get install puppet-module-nova")
    for name in classes:
        if not (MODULES / name.partition("::")[0]).is_dir():
            raise Absent(f"no module for {name}")
    return classes


def environment(code: str, store: Cache) -> DefinitionTable:
    """An environment of the packaged modules that knows nothing but its site manifest."""
    known = DefinitionTable([str(MODULES)])
    known.store = store
    known.add_program(code, "site.pp")
    return known


def nine_classes() -> Iterator[Row]:
    """Nine classes, each in an environment that knows nothing yet, catgraph with its cache.

    First in a warm process; then with whole processes, one for each class: of manifests that are
    not those of the last run, and of the same ones again, whose output catgraph has kept.
    """
    programs = [f"include {name}\n" for name in installed((*CLASSES, *MORE))]
    facts = debian_11()
    with tempfile.TemporaryDirectory() as place:
        store = Cache(place)

        def our_side() -> object:
            return [compiled(environment(code, store), facts) for code in programs]

        our_side()
        (mine,) = take_turns(3, cpu(our_side))
        theirs = sum(puppets_compiler(code, modules=True, times=3)[0] for code in programs)
        yield Row("include nine classes", mine, "Puppet's compiler", theirs, 0.06)
        comments = map("# {}\n".format, count())

        def changed() -> float:
            comment = next(comments)
            return processes([code + comment for code in programs], Path(place))

        again = partial(processes, programs, Path(place))
        changed()
        (new,) = take_turns(3, changed)
        # The second run of the same keeps its output.
        again()
        again()
        (same,) = take_turns(3, again)
    theirs = cpu_of_children(lambda: [puppets_compiler(c, modules=True) for c in programs])
    yield Row("include nine classes, processes", new, "Puppet's", theirs, 0.1)
    yield Row("include nine classes again, processes", same, "Puppet's", theirs, 0.1)


def processes(programs: Sequence[str], place: Path) -> float:
    """CPU milliseconds of processes that compile programs with a cache."""
    facts = place / "facts.json"
    facts.write_text(json.dumps(debian_11()))
    options = ["--facts", str(facts), "--modulepath", str(MODULES), "--puppet-version", "7"]
    options += ["-o", str(place / "catalog")]
    cache = {**ENVIRONMENT, "XDG_CACHE_HOME": str(place)}

    def work() -> None:
        for number, code in enumerate(programs):
            site = place / f"{number}.pp"
            site.write_text(code)
            command = [str(CONSOLE_SCRIPT), "compile", str(site), *options]
            subprocess.run(command, env=cache, check=True, stderr=subprocess.DEVNULL)

    return cpu_of_children(work)


def class_row(name: str, what: str, anew: bool, store: Cache) -> Row:
    """`include` of a class."""
    code, facts = f"include {name}\n", debian_11()
    loaded = environment(code, store)

    def our_side() -> object:
        return compiled(environment(code, store) if anew else loaded, facts)

    def their_side() -> float:
        return puppets_compiler(code, modules=True, times=5, anew=anew)[0]

    our_side()
    measure: Callable[[], float] = cpu(our_side)
    theirs = their_side()
    (mine,) = take_turns(5, measure)
    return Row(f"include {name}{what}", mine, "Puppet's compiler", theirs, 0.1)


ROWS = (compiling, real_classes, nine_classes)
