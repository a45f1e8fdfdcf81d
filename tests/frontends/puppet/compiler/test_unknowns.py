"""What an Unknown leaves open is Unknown: what is assigned in a choice, what templates change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.frontends.puppet.compiler.erb import changed_by
from analyzer.model.values import Unknown
from tests.oracle.compiled import compile_question


def parameters(code: str, modulepath: str = "") -> dict[str, dict[str, Any]]:
    """The parameters of a program's resources, by reference."""
    question = {"code": code, "modulepath": [modulepath] if modulepath else []}
    rows = compile_question(question)["resources"]
    return {f"{row['type']}[{row['title']}]": row.get("parameters", {}) for row in rows}


CHOICES = """
$u = inline_template('<%= 1 %>') == 'x'
if $u { $one = 1 [$two, [$three]] = [1, [2]] } else { $one = 2 }
unless $u { $four = 1 }
case $u { true: { $five = 1 } default: { [1].each |$i| { $own = $i } } }
$known = 'k'
notify { 'a': message => [$one, $two, $three, $four, $five, $own, $known] }
"""


def test_assigned_where_an_unknown_decides() -> None:
    message = parameters(CHOICES)["Notify[a]"]["message"]
    assert [type(value) is Unknown for value in message] == [True] * 5 + [False] * 2
    assert message[5:] == [None, "k"]


def test_what_is_made_of_a_text_may_be_false() -> None:
    program = "if inline_template('x') %s { notify { 'a': } } else { notify { 'b': } }"
    assert "Notify[a]" in parameters(program % "")
    assert not {"Notify[a]", "Notify[b]"} & parameters(program % "== 'x'").keys()
    assert not {"Notify[a]", "Notify[b]"} & parameters(program % ".empty").keys()


# Ruby, and the variables that it changes; those in capitals are changed even if they are texts.
TEMPLATES = [
    ("<% @a << 1 %>", "A"),
    ("<%- @a.push(1) -%>", "a"),
    ("<% @a['x'] = 1 %> <% @b[0][1] ||= 2 %>", "a b"),
    ("<% x = @a %><% x << 1 if @b %>", "A"),
    ("<% x = @a || [] %><% y = x %><% y.concat(@b) %>", "A"),
    ("<% if @a.is_a?(Array)\n x = @a\n else\n x = [@b]\n end\n x << 1 %>", "A"),
    ("<%= @a.collect! { |i| i.to_s }.join %>", "A"),
    ("<% @a.each do |k, v| %><%= v.delete('x') %><% end %>", "a"),
    ("<% scope['web::a'].delete('x') %>", "web::a"),
    ("<% scope.lookupvar('web::a').merge!({}) %>", "WEB::A"),
    ("<% scope['::a'].store('x', 1) %>", "a"),
    ("<% @a.map { |i| i }.push(1) %>", ""),
    ("<% @a.flatten.compact! %>", ""),
    ("<% x = @a.dup %><% x << 1 %>", ""),
    ("<% x = [] %><% x << @a %>", ""),
    ("<%= @a == 1 %> <% if @a['x'] == 2 %><% end %> <% @a += [1] %>", ""),
    ("<%# @a << 1 %> @a << 1 <%% @a << 1 %>", ""),
    ("<%= @a.sort.join(',') %><%= @b.delete_suffix('x') %>", ""),
]


@pytest.mark.parametrize(("template", "expected"), TEMPLATES, ids=[t for t, _ in TEMPLATES])
def test_changed_by(template: str, expected: str) -> None:
    found = changed_by(template)
    assert {name.lower(): name.isupper() for name in expected.split()} == found


MODULE = """
define web::site($aliases = [], $plain = ['p'], $name_ = 'n') {
  $same = $aliases
  file { "/before-${title}": content => $same }
  file { "/${title}": content => template('web/site.erb') }
  file { "/after-${title}": content => [$aliases, $same, $plain], owner => $name_ }
}
"""


def test_template_that_is_not_run(tmp_path: Path) -> None:
    module = tmp_path / "web"
    (module / "manifests").mkdir(parents=True)
    (module / "templates").mkdir()
    (module / "manifests" / "site.pp").write_text(MODULE)
    (module / "templates" / "site.erb").write_text("<% @aliases << @plain %><%= @name_.strip %>")
    code = "$given = ['g'] web::site { 'x': aliases => $given } notify { 'n': message => $given }"
    found = parameters(code, str(tmp_path))
    aliases = found["Web::Site[x]"]["aliases"]
    assert isinstance(aliases, Unknown)
    assert "web/site.erb" in aliases.reason
    assert found["File[/before-x]"]["content"] == ["g"]
    after = found["File[/after-x]"]
    assert [type(value) is Unknown for value in after["content"]] == [True, True, False]
    assert after["owner"] == "n"
    assert found["Notify[n]"]["message"] == ["g"]


@pytest.mark.parametrize(
    "value", ["{ 1 => 'a', true => 'b' }", "[1, true].group_by |$x| { $x }", "{ 1 => 1, 1.0 => 2 }"]
)
def test_keys_that_cannot_be_told_apart(value: str) -> None:
    message = parameters(f"notify {{ 'a': message => {value} }}")["Notify[a]"]["message"]
    assert isinstance(message, Unknown)
    assert message.reason.startswith("a hash with both 1 and ")
