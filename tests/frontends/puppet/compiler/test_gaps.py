"""What a compile does not know, and whether that may hide a resource or a relationship."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.completeness import Gap, statement
from analyzer.model.releases import Release
from analyzer.session.inputs import graph_of, load_catalog
from tests.oracle.facts import debian_11
from tests.oracle.programs import program

CASES = [
    tuple(case.split("\n", 1))
    for case in Path(__file__).with_name("gaps.txt").read_text().split("=== ")[1:]
]

MODULE = {
    "lib/puppet/functions/role.rb": "Puppet::Functions.create_function(:role) do\nend\n",
    "lib/puppet/functions/m/ruby.rb": "Puppet::Functions.create_function(:'m::ruby') do\nend\n",
    "functions/pure.pp": "function m::pure($x) { $x + 1 }\n",
    "functions/declares.pp": "function m::declares() { notify { 'declared': } }\n",
    "manifests/init.pp": "class m { $value = 1 }\n",
    "templates/x.erb": "0644",
}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one module."""
    folder = tmp_path_factory.mktemp("modules")
    for name, text in MODULE.items():
        path = folder / "m" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def compiled(
    code: str, modules: Path, facts: tuple[str, ...] = (), version: int = 8
) -> RelationshipGraph:
    """Compile a program."""
    path = modules.parent / "site.pp"
    path.write_text(code)
    settings = Settings(modulepath=(str(modules),), facts=facts, puppet_version=version)
    return graph_of(load_catalog(path, settings))


def shown(gap: Gap) -> str:
    """Return a gap as a line of a case."""
    word = f"{gap.kind} {gap.name}" if gap.kind != "undecided" else gap.name
    return f"{'!' if gap.hides else ' '} {word} {gap.span.line if gap.span else 0}"


@pytest.mark.parametrize(("name", "case"), CASES, ids=[name for name, _ in CASES])
def test_gaps(name: str, case: str, modules: Path) -> None:
    code, _, expected = case.partition("---\n")
    found = map(shown, compiled(code, modules).gaps)
    assert sorted(found) == sorted(filter(None, expected.split("\n"))), name


DEFERRED = """exec { 'e': command => Deferred('f', ['/bin/true']), unless => [[Deferred('f')]] }
file { '/bin/true': content => Deferred('sprintf', ['x']) }
file { '/srv/x': owner => Deferred('sprintf', ['bob']) }
notify { 'n': message => Deferred('sprintf', ['x']) }
user { 'bob': }
"""


@pytest.mark.parametrize("version", ["7", "8", "openvox-8", "openvox-9"])
def test_what_the_agent_computes_where_automatic_relationships_hang_on_it(
    version: str, modules: Path
) -> None:
    # Where the agent relates resources first, it makes no relationship from such values.
    expected = ["! parameter command of Exec[e] 1", "! parameter owner of File[/srv/x] 3"]
    expected.append("! parameter unless of Exec[e] 1")
    found = map(shown, compiled(DEFERRED, modules, version=Release.parse(version)).gaps)
    assert sorted(found) == ([] if version.endswith("8") else expected)


def test_with_facts_nothing_is_open(modules: Path) -> None:
    facts = modules.parent / "facts.json"
    facts.write_text('{"a": "x"}')
    code = "if $facts['a'] == 'x' { notify { $facts['a']: } }\nnotify { 'b': }\n"
    assert list(compiled(code, modules, (str(facts),)).gaps) == []


def test_a_dropped_reference_leaves_the_places_of_the_others(modules: Path) -> None:
    code = (
        "if $facts['a'] { package { 'p': } }\n"
        "notify { ['a', 'b']: }\n"
        "file { '/a': before => [Package['p'], Notify['a']] }\n"
        "File['/a'] -> Notify['b']\n"
    )
    graph = compiled(code, modules)
    assert graph.missing() == []
    places = {str(r.target): r.origin.span for r in graph.relationships()}
    lines = {ref: place.line for ref, place in places.items() if place is not None}
    assert lines == {"Notify[a]": 3, "Notify[b]": 4}


def edges(graph: RelationshipGraph) -> set[tuple[str, str, str]]:
    """Return relationships and containment."""
    found = [*graph.relationships(), *graph.containment()]
    return {(str(one.source), str(one.target), one.kind) for one in found}


@pytest.mark.slow
def test_what_is_called_complete_has_the_same_edges_with_facts(modules: Path) -> None:
    facts = modules.parent / "debian.json"
    facts.write_text(json.dumps(debian_11()))
    complete = 0
    for seed in range(80):
        with suppress(InputError):
            without = compiled(program(seed), modules)
            if without.is_complete:
                assert edges(without) == edges(compiled(program(seed), modules, (str(facts),)))
                complete += 1
    assert complete > 10


def test_what_is_not_shown_is_counted_by_kind() -> None:
    gaps = [Gap("undecided", "condition", reason) for reason in "abcdefg"]
    gaps += [Gap("function", "f()", "x"), Gap("data", "key 'k'", "y"), Gap("class", "class c", "z")]
    line = "5 other reasons, affecting 2 conditions, 1 function, 1 key of Hiera and 1 class"
    assert statement(gaps)[-1] == f"incomplete: {line} (--explain lists them)"


def test_files_that_declare_modules_are_named_once() -> None:
    of_one = "is of module 'git', which metadata.json declares and which is not installed"
    of_any = "may be of any module that .fixtures.yml and metadata.json declare and that is not it"
    (line,) = statement([Gap("module", name, name) for name in (of_one, of_any)])
    assert line.startswith("incomplete: 1 module of .fixtures.yml and metadata.json is not")
