"""`[[rules]]` of `catgraph.toml`: what they find, their place in reports, and mistakes."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from analyzer import lint
from analyzer.config import Config, load
from analyzer.diagnostics import InputError
from analyzer.linter.contracts.own import own_rules
from tests.cli.conftest import Run, run
from tests.linter.own import told, write

pytestmark = pytest.mark.usefixtures("one_world")

__all__ = ["run"]


def rule(find: str, message: str = "{ref}", rest: str = "") -> str:
    """A rule with a code."""
    return f'[[rules]]\ncode = "X1"\nfind = "{find}"\nmessage = "{message}"\n{rest}\n'


B = "modules/profile/manifests/b.pp"
CASES = {
    rule("type = Service and not (before it: type = File)"): [
        "modules/profile/manifests/a.pp:3 warning: Service[a]"
    ],
    rule("type = Service and title = b", "{type} {title} of {container} at line {line}"): [
        f"{B}:3 warning: Service b of Class[Profile::B] at line 3"
    ],
    rule("edges where kind = notify", "{source} {kind} {target}", "severity = 'error'"): [
        f"{B}:3 error: File[/etc/b] notify Service[b]"
    ],
    rule("type = Service and before Exec[none]"): [],
    rule("type = Service", rest="exclude = ['Service[a*]', 'modules/profile/manifests/b.pp']"): [],
    rule("type = Service", rest="exclude = ['modules', 'Service[a]', 'Service[c]', 'none']"): [
        f"catgraph.toml:6 warning: '{entry}' is excluded, but accepts nothing; remove the entry"
        for entry in ("Service[c]", "none")
    ],
    rule("title = a and type = Service", "{{ {ref} }}}}"): [
        "modules/profile/manifests/a.pp:3 warning: { Service[a] }}"
    ],
    rule("type = Sevice"): [
        "catgraph.toml:4 error: no type of this code has the name 'Sevice'; did you mean 'Service'?"
    ],
    rule("bogus = 3"): ["catgraph.toml:4 error: no parameter of this code has the name 'bogus'"],
    rule("type = Service and before it: class = profile::aa"): [
        "catgraph.toml:4 error: no class of this code has the name 'profile::aa'; "
        "did you mean 'profile::a'?"
    ],
    # What Puppet has, and what the code has that is in no catalog.
    rule(
        "type = Host and ip = '10.0.0.1' or type = Exec and cwd = '/x' or class = base::other"
    ): [],
    rule("type = Base::Other and port = 1 or type = Thing and colour = red"): [],
    rule("edges where kind = contains and from (type = Class and tag = x)", "x"): [],
}
UNUSED = {
    "modules/base/manifests/other.pp": "define base::other($port) {}\n",
    "modules/base/lib/puppet/type/thing.rb": (
        "Puppet::Type.newtype(:thing) do\n  newparam(:colour)\nend\n"
    ),
}


@pytest.mark.parametrize("text", CASES)
def test_rule(tmp_path: Path, text: str) -> None:
    assert told(tmp_path, text, UNUSED) == CASES[text]


def test_a_word_that_one_node_has_is_no_mistake(tmp_path: Path) -> None:
    files = {"manifests/site.pp": "node a { fie { 'x': } }\nnode b {}\nnode default {}\n"}
    files["modules/fie/manifests/init.pp"] = "define fie($bogus = 1) {}\n"
    assert told(tmp_path, rule("bogus = 3", rest="exclude = 'File[x]'"), files) == [
        "catgraph.toml:6 warning: 'File[x]' is excluded, but accepts nothing; remove the entry"
    ]


def test_a_word_is_uncertain_where_the_catalog_is_incomplete(tmp_path: Path) -> None:
    files = {"manifests/site.pp": "if $facts['x'] { package { 's': } }\n"}
    assert told(tmp_path, rule("bogus = 3"), files) == [
        "catgraph.toml:4 note: no parameter of this code has the name 'bogus'"
    ]


def test_what_relies_on_absence_is_a_note_where_the_catalog_is_incomplete(tmp_path: Path) -> None:
    """With an unknown condition, an order may be there on a real node."""
    files = {
        "manifests/site.pp": "service { 's': }\nif $facts['x'] { package { 's': before => "
        "Service['s'] } }\n"
    }
    text = rule("type = Service and not (before it: type = Package)") + rule(
        "type = Service"
    ).replace("X1", "X2")
    assert told(tmp_path, text, files) == [
        "manifests/site.pp:1 warning: Service[s]",
        "manifests/site.pp:1 note: Service[s]",
    ]


def test_a_value_that_is_unknown_is_told(tmp_path: Path) -> None:
    files = {"manifests/site.pp": "file { '/x': mode => $facts['m'] }"}
    (row,) = told(tmp_path, rule("mode != 0600 and type = File"), files)
    assert row.startswith("manifests/site.pp:1 note: it is unknown whether File[/x] matches: mode")


MISTAKES = {
    "find = 'type = File'\nmessage = 'x'": "1:1: error: a rule needs 'code'",
    "code = 'x'\nfind = 'type = File'\nmessage = 'x'": "2:1: error: 'x' is not a valid code; write",
    "code = 'X1'\nmessage = 'x'": "1:1: error: a rule needs 'find'",
    "code = 'X1'\nfind = 'type = File and'\nmessage = 'x'": "3:24: error: expected a word such",
    "code = 'X1'\nfind = 'type = File and befor File[x]'\nmessage = 'x'": (
        "3:25: error: unknown word 'befor'; did you mean 'before'?"
    ),
    'code = "X1"\nfind = "title = \\"a\\" andd"\nmessage = "x"': "3:26: error: unknown word 'd'",
    'code = "X1"\nfind = """\ntype = File\n  or"""\nmessage = "x"': "5:5: error: expected",
    "code = 'X1'\nfind = 'type = File'\nmessage = 'a {ttle}'": "4:14: error: unknown field '{ttl",
    "code = 'X1'\nfind = 'type = File'\nmessage = 'a {ref'": "4:14: error: '{' is not a field",
    "code = 'X1'\nfind = 'type = File'\nmessage = 'a ref}'": "4:17: error: '}' is not a field",
    "code = 'X1'\nfind = 'type = File and contnet = x'\nmessage = 'x'": (
        "3:25: error: File has no parameter 'contnet'; did you mean 'content'?"
    ),
    "code = 'X1'\nfind = 'edges where kind = notifies'\nmessage = 'x'": (
        "3:28: error: no edge has the kind 'notifies'; did you mean 'notify'?"
    ),
    "code = 'X1'\nfind = 'edges where not origin ~ \"aut?\"'\nmessage = 'x'": (
        "3:34: error: no edge has the origin 'aut?'; it is one of require, subscribe"
    ),
    "code = 'X1'\nfind = 'edges'\nmessage = '{ref}'": "4:12: error: unknown field '{ref}'; the fie",
    "code = 'X1'\nfind = 'title ~ /(a+)+b/'\nmessage = 'x'": (
        "3:17: error: a regular expression is ignored here, because this file may not be"
    ),
    "code = 'X1'\nfinds = 'type = File'\nmessage = 'x'": "3:1: error: unknown key 'finds' in",
    "code = 'CG999'\nfind = 'type = File'\nmessage = 'x'": "2:1: error: 'CG999': codes that begin",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_an_error_at_its_place(tmp_path: Path, run: Run, text: str) -> None:
    folder = write(tmp_path, f"[[rules]]\n{text}\n")
    done = run("lint", folder)
    assert (done.code, done.out) == (2, "")
    assert f"catgraph.toml:{MISTAKES[text]}" in done.err
    assert "^" in done.err
    assert "Traceback" not in done.err


def test_a_file_that_the_user_names_may_have_regular_expressions(tmp_path: Path) -> None:
    path = write(tmp_path, rule("title ~ /^a/").replace('"title', "'title").replace('/"', "/'"))
    assert "X1" in own_rules(load(str(path / "catgraph.toml"), named=True))


def test_reports_choice_baseline_and_comments(tmp_path: Path, run: Run) -> None:
    """Own rules are as those of catgraph everywhere."""
    text = rule("type = Service", "{ref} is a service", "help = 'Why not.'")
    folder = write(tmp_path, f"{text}[severity]\nX1 = 'error'\n")
    sarif = json.loads(run("lint", folder, "--format", "sarif", "--select", "X").out)["runs"][0]
    assert [r["id"] for r in sarif["tool"]["driver"]["rules"]] == ["CG205", "X1"]
    assert [(r["ruleId"], r["level"]) for r in sarif["results"]] == [("X1", "error")] * 2
    junit = run("lint", folder, "--format", "junit", "--select", "X1").out
    assert len(ElementTree.fromstring(junit).findall(".//failure")) == 2
    assert "X1" not in run("lint", folder, "--ignore", "X1").out
    assert "X1" not in run("lint", folder, "--select", "CG").out
    assert "Why not." in run("lint", folder, "--select", "X", "--explain").out
    base = tmp_path / "known.json"
    run("lint", folder, "--select", "X", "--write-baseline", base)
    assert run("lint", folder, "--select", "X", "--baseline", base).code == 0
    a, b = (folder / "modules/profile/manifests" / name for name in ("a.pp", "b.pp"))
    for place in (a, b):
        place.write_text(re.sub("(service .*)", r"\1  # catgraph:ignore[X1]", place.read_text()))
    assert run("lint", folder, "--select", "X,CG001").out.startswith("no findings")
    a.write_text(a.read_text().replace("service { 'a'", "exec { '/a'"))
    assert "X1" in run("lint", folder, "--select", "X,CG001").out


def test_contracts_can_be_selected_where_there_are_none(tmp_path: Path, run: Run) -> None:
    """A gate for many projects names the codes of all; a code that cannot be is an error."""
    folder = write(tmp_path, rule("type = Service"))
    assert "X1" in run("lint", folder, "--select", "X,CONTRACT").out
    assert "X1" not in run("lint", folder, "--select", "CONTRACT").out
    assert "unknown rule 'ACME'" in run("lint", folder, "--select", "X,ACME").err
    assert "unknown rule 'CONTRACT7'" in run("lint", folder, "--select", "CONTRACT7").err
    folder = write(tmp_path, f"ignore = ['CONTRACT']\n{rule('type = Service')}")
    assert "X1" in run("lint", folder).out


def test_rules_are_listed_and_explained(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write(tmp_path, rule("type = Service", "no services", "help = 'Why not.'")))
    assert run("rule").out.splitlines()[-1].split() == ["X1", "query", "warning", "no", "services"]
    assert "Finds: type = Service" in run("rule", "X1").out
    assert "Why not." in run("rule", "X1").out
    assert run("rule", "X2").code == 2


def test_a_hostile_file_takes_little_time(tmp_path: Path) -> None:
    """Patterns, long keys and lists do not make the work more than linear."""
    stars = "*a" * 200
    row = {"code": "X1", "find": f"title ~ '{stars}b'", "message": "x" * 100}
    start = time.process_time()
    files = {"manifests/site.pp": f"notify {{ '{'a' * 20_000}': }}"}
    assert told(tmp_path, rule(row["find"], "x"), files) == []
    many = ({**row, "code": f"X{n}"} for n in range(101))
    with pytest.raises(InputError, match="more than 100 tables"):
        own_rules(Config("x", rules=tuple(many)))
    long = {"name": "x", "type": "acyclic", "classes": ["a"] * 150}
    with pytest.raises(InputError, match="more than 1,000 entries"):
        own_rules(Config("x", contracts=(long,) * 7))
    with pytest.raises(InputError, match="more than 1,000 characters"):
        own_rules(Config("x", rules=({**row, "find": "not " * 500 + "ready"},)))
    text = "a = '''\n" + "b\n" * 200_000 + "'''\n[[rules]]\nx = 1\n"
    (tmp_path / "long.toml").write_text(f"a = 1\n{text}")
    with pytest.raises(InputError):
        load(str(tmp_path / "long.toml"))
    assert time.process_time() - start < 5


def test_a_rule_that_finds_very_much_is_cut_short(tmp_path: Path) -> None:
    files = {"manifests/site.pp": 'range(1, 1010).each |$n| {\n  notify { "${n}": } }\n'}
    folder = write(tmp_path, rule("type = Notify", "{title} is one"), files)
    rows = lint([folder])
    assert sum(len({one.message for one in (row, *row.also)}) for row in rows) == 1001
    assert any(r.message == "10 more findings are not shown; narrow the rule" for r in rows)


def test_modules_of_others_are_not_reported_on_but_contracts_see_them(tmp_path: Path) -> None:
    """A rule is about the project's own code, a contract about all edges."""
    files = {
        "Puppetfile": "mod 'acme-base', '1.0.0'\n",
        "modules/base/manifests/init.pp": (
            "class base {\n  service { 'x': before => Class['profile::a'] }\n}\n"
        ),
    }
    query = rule("type = Service and title = x")
    contract = (
        "[[contracts]]\nname = 'n'\ncode = 'X2'\ntype = 'forbidden'\nsource = 'base'\n"
        "target = 'profile::a'\n"
    )
    files["manifests/site.pp"] = "include base, profile::a\n"
    files["environment.conf"] = "modulepath = site:modules\n"
    files["site/profile/manifests/a.pp"] = "class profile::a { notify { 'a': } }\n"
    assert told(tmp_path, query + contract, files) == [
        "modules/base/manifests/init.pp:2 error: n: base is applied before profile::a, which is "
        "forbidden"
    ]
