"""Small cases of what a manifest declares and uses."""

import pytest

from analyzer.lsp.index.workspace_index import facts_of


def used(text: str, kind: str) -> list[str]:
    return [use.name for use in facts_of("a.pp", text).uses if use.kind == kind]


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("include a, 'b::c'", "class", ["a", "b::c"]),
        ("include(['A', ::b])", "class", ["a", "b"]),
        ("class { ['a', 'b']: }", "class", ["a", "b"]),
        ("class a (Integer $b) inherits c::d { }", "function", []),
        ("class a (Integer $b) inherits c::d { }", "inherits", ["c::d"]),
        ("create_resources('a::b', $x)", "type", ["a::b"]),
        ("create_resources(file, {'c' => {}})", "type", ["file"]),
        ("File['a', \"b\"] -> Class['c']", "resource", ["file[a]", "file[b]"]),
        ("File['a', \"b\"] -> Class['c']", "class", ["c"]),
        ("$x = Enum['a', 'b']", "resource", []),
        ("$a = lookup('x::y', String, undef, 'z')", "key", ["x::y"]),
        ("file { 'a': source => 'puppet:///modules/m/x/y' }", "file", ["m/x/y"]),
        ("$a = template('m/a.erb', 'm/b.erb')", "template", ["m/a.erb", "m/b.erb"]),
        ("file { 'a': mode => 1; 'b': owner => 2 }", "attribute", ["file/mode", "file/owner"]),
        ("class { 'a': b => 1 }", "attribute", ["class a/b"]),
        ("if $x == foo { notice(1) }", "type", []),
        ("case $x { foo: { include a } }", "class", ["a"]),
        ("\"${a} $b ${c['d']} ${e::f}\"", "variable", ["a", "b", "c", "e::f"]),
        ("[$a, [$b]] = $c", "variable", ["c"]),
    ],
)
def test_uses(text: str, kind: str, names: list[str]) -> None:
    assert used(text, kind) == names


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.pp", "class a { class b { } }", ["class a", "class a::b"]),
        ("a.pp", "[$a, [$b]] = $c", ["variable a", "variable b"]),
        ("a.pp", "file { 'a': ; ['b', \"c${d}\"]: }", [f"resource file[{t}]" for t in
                                                     ("a", "b", "c${d}")]),
        ("m/plans/a.pp", "plan a::b(TargetSpec $t) { }", ["plan a::b", "parameter t"]),
        ("a.epp", "<%- | String $a | -%>\n<%= $a %>", ["parameter a"]),
        ("a.yaml", "---\na::b: 1\n'c': |\n  d: 2\n\"e\" :\n  - f: 1\n# g: 1\n",
         ["key a::b", "key c", "key e"]),
        ("a.yaml", "", []),
        ("m/lib/puppet/type/a.rb", "Puppet::Type.newtype(:a) do\nend", ["ruby type a"]),
        ("m/lib/facter/a.rb", "Facter.add('b') { }", ["fact b"]),
    ],
)  # fmt: skip
def test_symbols(path: str, text: str, names: list[str]) -> None:
    assert [f"{one.kind} {one.name}" for one in facts_of(path, text).symbols] == names
