"""Every kind of expression with an Unknown in each place: it is no error that it is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.results.catalog import to_catalog
from analyzer.frontends.puppet.compiler.results.record import record_of
from analyzer.frontends.puppet.evaluate.errors import PROBLEMS
from analyzer.frontends.puppet.evaluate.thunks import MAKERS
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.frontends.puppet.syntax.validate.walk import nodes
from analyzer.graph.relationship_graph import relate

from .values import LOST

# Programs; what stands between `«` and `»` is one place for an Unknown, and there it is known.
PROGRAMS = (
    *(f"$r = «3» {sign} «2»" for sign in ("+", "-", "*", "/", "%", "<<", ">>")),
    *(f"$r = «3» {sign} «2»" for sign in ("==", "!=", "<", ">", "<=", ">=", "and", "or")),
    *(f"$r = «'a'» {sign} «'b'»" for sign in ("==", "<", "=~", "!~", "in")),
    *(f"$r = «['a']» {sign} «['b', 'a']»" for sign in ("+", "-", "==", "!=", "in", "<<")),
    *(f"$r = «{{'a' => 1}}» {sign} «{{'b' => 2}}»" for sign in ("+", "-", "==")),
    "$r = «{'a' => 1}» + «['b', 2]»",
    "$r = {'a' => «1»} == {'a' => «2»}",
    "$r = [«1», [«2»]] == [«1», [«3»]]",
    "$r = -«1» $s = !«true» $t = *«['a']» $u1 = [*«['a']», 1] $v = (««1»»)",
    "$r = «'a'» =~ String $s = «[1]» =~ Array[Integer] $t = «'a'» =~ /a/ $u1 = «'a'» !~ Integer",
    "$r = «{'a' => {'b' => 1}}»[«'a'»][«'b'»] $s = «['a', 'b']»[«0»] $t = «['a']»[«0», «1»]",
    "$r = «'abc'»[«0»] $s = «'abc'»[«0», «1»] $t = {'a' => 1}[«'a'», «'b'»]",
    "$r = String[«1»] $s = Enum[«'a'»] $t = Integer[«1», «2»] $u1 = Array[String, «0»]",
    "$r = Tuple[String, «1», «2»] $s = Struct[{«'a'» => String}] $t = Pattern[«'a'»]",
    "$r = Callable[«1», «2»] $s = Optional[«'a'»] $t = Variant[String, Enum[«'a'»]]",
    "$r = Timestamp[«'2020-01-01'»] $s = SemVer[«'>1'»] $t = Regexp[«'a'»] $v = Hash[«1», «2»]",
    "$r = Init[Integer, «16»] $s = Object[{«'name'» => «'X'»}] $t = URI[«'http://x'»]",
    "$r = Runtime[«'ruby'», «'X'»] $s = Timespan[«1»] $t = Float[«1.0»] $v = Boolean[«true»]",
    "$r = File[«'/f'»] $s = File[«'/f'»][«'mode'»] $t = Class[«'c'»] $v = Resource[«'file'»]",
    "$r = «'a'» ? { «'a'» => «1», default => 2 } $s = «['a']» ? { [«'a'»] => 1, default => 2 }",
    "$r = «'a'» ? { *«['a']» => 1, Enum[«'a'»] => 2, /a/ => 3, default => 4 }",
    "case «'a'» { «'a'»: { $r = 1 } Enum[«'b'»]: { $s = 1 } *«['c']»: { } default: { $t = 1 } }",
    "case [«'a'», {'b' => «1»}] { [«'a'», {'b' => «2»}]: { } String: { } default: { } }",
    "if «true» { $r = 1 } elsif «false» { $s = 2 } else { $t = 3 } unless «false» { $v = 1 }",
    '$r = "a${«\'b\'»}c" $s = "${[«1»]}" $t = @("E")\n  x ${«1»}\n  | E\n',
    "$r = {«'a'» => «1», 'b' => «2»} $s = [«1», [«2»]] $t = $r[«'a'»]",
    "[$r, [$s, $t]] = «[1, [2, 3]]» [$v, $w] = [«1», «2»] [$y, $z] = «{'y' => 1, 'z' => 2}»",
    "notify { «'t'»: message => «'m'» } notify { [«'t1'», 't2']: * => «{'message' => 'm'}» }",
    "notify { default: message => «'m'»; «'t3'»: withpath => «true» }",
    "notify { 't4': * => {'name' => «'x'»}; default: * => {'message' => «'m'»} }",
    "@notify { «'v'»: tag => [«'a'»] } @@notify { «'e'»: } realize(Notify[«'v'»])",
    "file { '/g': mode => «'1'», require => «File['/f']», before => [«Notify['n']»] }",
    "file { '/g': noop => «true», alias => «'a1'», schedule => «'s1'», audit => «'all'» }",
    "Notify { message => «'m'» } notify { 'n1': } Resource[«'file'», '/f'] { group => '1' }",
    "File['/f'] { owner => «'o'» } File[«'/f'»] { group => «'o'» } File['/f'] { tag +> «'x'» }",
    "File<| mode == «'1'» and (tag != «'x'» or title == «'/f'») |> { owner => «'x'» }",
    "File<<| mode == «'1'» |>> -> Notify['n'] Notify<| message == «'a'» |>",
    "File[«'/f'»] -> Notify[«'n'»] ~> «Class['c']» «Notify['n']» <- «File['/g']» file { '/g': }",
    "[«File['/f']»] -> [Notify['n'], «Class['c']»]",
    "class { 'p': a => «1», b => [«'x'»], stage => «'main'» }",
    "p::d { «'d'»: a => «1», b => [«'x'»], c => {'k' => «1»} } Class[«'c'»] -> P::D[«'d'»]",
    "p::d { 'd': b => «['x']», c => «{'k' => 1}» } $r = P::D['d'][«'a'»]",
    "Resource[«'p::d'»] { «'d'»: a => 1 } Class { «'p'»: }",
    "$r = p::f(«1», [«'x'»]) $s = p::f(*«[1, ['x']]») $t = «1».p::f(«['x']»)",
    "include «'c'» contain «'c'» require «Class['c']» include [«'c'», [«'p'»]] include(*«['c']»)",
    "$r = [«1», «2»].map |Integer $x| { $x + «1» } $s = «[1]».filter |$x| { «true» }",
    "$r = [1].each |Integer[«0»] $x = «1»| { }",
    "$s = with(«1») |Variant[Enum[«'a'»], Integer] *$x| { }",
    "$r = {'a' => «1»}.map |$k, $v| { {$k => $v} } $s = «{'a' => 1}».each |$p| { $p[«0»] }",
    "$r = lookup(«'k'», undef, undef, «1») $s = Integer(«'1'», «10») $t = String.new(«1», «'%d'»)",
    "create_resources(«'notify'», «{'c1' => {'message' => 'x'}}», «{'withpath' => true}»)",
    "create_resources('notify', {«'c1'» => {«'message'» => «'x'»}}) ensure_packages(«['x']»)",
    "$r = epp(«'p/t.epp'», «{'a' => 'b'}») $s = epp('p/t.epp', {«'a'» => «'b'»})",
    "$r = inline_epp(«'<%= $a %>'», {'a' => «1»}) $s = inline_epp('<%= «1» %>')",
    "$r = inline_epp('<%- |String $a = «\"x\"», $b = 1| -%><% if $a { %>y<% } %><%= $b -%>')",
    "$r = Sensitive(«'a'») $s = inline_epp('<%= $r %>', {'r' => Sensitive(«'a'»)}) $t = $r.unwrap",
    "$r = Deferred('f', [«1»]) notify { 'n2': message => Deferred('f', [«1»]) }",
    "tag(«'a'») $r = tagged(«'a'») $s = defined(«'c'») $t = defined(File[«'/f'»])",
)

BEFORE = "$u = $facts['x'] file { '/f': mode => '1' } notify { 'n': } include c\n"

MODULE = {
    "c/manifests/init.pp": "class c { }",
    "p/manifests/init.pp": "class p(Integer $a = 1, Array[Enum['x']] $b = []) { notify { $b: } }",
    "p/manifests/d.pp": (
        "define p::d(Enum['a'] $x = 'a', Integer $a = 1, Array[String[1]] $b = [],\n"
        "  Struct[{k => Integer, Optional[o] => Any}] $c = {'k' => 1},\n"
        "  Variant[Integer, Enum[$facts['x']]] $n = 1) { }"
    ),
    "p/functions/f.pp": "function p::f(Integer $a, Array[Enum['x']] $b) >> Integer { $a }",
    "p/templates/t.epp": "<%- |String $a| -%><%= $a %>",
}


@pytest.fixture(scope="module")
def modulepath(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the modules."""
    folder = tmp_path_factory.mktemp("modules")
    for name, text in MODULE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def outcome(program: str, modulepath: Path, facts: Mapping[str, object] | None) -> Exception | None:
    """Return the error of the program that a compile ends in, None for a catalog."""
    known = DefinitionTable([str(modulepath)])
    try:
        known.add_program(BEFORE + program, "")
        compiler = Compiler(known, CompileInputs("n", facts, lenient=True)).compile()
        record_of(compiler)
        relate(to_catalog(compiler, ""))
    except PROBLEMS as error:
        return error
    return None


def variants(program: str) -> Iterator[tuple[str, bool]]:
    """Yield a program with an Unknown in each place; and whether what was there may be it."""
    parts = program.replace("««", "«").replace("»»", "»").replace("»", "«").split("«")
    for place in range(1, len(parts), 2):
        was = parts[place]
        forms = [("$u", True), ("[$u]", False), ("{'a' => $u}", False), ("Sensitive($u)", False)]
        forms += [('"x${u}"', False), ("{$u => 1}", False), ("{[$u] => $u}", False)]
        quoted = "'<%" in program and was in ("1", '"x"')
        for form, alone in forms[:1] if quoted else forms:
            yield "".join([*parts[:place], form, *parts[place + 1 :]]), alone
    yield "".join("$u" if n % 2 and '"' not in part else part for n, part in enumerate(parts)), True


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: str, modulepath: Path) -> None:
    known = outcome(program.replace("«", "").replace("»", ""), modulepath, {"x": "one"})
    assert known is None or "Could not find template" in str(known), known
    for text, alone in variants(program):
        for facts in (None, {"x": LOST}) if alone else ({"x": LOST},):
            found = outcome(text, modulepath, facts)
            assert found is None or not alone, f"{text}: {found}"


@cache
def kinds() -> set[type]:
    """The kinds of nodes in the programs."""
    trees = (parse(p.replace("«", "").replace("»", "")) for p in PROGRAMS)
    return {type(node) for tree in trees for node in nodes(tree)}


# What has no place for an Unknown, or stands in a template.
WITHOUT = {
    *(a.LiteralFloat, a.LiteralUndef, a.LiteralDefault, a.Nop, a.QualifiedReference),
    *(a.EppExpression, a.RenderExpression, a.RenderStringExpression, a.ApplyBlockExpression),
    *(a.HostClassDefinition, a.ResourceTypeDefinition, a.NodeDefinition, a.FunctionDefinition),
    *(a.PlanDefinition, a.TypeAlias, a.TypeMapping, a.TypeDefinition),
}


def test_every_kind_of_node_is_there() -> None:
    assert set(MAKERS) - kinds() - WITHOUT == set()


@pytest.mark.parametrize(
    "program",
    [
        "if $u { class { 'p': } } notify { 'm': message => $p::a }",
        "if $u { @notify { 'v': } } realize(Notify['v'])",
        "$r = $u and fail('x') $s = $u or $c::nope",
        "notify { $u: } Notify['v'] { message => 'm' }",
    ],
)
def test_what_is_not_known_may_have_declared_it(program: str, modulepath: Path) -> None:
    assert outcome(program, modulepath, None) is None
    for instead in ("false", "true", "'a'"):
        if outcome(program.replace("$u", instead), modulepath, {"x": 1}) is not None:
            return
    raise AssertionError("it is no error at all")
