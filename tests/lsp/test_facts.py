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


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("bundle agent a", ["bundle a"]),
        ("body perms a(b, c", ["body perms/a", "policy parameter b", "policy parameter c"]),
        ('bundle agent a { vars: "b[c]" string => "d"; }', ["bundle a", "policy variable b"]),
        ('bundle agent a { files:\n x:: "b" -> { "c" } handle => "d";', ["bundle a",
         'promise files "b"', "handle d"]),
    ],
)  # fmt: skip
def test_symbols_of_policies(text: str, names: list[str]) -> None:
    assert [f"{one.kind} {one.name}" for one in facts_of("a.cf", text).symbols] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('bundle agent a { files: "b" perms => c(d, e("f"));', ["body perms/c"]),
        ('bundle agent a { methods: "b" usebundle => default:c(d);', ["bundle c"]),
        ("body common control { bundlesequence => { a, \"b\" }; }", ["bundle a", "bundle b"]),
        ('bundle agent a { reports: "$(b) @{c.d}" depends_on => { "e" };',
         ["policy variable b", "policy variable c.d", "handle e"]),
    ],
)  # fmt: skip
def test_uses_of_policies(text: str, names: list[str]) -> None:
    found = facts_of("a.cf", text).uses
    assert [f"{u.kind} {u.name}" for u in found if u.kind != "policy function"] == names
