"""`catgraph init`: what it finds, and that what it writes works."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.config import load
from tests.cli.conftest import Put, Run

SAMPLES = Path(__file__).resolve().parents[2] / "sample_catalogs" / "control_repos"
SHAPES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())


def written(run: Run) -> dict[str, object]:
    """Return the settings in the file that is written here."""
    done = run("init")
    assert done.code == 0, done.err
    load("catgraph.toml")
    return tomllib.loads(Path("catgraph.toml").read_text())


@pytest.mark.parametrize("shape", SHAPES)
def test_the_samples(shape: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES / shape, tmp_path / shape)
    monkeypatch.chdir(tmp_path / shape)
    done = run("init")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("next: catgraph check .\n")
    found = tomllib.loads(Path("catgraph.toml").read_text())
    more = {"classifier": ["nodes_dir"], "puppet_3": ["legacy_facts"]}
    more["puppet_6"] = ["legacy_facts"]
    assert found.keys() == {"facts", *more.get(shape, [])}
    assert run("lint", ".").code in {0, 1, 3}
    assert run("cycles", ".").code in {0, 1, 3}
    # With all marks of comments removed it is a configuration, too.
    lines = Path("catgraph.toml").read_text().splitlines()
    marked = [line.removeprefix("# ") for line in lines if line.startswith(("# [", '# "', "# CG"))]
    Path("catgraph.toml").write_text("\n".join(marked))
    load("catgraph.toml")


def test_a_file_that_exists_is_kept(run: Run, put: Put) -> None:
    put({"catgraph.toml": "# mine\n", "manifests/site.pp": "", "other": ""})
    for words in ([], ["."], ["-o", "other"]):
        done = run("init", *words)
        assert done.code == 2
        assert "already exists and was not changed" in done.err
    assert Path("catgraph.toml").read_text() == "# mine\n"
    done = run("init", "-o", "-")
    assert (done.code, done.out.splitlines()[0][:9]) == (0, "# Configu")
    assert run("init", "-o", "new.toml").code == 0
    assert Path("new.toml").read_text() == done.out


def test_a_link_is_kept(put: Put, run: Run) -> None:
    put({"manifests/site.pp": ""})
    Path("catgraph.toml").symlink_to("gone")
    assert run("init").code == 2


def test_of_another_folder(run: Run, put: Put) -> None:
    put({"repo/manifests/site.pp": "node 'a' { }", "repo/Puppetfile": "mod 'puppet-nginx'"})
    assert run("init", "repo").out.startswith(
        "repo/catgraph.toml: 1 node, facts @debian-12, 1 module not installed; next: "
    )
    text = Path("repo/catgraph.toml").read_text()
    assert "#   a  manifests/site.pp:1\n" in text
    assert "# 1 module declared in Puppetfile, 1 not installed:\n#   nginx\n" in text


def test_nothing_to_configure(run: Run, put: Put) -> None:
    put({"a": ""})
    assert run("init").code == 2
    assert run("init", "gone").code == 2
    assert not Path("catgraph.toml").exists()


def test_systems_of_metadata(run: Run, put: Put) -> None:
    support = [
        {"operatingsystem": "Debian", "operatingsystemrelease": ["11", "12"]},
        {"operatingsystem": "windows"},
        {"operatingsystem": "AIX", "operatingsystemrelease": ["7.2"]},
    ]
    document = {"name": "a-b", "operatingsystem_support": support}
    put({"metadata.json": json.dumps(document), "manifests/init.pp": "class b { }"})
    assert written(run) == {"facts": ["@debian-12", "@windows-2022"]}
    text = Path("catgraph.toml").read_text()
    assert "# 1 class: b\n" in text
    assert "roles" not in text


def test_systems_of_code_and_data(run: Run, put: Put) -> None:
    hiera = "version: 5\nhierarchy: [{name: s, path: 'os/%{facts.os.name}.yaml'}]\n"
    put({"hiera.yaml": hiera, "data/os/FreeBSD.yaml": "a: 1\n"})
    put({"manifests/site.pp": "case $osfamily { 'RedHat', 'Debian': { } 'Linux': { } }"})
    assert written(run) == {
        "facts": ["@freebsd-14", "@rocky-9", "@debian-12"],
        "legacy_facts": True,
    }


@pytest.mark.parametrize(
    ("code", "is_old"),
    [
        ("${fqdn}", True),
        ("${::osfamily}", True),
        ("${::memorysize}", True),
        ("${facts['os']['name']}", False),
        ("${memorysize}", False),
    ],
)
def test_old_facts_within_strings(run: Run, put: Put, code: str, is_old: bool) -> None:
    put({"manifests/site.pp": f'$memorysize = 1 notice("{code}")'})
    assert written(run).get("legacy_facts", False) == is_old
    assert "Unknown variable" not in run("check").out


def test_old_facts_of_a_module(run: Run, put: Put) -> None:
    put({"metadata.json": '{"name": "a-web"}'})
    put({"manifests/init.pp": "class web { notice($::osfamily) }"})
    assert written(run)["legacy_facts"] is True


def test_a_system_without_an_entry_is_refused(run: Run, put: Put) -> None:
    entries = "{ 'Ubuntu' => 'u', 'CentOS' => 'c' }"
    code = f"$known = ['Debian']\nnotify {{ $facts['os']['name'] ? {entries}: }}\n"
    put({"manifests/site.pp": code})
    assert written(run)["facts"] == ["@ubuntu-24.04", "@centos-7"]
    assert "error" not in run("check").out


def test_systems_of_codenames(run: Run, put: Put) -> None:
    # Code that lists releases refuses the others.
    code = "case $codename { 'jammy', \"bookworm\": { } default: { fail('Debian, RedHat') } }"
    put({"manifests/site.pp": f"if $family == 'RedHat' {{ notice(1) }} {code}"})
    assert written(run)["facts"] == ["@ubuntu-22.04", "@debian-12"]


def test_facts_of_the_repository(run: Run, put: Put) -> None:
    put({"manifests/site.pp": "", "facts/web.json": "{}", "facts/db.yaml": "{}"})
    assert written(run)["facts"] == ["facts/db.yaml", "facts/web.json"]


def test_facts_by_node(run: Run, put: Put) -> None:
    put({"manifests/site.pp": "notify { 'x': }", "facts/a.example.com.json": "{}"})
    assert written(run) == {"facts": ["@debian-12"], "facts_dir": "facts"}
    assert "a.example.com" in run("cycles", ".").out


def test_names_cannot_leave_a_comment(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    put({"manifests/site.pp": 'node /x/ { }\nnode "a\nfacts = 1" { }'})
    main(["init"])
    if Path("catgraph.toml").exists():
        load("catgraph.toml")


def test_folders_of_modules_that_are_not_listed(run: Run, put: Put) -> None:
    put({"environment.conf": "modulepath = /etc/puppet/3rdParty:modules\n"})
    put({"manifests/site.pp": "include a, b, c"})
    put({"3rdParty/a/manifests/init.pp": "class a { }", "site/b/manifests/init.pp": "class b { }"})
    put({"modules/c/manifests/init.pp": "class c { }"})
    # The path on the server is mapped to the folder of that name in the checkout.
    assert written(run)["modulepath"] == ["site"]
    assert run("cycles", ".").code == 0


def test_a_folder_that_would_hide_a_module_is_not_added(run: Run, put: Put) -> None:
    """The server finds `role::web`; with the other folder first, Puppet would not."""
    put({"environment.conf": "modulepath = site\n", "manifests/site.pp": "include role::web\n"})
    put({"site/role/manifests/web.pp": "class role::web { }\n"})
    put({"site-modules/role/manifests/db.pp": "class role::db { }\n"})
    assert "modulepath" not in written(run)
    assert run("check", ".").code == 0


def test_systems_that_the_code_refuses_are_left_out(run: Run, put: Put) -> None:
    code = """
    case $facts['os']['name'] {
      'Debian': { }
      'Rocky': { fail('not yet') }
      default: { fail('no such system') }
    }
    """
    put({"manifests/site.pp": code})
    assert written(run)["facts"] == ["@debian-12"]
    text = Path("catgraph.toml").read_text()
    assert "systems that the data and code mention; the code refuses rocky-9." in text


def test_only_usual_systems_of_published_modules_count(run: Run, put: Put) -> None:
    module = "class motd { if $facts['kernel'] in ['FreeBSD', 'Debian', 'Ubuntu'] { } }\n"
    files = {"modules/motd/manifests/init.pp": module, "modules/motd/metadata.json": "{}"}
    put({"manifests/site.pp": "include motd\n", **files})
    assert written(run)["facts"] == ["@debian-12", "@ubuntu-24.04"]
