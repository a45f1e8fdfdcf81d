"""What an Unknown leaves open is Unknown: what is assigned in a choice, what templates change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.frontends.puppet.compiler.calls.erb import changed_by
from analyzer.model.values import Unknown
from tests.oracle.compiled import compile_question


def parameters(code: str, modulepath: str = "", *, facts: bool = True) -> dict[str, dict[str, Any]]:
    """The parameters of a program's resources, by reference."""
    question: dict[str, Any] = {
        "code": code,
        "modulepath": [modulepath] if modulepath else [],
        "facts": {} if facts else None,
    }
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


# What is written of a notify, and what it is without facts: None for what is not known.
WITHOUT_FACTS = [
    ("[['m', $facts['a'], []], ['h', $facts['b'], []]].filter |$x| { !!$x[1] }", None),
    ("[['m', true], ['h', $facts['b']]].map |$x| { $x[0] }", ["m", "h"]),
    ('epp("web/${facts["os"]["name"]}.epp")', None),
    ("epp('web/x.epp', $facts['q'])", None),
    ("epp('web/x.epp', {'a' => $facts['q']})", "x"),
    ("epp('web/x.epp')", "x"),
    ("assert_type($facts['t'], 'a')", "a"),
    ("[1, $facts['q']] == [2, $facts['q']]", False),
    ("[1, $facts['q']] == [1, 2]", None),
    ("['a', $facts['q']] ? { ['b', 'c'] => 1, default => 2 }", 2),
    ("['a', $facts['q']] ? { ['a', 'c'] => 1, default => 2 }", None),
    ("'a' ? { $facts['q'] => 1, default => 2 }", None),
    ("['a', $facts['q']] =~ Array[String]", None),
    ("['a', $facts['q']] =~ Array[Integer]", False),
    ('"${facts["q"]}" =~ Integer', False),
    ("{'a' => 1}[$facts['q']]", None),
    ("[1, $facts['q']] - [1]", None),
    ("size([*$facts['q'], 1])", None),
    ("$facts['q'] and fail('never')", None),
]


@pytest.mark.parametrize(("value", "expected"), WITHOUT_FACTS, ids=[v for v, _ in WITHOUT_FACTS])
def test_without_facts(value: str, expected: Any, tmp_path: Path) -> None:
    (tmp_path / "web" / "templates").mkdir(parents=True)
    (tmp_path / "web" / "templates" / "x.epp").write_text("x")
    found = parameters(f"notify {{ 'n': message => {value} }}", str(tmp_path), facts=False)
    message = found["Notify[n]"]["message"]
    assert isinstance(message, Unknown) if expected is None else message == expected


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
