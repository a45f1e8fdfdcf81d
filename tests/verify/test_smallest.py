"""Cases are made small while they show what they have to show; no Ruby is needed."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

import analyzer
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.session.inputs import graph_of
from analyzer.session.verify.cases import Bench, Case
from analyzer.session.verify.compare import document_of
from analyzer.session.verify.names import without_names
from analyzer.session.verify.shrink import fewest, shrink, tidy
from analyzer.session.verify.smallest import CaseSearch, Smallest
from analyzer.session.verify.tool import Tool
from analyzer.session.verify.trees import fewest_entries

PROGRAM = """
# What the site has.
node 'web1.corp.example' {
  include role::web
}
class role::web {
  include profile::base
  contain profile::web
}
class profile::base {
  package { 'vim': ensure => installed }
}
class profile::web (
  Integer $port = 80,
) {
  # A comment with a 'quote
  file { '/etc/corp/web.conf':
    content => "listen ${port} on ${facts['os']['name']}",
    mode    => $facts['corp_mode'],
    require => Package['vim'],
  }
}
"""
FACTS: dict[str, Any] = {
    "os": {"name": "Debian", "family": "Debian"},
    "corp_mode": "0644",
    "x": [1, 2],
}


class FakeTool:
    """Compiles as we do, but of each mode of a file it makes a number."""

    folder = ""

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        code, node = question["code"], question["node"]
        try:
            catalog = analyzer.compile(code=code, facts=question["facts"], node=node, trusted={})
        except analyzer.InputError as error:
            return {"stage": "compile", "error": error.message}
        document = json.loads(json.dumps(document_of(catalog, places=False), default=str))
        for row in document["resources"]:
            if row["type"] == "File" and "mode" in row.get("parameters", {}):
                row["parameters"]["mode"] = 644
        return {"stage": "catalog only", "catalog": document}


def smallest(case: Case, kind: str) -> Smallest:
    settings = Settings(trusted={"extensions": {}, "external": {}})
    bench = Bench(cast("Tool", FakeTool()), settings, graph_of)
    found = CaseSearch(bench, kind).smallest(case, ())
    assert isinstance(found, Smallest), found
    return found


def test_a_site_becomes_one_statement() -> None:
    whole = Case(PROGRAM, "web1.corp.example", FACTS)
    found = smallest(whole, "parameter: File{mode} str, not int")
    assert found.case.code == "file { '/a': mode => $facts['g'] }\n"
    assert list(found.case.facts) == ["g"]
    assert found.case.lines == 2
    assert found.notes == ()
    assert "corp" not in str(found.case)


@pytest.mark.parametrize("wanted", [(), (3,), (1, 8), (0, 4, 9)])
def test_few_items(wanted: tuple[int, ...]) -> None:
    assert tuple(fewest(range(10), lambda some: set(wanted) <= set(some))) == wanted


def test_few_entries() -> None:
    value = {"a": [1, {"b": 2, "c": 3}, 4], "d": 5}
    assert fewest_entries(value, lambda one: "'c': 3" in str(one)) == {"a": [{"c": 3}]}


def test_a_class_is_put_where_it_is_declared() -> None:
    program = "include a\nclass a\n  {\n  $b = 1\n  notify { 'x': }\n}\n"

    def shows(code: str) -> bool:
        return "notify { 'x'" in code and ("class a" in code) == ("include a" in code)

    assert shrink(program, shows).split() == ["notify", "{", "'x':", "}"]


def test_parts_of_a_text() -> None:
    found = shrink('$a = "one ${b} two ${c}"\n', lambda code: "${c}" in code)
    assert found == '"${c}"\n'


def test_tidy() -> None:
    assert tidy("class a \n{\n      file { '/{x':\n  mode => 1\n }\n}\n") == (
        "class a {\n  file { '/{x': mode => 1 }\n}\n"
    )


def test_names_that_the_difference_needs_stay() -> None:
    case = Case("include corp::web\n$secret = 'hunter2'\n")
    small, _, needed = without_names(case, "kind", lambda one, kind: "corp" in one.code)
    assert small.code == "include corp::c\n$d = 'a'\n"
    assert needed == ("corp",)
