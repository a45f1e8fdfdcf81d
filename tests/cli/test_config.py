"""`catgraph.toml`: found, checked, beaten by options, and never a way to run a program."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.config import load
from analyzer.config.keys import AUTOMATIC, KEYS
from analyzer.graph.automatic.user_rules import KINDS, SELECTORS
from tests.cli.conftest import Outcome, Run, notify
from tests.conftest import ROOT

Tree = Callable[..., Path]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Write files by name into a folder and go there: ``tree({"site.pp": "..."})``."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return write


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("puppet_versoin = 8", "1:1: error: unknown key 'puppet_versoin'; did you mean"),
        (
            "\n# x\npuppet_version = 'new'",
            "3:1: error: 'puppet_version' takes a version of Puppet (4 to 8, 8.9) or OpenVox (",
        ),
        ("puppet_version = 80", "OpenVox (openvox-8, openvox-8.28, openvox-9), not 80"),
        ("puppet_version = true", "OpenVox (openvox-8, openvox-8.28, openvox-9), not true"),
        ("facts = 3", "'facts' takes a string or a list of strings, not 3"),
        ("nodes = [\n'a',\n2]", "1:1: error: 'nodes' takes a string or a list of strings, not an "),
        ("facts = 'no.json'", "1:1: error: 'facts': no such file: no.json"),
        ("hiera_config = 'no.yaml'", "1:1: error: 'hiera_config': no such file: no.yaml"),
        (
            "[stubs]\n  function.a = 1",
            "2:3: error: unknown key 'function' in 'stubs'; did you mean",
        ),
        (
            "[stubs.functions]\nb = 1\na = [2020-01-01]",
            "3:1: error: 'stubs.functions.a' takes data",
        ),
        ("[stubs.templates]\na = 1", "'stubs.templates.a' takes a string, not 1"),
        ("[severity]\nCG301 = 'fatal'", '2:1: error: \'severity.CG301\' takes "error", "warning"'),
        ("[trusted]\nauthenticated = 0", '\'trusted.authenticated\' takes "remote", "local" or f'),
        (
            "[types.x]\nrefreshabel = true",
            "2:1: error: unknown key 'refreshabel' in 'types.x'; did",
        ),
        ("[types]\nx = 1", "2:1: error: 'types.x' takes a table, not 1"),
        (
            "[types.x]\n[[types.x.automatic]]\nkind = 'autorequire'\ntarget = 'file'\nfrom = 'a'\n"
            "[[types.x.automatic]]\ntarget = 'file'\nkind = []",
            "8:1: error: 'types.x.automatic.kind' takes",
        ),
        (
            "[types.x]\n[[types.x.automatic]]\nkind = 'autorequire'\ntarget = 'file'",
            "2:1: error: 'types.x.automatic': expected one of 'from' and 'titles'",
        ),
        ("a" + ".a" * 64 + " = 1\n", "has a key of more than 64 parts"),
        ("[[contracts]]\ntype = 'layer'", "2:1: error: 'contracts.type' takes"),
        ("a = ", "1: error: not TOML: Invalid value"),
        ("a = 1\nb == 2", "2:4: error: not TOML: Invalid value"),
        ("a = '\n", "error: not TOML"),
        ("a = " + "[" * 5000, "is nested too deeply"),
    ],
)
def test_mistakes(run: Run, tree: Tree, text: str, message: str) -> None:
    tree({"site.pp": "notify { 'a': }", "catgraph.toml": text})
    done = run("order", "site.pp")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("catgraph.toml:")
    assert message in done.err
    assert "(bad-config)" in done.err


@pytest.mark.parametrize("name", ["none.toml", "."])
def test_a_named_file_must_be_there(run: Run, tree: Tree, name: str) -> None:
    tree({"site.pp": "notify { 'a': }"})
    done = run("order", "site.pp", "--config", name)
    assert done.code == 2
    assert f"{name}: error: cannot be read" in done.err


def test_names_of_rules_are_those_of_the_graph() -> None:
    assert all(map(AUTOMATIC["kind"].takes, KINDS))
    assert all(map(AUTOMATIC["select"].takes, SELECTORS))


EVERY_KEY = """
allow_read = "shared"
baseline = "known.json"
enc = "enc.sh"
environment = "test"
facts = ["a.json", "/b.json"]
facts_dir = "facts"
forge = "https://forge.example.com"
hiera_config = "../hiera.yaml"
ignore = "CG307"
legacy_facts = true
modulepath = ["modules:site", "/m"]
nodes = "web1"
nodes_dir = "nodes"
puppet_version = 7
roles = ["role::*", "top"]
ruby = false
select = ["CG"]
store = "exported.sqlite"
strict = true
strict_variables = true
worlds = 4
[server_facts]
servername = "p"
[severity]
CG104 = "note"
[per_path]
"vendor/**" = "CG3"
[stubs]
undef = "::corp::log"
functions = { "::corp::secret" = [1, { a = 2.5 }] }
templates = { "a/b.erb" = "text" }
facts = { os = { family = "RedHat" } }
[trusted]
certname = "x"
[types.a]
namevar = "path"
[tui.keys]
[[rules]]
code = "ACME001"
[[contracts]]
name = "x"
"""


def test_every_key_is_read(tree: Tree) -> None:
    folder = tree({"conf/catgraph.toml": EVERY_KEY})
    config = load("conf/catgraph.toml")
    assert config.baseline == "conf/known.json"
    assert config.facts == ("conf/a.json", "/b.json")
    assert config.hiera_config == "hiera.yaml"
    assert config.ignore == ("CG307",)
    assert config.modulepath == ("conf/modules", "conf/site", "/m")
    assert config.nodes == ("web1",)
    assert (config.facts_dir, config.nodes_dir) == ("conf/facts", "conf/nodes")
    assert config.roles == ("role::*", "top")
    assert config.per_path == {"vendor/**": ("CG3",)}
    assert config.ruby == "off"
    assert (config.strict_variables, config.worlds) == (True, 4)
    assert config.stubs.functions == {"corp::log": None, "corp::secret": [1, {"a": 2.5}]}
    assert config.stubs.templates == {"a/b.erb": "text"}
    assert config.types == {"a": {"namevar": "path"}}
    unread = [key for key in KEYS if not getattr(config, key)]
    assert not unread, "give these keys a value in EVERY_KEY"
    assert load(str(folder / "conf" / "catgraph.toml")).facts[0] == "conf/a.json"


def test_the_page_shows_what_is_read(tree: Tree) -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    blocks = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    tree({"catgraph.toml": "\n".join(blocks)})
    config = load("catgraph.toml")
    assert len(blocks) == 2
    missing = [key for key in KEYS if key not in page]
    assert not missing, "describe these keys in docs/configuration.md"
    assert config.stubs.functions == {"corp::log": None, "corp::secret": "x"}
    assert "myservice" in config.types


REPO = {
    "environments/production/manifests/site.pp": "node 'a' { include c }\nnode 'b' { include c }",
    "environments/production/modules/c/manifests/init.pp": (
        "class c { notify { \"${facts['os']['name']} ${corp::f(1)} ${trusted['certname']}\": } }"
    ),
    "deb.json": '{"os": {"name": "Debian"}}',
    "red.json": '{"os": {"name": "RedHat"}}',
}
OF_REPO = 'nodes = ["a"]\nfacts = ["deb.json"]\n[stubs.functions]\n"corp::f" = "repo"\n'


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (["."], "Debian repo a"),
        (["environments/production"], "Debian repo a"),
        (["environments/production/manifests/site.pp"], "Debian repo a"),
        ([".", "--facts", "red.json"], "RedHat repo a"),
        ([".", "--node", "b"], "Debian repo b"),
        ([".", "--config", "other.toml"], "RedHat other b"),
    ],
)
def test_options_beat_the_file(run: Run, tree: Tree, words: list[str], title: str) -> None:
    other = OF_REPO.replace('"a"', '"b"').replace("deb", "red").replace('"repo"', '"other"')
    tree({**REPO, "catgraph.toml": OF_REPO, "other.toml": other})
    done = run("order", *words)
    assert done.code == 0, done.err
    assert done.out.splitlines()[0] == f"Notify[{title}]"


def test_the_nearest_file_counts(run: Run, tree: Tree) -> None:
    inner = OF_REPO.replace('"repo"', '"inner"').replace("deb.json", "../../deb.json")
    tree({**REPO, "catgraph.toml": OF_REPO, "environments/production/catgraph.toml": inner})
    assert "Notify[Debian inner a]" in run("order", "environments/production").out
    assert "Notify[Debian repo a]" in run("order", ".").out


def test_paths_are_relative_to_the_file(
    run: Run, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tree({**REPO, "catgraph.toml": OF_REPO, "elsewhere/x": ""})
    monkeypatch.chdir(folder / "elsewhere")
    assert "Notify[Debian repo a]" in run("order", "..").out
    assert "Notify[Debian repo a]" in run("order", folder).out


def test_version_of_the_file(run: Run, tree: Tree) -> None:
    tree({"catgraph.toml": "puppet_version = 5\n", "c.json": json.dumps({"resources": []})})
    assert run("order", "c.json", "--ordering", "random").code == 0
    done = run("order", "c.json", "--ordering", "random", "--puppet-version", "8")
    assert done.code == 2
    assert "Puppet 8 has manifest ordering only" in done.err


@pytest.mark.parametrize("version", ["3", "9", "9.1", "-1", "0", "openvox-7"])
def test_only_versions_that_are_known_are_taken(run: Run, tree: Tree, version: str) -> None:
    tree({"catgraph.toml": f"puppet_version = '{version}'\n", "c.json": '{"resources": []}'})
    done = run("order", "c.json", "--config", "/dev/null", f"--puppet-version={version}")
    assert done.code == 2
    taken = "a version of Puppet (4 to 8, 8.9) or OpenVox (openvox-8, openvox-8.28, openvox-9)"
    assert f"expected {taken}, not '{version}'" in done.err
    assert f"'puppet_version' takes {taken}" in run("order", "c.json").err


@pytest.mark.parametrize("version", ["7", "7.23", "8.9", "openvox", "openvox-8", "openvox-8.28.0"])
def test_versions_of_both_products(run: Run, tree: Tree, version: str) -> None:
    tree({"catgraph.toml": f"puppet_version = '{version}'\n", "c.json": '{"resources": []}'})
    assert run("order", "c.json").code == 0
    assert run("order", "c.json", "--puppet-version", version).code == 0


# As Puppet 7.23 logs it, once for each place.
UNKNOWN = """notice($a)
[1, 2].each |$i| { notice("${a::b} ${::c}") }
class k($p = $q) { $x = "1" + 1 }
include k
notice($0, $caller_module_name, getvar('g'), defined('$d'))
"""
WARNED = (
    ("Unknown variable: 'a'.", 1, 8),
    ("Unknown variable: 'a::b'.", 2, 30),
    ("Unknown variable: '::c'.", 2, 38),
    ("Unknown variable: 'q'.", 3, 14),
    ("The string '1' was automatically coerced to the numerical value 1", 3, 25),
)


def first_error(done: Outcome) -> str:
    """Return the first line about an error."""
    return next(line for line in done.err.splitlines() if ": error: " in line)


def test_unknown_variables_are_warned_of_or_refused(run: Run, tree: Tree) -> None:
    tree({"a.pp": UNKNOWN, "facts.json": "{}", "strict.toml": "strict_variables = true\n"})
    words = ("cycles", "a.pp", "--facts", "facts.json", "--puppet-version", "7")
    done = run(*words)
    assert done.code == 0
    assert done.err.splitlines() == [
        f"a.pp: warning: {said} (file: a.pp, line: {line}, column: {column})"
        for said, line, column in WARNED
    ]
    refused = run(*words, "--strict-variables")
    assert refused.code == 3
    assert first_error(refused) == "a.pp:1:8: error: Unknown variable: 'a'. (cannot-compile)"
    assert run(*words, "--config", "strict.toml") == refused
    assert first_error(run(*words[:-1], "8")) == first_error(refused)


@pytest.mark.parametrize("key", ["enc", "ruby", "store"])
def test_a_file_that_was_found_runs_and_writes_nothing(tree: Tree, key: str) -> None:
    tree({"catgraph.toml": f"{key} = 'x'\n"})
    assert load("catgraph.toml", named=True).program(key) == "x"
    with pytest.raises(
        Exception, match=f"'{key}' is ignored here, because this file may not be reviewed"
    ):
        load("catgraph.toml").program(key)


def test_a_classifier_of_the_file(run: Run, tree: Tree) -> None:
    folder = tree({**REPO, "catgraph.toml": f"enc = 'enc.sh'\n{OF_REPO}"})
    program = folder / "enc.sh"
    program.write_text(f"#!/bin/sh\ntouch '{folder}/ran'\necho 'parameters: {{}}'\n")
    program.chmod(0o755)
    done = run("order", ".")
    assert done.code == 2
    assert (
        "catgraph.toml:1:1: error: 'enc' is ignored here, because this file may not be reviewed"
        in done.err
    )
    assert not (folder / "ran").exists()
    assert run("order", ".", "--config", "catgraph.toml").code == 0
    assert (folder / "ran").exists()


def test_stubs(run: Run, tree: Tree) -> None:
    code = """corp::log('a')
notify { corp::title(1): message => corp::data()['b'][0], tag => template('m/a.erb', 'm/b.erb') }
notify { "${facts['os']['family']} ${facts['os']['name']} ${facts['new']}": }
if fqdn_rand(10) == 'stubbed' { notify { 'built in': } }
"""
    stubs = """[stubs]
undef = ["corp::log"]
[stubs.functions]
"corp::title" = "t"
"corp::data" = { b = ["in b"] }
fqdn_rand = "stubbed"
[stubs.templates]
"m/a.erb" = "x"
"m/b.erb" = "y"
[stubs.facts]
os.family = "RedHat"
new = true
"""
    tree(
        {
            "site.pp": code,
            "catgraph.toml": stubs,
            "f.json": '{"os": {"family": "Debian", "name": "Debian"}}',
        }
    )
    done = run("compile", "site.pp", "--facts", "f.json")
    assert (done.code, done.err) == (0, "")
    rows = {row["title"]: row for row in json.loads(done.out)["resources"]}
    assert rows["t"]["parameters"] == {"message": "in b", "tag": "xy"}
    assert {"RedHat Debian true", "built in"} <= rows.keys()


def test_stubs_may_be_all_the_facts(run: Run, tree: Tree) -> None:
    tree(
        {
            "site.pp": "notify { \"${facts['os']['family']} ${osfamily}\": }",
            "catgraph.toml": "legacy_facts = true\n[stubs.facts]\nos.family = 'RedHat'",
        }
    )
    done = run("order", "site.pp")
    assert "Notify[RedHat RedHat]" in done.out
    assert "the only facts are those of [stubs.facts]" in done.err


def test_trusted_data_and_server_facts(run: Run, tree: Tree) -> None:
    code = """notify { "${trusted['extensions']['pp_role']} ${trusted['hostname']} ${servername}": }
if $serverversion { }
"""
    given = '[trusted]\ncertname = "db1.example.com"\nextensions = { pp_role = "db" }\n'
    tree({"site.pp": code, "catgraph.toml": f'{given}[server_facts]\nservername = "p"\n'})
    done = run("order", "site.pp")
    assert "Notify[db db1 p]" in done.out
    assert done.err == "unknown, but hides no relationship: 1 condition (--explain lists them)\n"
    told = run("order", "site.pp", "--explain").err
    assert "condition at site.pp:2:4: $serverversion belongs to the compiling server" in told


def test_a_file_beside_a_catalog(run: Run, tree: Tree) -> None:
    catalog = {"resources": [notify("a"), notify("b")], "name": "n"}
    rules = "[types.notify]\n[[types.notify.automatic]]\nkind = 'autobefore'\ntarget = 'notify'\n"
    tree({"c.json": json.dumps(catalog), "catgraph.toml": f"{rules}titles = ['a']\n"})
    assert run("why", "c.json", "Notify[b]", "Notify[a]").code == 0
