"""`unused`: what no node can reach, with the reason, and what cannot be known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

INIT = """# profile::comment is no use.
class profile (
  String $given = 'x',
) {
  include "profile::os::${facts['os']['family']}"
  profile::used { 'x': }
  $name = lookup('plain')
  file { '/a': content => epp("${module_name}/used.epp") }
  file { '/b': source => 'puppet:///modules/profile/folder', recurse => true }
  file { '/c': content => template("profile/computed-${facts['kernel']}.erb") }
  notify { profile::call(): }
}
"""
FILES = {
    "manifests/site.pp": "node default { include profile }\n",
    "environment.conf": "modulepath = site:modules\n",
    "hiera.yaml": "version: 5\ndefaults: { datadir: data, data_hash: yaml_data }\n"
    "hierarchy: [{ name: common, path: common.yaml }]\n",
    "data/common.yaml": """---
profile::given: y
profile::gone: y
profile::old::port: 1
profile::none::port: 1
elsewhere::port: 1
plain: z
nobody: z
lookup_options: {}
list:
  - profile::listed
inner: "%{lookup('asked')}"
asked: 1
""",
    "site/profile/manifests/init.pp": INIT,
    "site/profile/manifests/os/debian.pp": "class profile::os::debian {\n"
    "  include profile::deb\n  file { '/d': source => 'puppet:///modules/profile/deb.txt' }\n}\n",
    "site/profile/manifests/deb.pp": "class profile::deb { }\n",
    "site/profile/files/deb.txt": "1\n",
    "site/profile/manifests/used.pp": "define profile::used { }\n",
    "site/profile/manifests/listed.pp": "class profile::listed { lookup('list') }\n",
    "site/profile/manifests/comment.pp": "class profile::comment { include profile::comment }\n",
    "site/profile/manifests/old.pp": "class profile::old ($port = 1) {\n"
    "  include profile::older\n  file { '/o': content => template('profile/old.erb') }\n}\n",
    "site/profile/manifests/older.pp": "class profile::older { profile::alone { 'x': } }\n",
    "site/profile/manifests/alone.pp": "define profile::alone { }\n",
    "site/profile/functions/call.pp": "function profile::call() { profile::deeper() }\n",
    "site/profile/functions/deeper.pp": "function profile::deeper() { 1 }\n",
    "site/profile/lib/puppet/functions/profile/lost.rb": "Puppet::Functions.create_function("
    ":'profile::lost') { dispatch(:lost) {} }\n",
    "site/profile/templates/used.epp": "<%= 1 %>\n",
    "site/profile/templates/old.erb": "1\n",
    "site/profile/templates/computed-Linux.erb": "1\n",
    "site/profile/files/folder/inside.txt": "1\n",
    "site/profile/files/lost.txt": "1\n",
    "site/profile/spec/classes/old_spec.rb": "describe 'profile::old' do end\n",
    "modules/thing/metadata.json": '{ "name": "a-thing", "checksums": {} }',
    "modules/thing/manifests/init.pp": "class thing { }\n",
    "bin/classify.rb": "puts 'none'\n",
}
UNUSED = """data/common.yaml:3: key profile::gone: class profile has no parameter gone
data/common.yaml:4: key profile::old::port: class profile::old is used by nothing
data/common.yaml:5: key profile::none::port: there is no class profile::none
data/common.yaml:8: key nobody: no code that is in use looks it up
data/common.yaml:12: key inner: no code that is in use looks it up
site/profile/files/lost.txt: file profile/lost.txt: no code that is in use names it
site/profile/lib/puppet/functions/profile/lost.rb:1: function profile::lost: no code that is in use calls it
site/profile/manifests/alone.pp:1: define profile::alone: named only by class profile::older, which nothing uses
site/profile/manifests/comment.pp:1: class profile::comment: no node block, code or data that is in use names it
site/profile/manifests/old.pp:1: class profile::old: no node block, code or data that is in use names it
site/profile/manifests/older.pp:1: class profile::older: named only by class profile::old, which nothing uses
site/profile/templates/old.erb: template profile/old.erb: named only by class profile::old, which nothing uses
unused: 5 keys, 1 file, 1 function, 1 define, 3 classes, 1 template
cannot be known: 1 key, 1 file, 2 classes, 1 template
  data/common.yaml:6: key elsewhere::port: module elsewhere is not here
  site/profile/files/deb.txt: file profile/deb.txt: only code whose use cannot be known has its name
  site/profile/manifests/deb.pp:1: class profile::deb: only code whose use cannot be known has its name
  site/profile/manifests/os/debian.pp:1: class profile::os::debian: site/profile/manifests/init.pp:5 computes a name that may be this
  site/profile/templates/computed-Linux.erb: template profile/computed-Linux.erb: site/profile/manifests/init.pp:10 computes a name that may be this
"""  # noqa: E501


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_nothing_uses(run: Run, site: Path) -> None:
    done = run("unused", ".", "--explain")
    assert (done.code, done.out) == (1, UNUSED)


@pytest.mark.parametrize(
    ("call", "is_open"),
    [
        ("include $facts['role']", True),
        ("include $::role", True),
        ("include $role", True),
        ("include \"${facts['a']}::${facts['b']}\"", True),
        ("$role = prefix(['a'], $facts['b']) include $role", True),
        ("$role = prefix(['a'], 'elsewhere::') include $role", False),
        ("$role = 'profile::comment' include $role", False),
        ("['profile::comment'].each |$role| { include $role }", False),
    ],
)
def test_a_class_with_a_computed_name_may_be_any(
    run: Run, site: Path, call: str, is_open: bool
) -> None:
    (site / "manifests/site.pp").write_text(f"node default {{ include profile\n{call} }}\n")
    document = json.loads(run("unused", ".", "--format", "json").out)
    unused = {row["name"] for row in document["unused"] if row["kind"] == "class"}
    unknown = {row["name"]: row["reason"] for row in document["unknown"] if row["kind"] == "class"}
    assert ("profile::old" in unknown, "profile::old" in unused) == (is_open, not is_open)
    assert ("profile::comment" in unused) == ("elsewhere" in call)
    if is_open:
        assert unknown["profile::old"].startswith("manifests/site.pp:2 ")


def test_definitions_of_a_module_alone_may_be_used(run: Run, site: Path) -> None:
    done = run("unused", "site/profile")
    assert "class profile::old" not in done.out
    assert "file profile/lost.txt: no code that is in use names it" in done.out
    assert "there is no site: any definition of a module may be used" in done.out


def test_a_classifier_may_name_any_role(run: Run, site: Path) -> None:
    (site / "manifests/site.pp").write_text("node default { }\n")
    (site / "data/common.yaml").write_text("--- {}\n")
    (site / "site/role/manifests").mkdir(parents=True)
    (site / "site/role/manifests/web.pp").write_text("class role::web { include profile::old }\n")
    done = run("unused", ".")
    assert "class profile::old:" not in done.out
    assert "class profile::comment:" in done.out
    assert "no node block or data name a role: any role may be used" in done.out


def test_nothing_is_called_clean_that_was_not_seen(run: Run, site: Path) -> None:
    (site / "environment.conf").write_text("modulepath = /nowhere/modules\n")
    (site / "data/common.yaml").write_text("--- {}\n")
    done = run("unused", ".")
    assert (done.code, "no code or data of its own was seen" in done.err) == (3, True)


def test_bad_input(run: Run, site: Path) -> None:
    assert run("unused", "nowhere").code == 2
    assert run("unused", "modules/thing/metadata.json").code == 2
    (site / "site/profile/manifests/broken.pp").write_text("class profile::broken {\n")
    done = run("unused", ".")
    assert (done.code, "broken.pp:" in done.err) == (3, True)


def test_a_rule_that_is_off_by_default_reports_the_same(run: Run, site: Path) -> None:
    assert "CG120" not in run("lint", ".", "--no-cache").out
    done = run("lint", ".", "--no-cache", "--select", "CG120", "--format", "json")
    messages = {row["message"] for row in json.loads(done.out)["findings"]}
    assert messages == {
        f"{line.split(': ')[1]} is unused: {line.split(': ', 2)[2]}"
        for line in UNUSED.split("\n")[:12]
    }


def test_nothing_is_unused_only_where_all_was_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "environment.conf": "",
        "manifests/site.pp": "node default { include a }\n",
        "modules/a/manifests/init.pp": "class a { }\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert run("unused", ".").out == "nothing is unused\n"
    (tmp_path / "modules/a/manifests/b.pp").write_text("class {\n")
    assert run("unused", ".").out == "nothing is known to be unused\n"
