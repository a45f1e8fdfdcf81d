"""Repositories that hold modules and no manifests of a site, in the shapes that there are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analyzer.cli import main

pytestmark = pytest.mark.usefixtures("one_world")

CYCLE = (
    "class app($x = lookup('x', String, 'first', 'b')) {\n"
    "  notify { 'a': require => Notify[$x] }\n"
    "  notify { 'b': require => Notify['a'] }\n"
    "}\n"
)


@pytest.mark.parametrize(
    ("module", "files"),
    [
        pytest.param("modules/app", {}, id="modules"),
        pytest.param("modules/app", {"manifests/.keep": ""}, id="no manifest in manifests"),
        pytest.param("site/app", {"environment.conf": "modulepath = site\n"}, id="modulepath"),
        pytest.param("deployment/puppet/app", {}, id="folders in folders"),
        pytest.param(
            "modules/app",
            {
                "hiera.yaml": "version: 5\nhierarchy: [{name: c, path: common.yaml}]\n",
                "data/common.yaml": "x: b\n",
            },
            id="data",
        ),
    ],
)
@pytest.mark.parametrize("command", ["cycles", "lint", "explore"])
def test_classes_of_modules_are_compiled(
    command: str,
    module: str,
    files: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in {**files, f"{module}/manifests/init.pp": CYCLE}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main([command, str(tmp_path), "--format", "json"]) == 1
    assert "Notify[b]" in json.dumps(json.loads(capsys.readouterr().out))


SITE = CYCLE + "include app\n"
SETTINGS = "manifest = $codedir/environments/$environment/site.pp\n"


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"puppet/manifests/site.pp": SITE}, id="puppet"),
        pytest.param(
            {"vagrant/puppet/manifests/default.pp": SITE, "docs/manifests/site.pp": "}"},
            id="vagrant",
        ),
        pytest.param(
            {
                "production/environment.conf": "",
                "production/manifests/site.pp": SITE,
                "production/modules/other/manifests/init.pp": "class other { }",
            },
            id="production",
        ),
        pytest.param(
            {
                "code/environments/production/environment.conf": SETTINGS,
                "code/environments/production/site.pp": SITE,
                "code/environments/test/manifests/site.pp": "}",
            },
            id="environments below",
        ),
        pytest.param({"site.pp": SITE, "environment.conf": ""}, id="site.pp at the top"),
        pytest.param(
            {"manifests/site.pp": "include app", "site-modules/app/manifests/init.pp": CYCLE},
            id="modules of an option",
        ),
        pytest.param(
            {"manifests/site.pp": "include app", "app/manifests/init.pp": CYCLE},
            id="modules at the top",
        ),
        pytest.param(
            {"site.pp": SITE, "modules/m/manifests/init.pp": "class m {}"}, id="beside modules"
        ),
        pytest.param(
            {
                "manifests/site.pp": SITE,
                "environments/a/modules/m/manifests/init.pp": "class m {}",
                "environments/b/modules/m/manifests/init.pp": "class m {}",
            },
            id="environments of another kind",
        ),
    ],
)
@pytest.mark.parametrize("command", ["cycles", "lint", "explore"])
def test_a_site_is_found_where_it_is(
    command: str, files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    main([command, str(tmp_path), "--format", "json"])
    out = capsys.readouterr().out
    assert "class app" not in out
    assert "Notify[b]" in out


@pytest.mark.parametrize(
    ("site", "others"),
    [
        ({"puppet/manifests/site.pp": "", "puppet/modules/.keep": ""}, "more/app"),
        ({"puppet/manifests/site.pp": "import 'nodes/*.pp'\n"}, "puppet/modules/app"),
        ({"code/environments/production/manifests/site.pp": ""}, "code/modules/app"),
        ({"puppet/manifests/site.pp": "include other"}, "puppet/local/profiles/app"),
        ({"site.pp": "import 'nodes.pp'\n"}, "modules/app"),
    ],
)
def test_classes_are_compiled_where_a_site_says_less(
    site: dict[str, str], others: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {**site, f"{others}/manifests/init.pp": CYCLE}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    main(["lint", str(tmp_path), "--format", "json"])
    assert "Notify[b]" in capsys.readouterr().out


def test_a_folder_that_may_not_be_read_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("app", "closed"):
        (tmp_path / "modules" / name / "manifests").mkdir(parents=True)
    (tmp_path / "modules/app/manifests/init.pp").write_text(CYCLE)
    listdir = os.listdir

    def guarded(path: str) -> list[str]:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return listdir(path)

    monkeypatch.setattr("os.listdir", guarded)
    assert main(["cycles", str(tmp_path)]) == 1


def test_an_environment_without_manifests_hides_no_module(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        "control/environment.conf": "",
        "control/modules/b/manifests/init.pp": "class b { }\n",
        "a/metadata.json": "{}",
        "a/manifests/init.pp": "class a { }\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("2 of 2 classes of this code compiled\n")


def test_nothing_at_all_is_still_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "modules").mkdir()
    assert main(["cycles", str(tmp_path)]) == 2
    assert "no manifests (.pp) in this folder" in capsys.readouterr().err


HIERA = "version: 5\nhierarchy: [{name: c, path: %s}]\n"


@pytest.mark.parametrize(
    ("files", "code", "words"),
    [
        pytest.param(
            {"hiera.yaml": HIERA % "private/common.yaml", "data/other.yaml": "a: 1\n"},
            "notify { lookup('secret'): }",
            "level 'c' reads data/private, which is not here",
            id="folder of private data",
        ),
        pytest.param(
            {
                "hiera.yaml": "version: 5\nhierarchy: [{name: v, lookup_key: hiera_vault}]\n",
            },
            "notify { lookup('secret'): }",
            "Hiera's lookup_key function 'hiera_vault', which no installed module has; "
            "try --modulepath DIRS",
            id="data function",
        ),
        pytest.param(
            {"modules/app/manifests/init.pp": "class app(String $x) { notify { $x: } }\n"},
            "",
            "the required parameter 'app::x' is not given; try --param NAME=VALUE",
            id="required parameter",
        ),
        pytest.param(
            {
                "modules/app/manifests/init.pp": "class app($x) { if $x =~ Stdlib::Port "
                "{ notify { 'a': } } }\n"
            },
            "",
            "is of module 'stdlib', which is not installed, and which no file declares",
            id="data type",
        ),
    ],
)
def test_what_is_elsewhere_is_unknown(
    files: dict[str, str],
    code: str,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    site = {"manifests/site.pp": code} if code else {}
    for name, text in {**files, **site}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main(["cycles", ".", "--explain"]) == 3
    assert words in capsys.readouterr().out
    # Real Puppet refuses each of them.
    assert main(["cycles", ".", "--strict"]) == 3
    assert "error" in capsys.readouterr().err


def test_a_key_that_no_file_has_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {
        "hiera.yaml": HIERA % "common.yaml",
        "data/common.yaml": "a: 1\n",
        "manifests/site.pp": "notify { lookup('secret'): }\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main(["cycles", str(tmp_path)]) == 3
    assert "did not find a value for the name 'secret'" in capsys.readouterr().err


def write(folder: Path, files: dict[str, str]) -> str:
    """Write files below a folder; return its path."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return str(folder)


@pytest.mark.parametrize("settings", ["", "modulepath = site:$basemodulepath\n"])
def test_modules_beside_environments_are_on_the_modulepath(
    settings: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--codedir`, Puppet finds the class too: the folder is in `basemodulepath`."""
    files = {
        "environments/production/environment.conf": settings,
        "environments/production/manifests/site.pp": "include shared\n",
        "modules/shared/manifests/init.pp": "class shared { notify { 'found': } }\n",
    }
    assert main(["compile", write(tmp_path, files)]) == 0
    assert '"found"' in capsys.readouterr().out


def test_a_modulepath_without_the_base_is_all(tmp_path: Path) -> None:
    files = {
        "environments/production/environment.conf": "modulepath = modules\n",
        "environments/production/manifests/site.pp": "include shared\n",
        "modules/shared/manifests/init.pp": "class shared { }\n",
    }
    assert main(["compile", write(tmp_path, files)]) == 3


def test_a_configured_manifest_that_does_not_exist(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet compiles an empty catalog, and does not read `manifests` instead."""
    files = {"environment.conf": "manifest = sites.pp\n", "manifests/site.pp": SITE}
    assert main(["lint", write(tmp_path, files)]) == 3
    assert "sites.pp: no such file, so that Puppet reads none" in capsys.readouterr().out


@pytest.mark.parametrize(
    "site",
    [
        "notify { lookup('x'): }\n",
        "class a($x) { }\nclass { 'a': }\n",
        "class a($x = undef) { unless $x { fail('no x') } }\nclass { 'a': }\n",
    ],
)
def test_data_of_the_server_are_advised(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet ignores a hiera.yaml of version 3 in an environment."""
    files = {
        "hiera.yaml": ":backends: [yaml]\n:hierarchy: [common]\n:yaml:\n  :datadir: data\n",
        "manifests/site.pp": site,
    }
    assert main(["lint", write(tmp_path, files)]) == 3
    out = capsys.readouterr().out
    assert "error:" not in out
    assert "hiera.yaml has version 3, which no environment reads; try --hiera-config" in out


def test_a_check_for_a_variable_may_be_for_a_fact_of_the_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "if !defined('$role') { fail('no role') }\nnotify { \"x\": }\n"
    assert main(["lint", write(tmp_path, {"manifests/site.pp": code})]) == 0
    assert "no findings in 1 manifest and 1 catalog" in capsys.readouterr().out


@pytest.mark.parametrize("folder", ["deployment", "our-modules"])
def test_folders_with_modules_are_on_the_modulepath(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server's `puppet.conf` names them; here only what is in them shows it."""
    files = {
        "manifests/site.pp": "include shared\n",
        "modules/m/manifests/init.pp": "class m { }\n",
        f"{folder}/shared/manifests/init.pp": "class shared { notify { 'found': } }\n",
    }
    assert main(["compile", write(tmp_path, files)]) == 0
    assert '"found"' in capsys.readouterr().out


def test_an_environment_that_is_a_module_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its list of modules brings it a second time, with the name that its metadata have."""
    files = {
        "environment.conf": "modulepath = .modules\nmanifest = site.pp\n",
        "site.pp": "include nest\n",
        "metadata.json": '{"name": "me-nest"}\n',
        "manifests/init.pp": "class nest { include nest::base }\n",
        "manifests/base.pp": "class nest::base { notify { 'found': } }\n",
        "manifests/gui.pp": (
            "class nest::gui { notify { 'g': require => Class['nest::base'] } }\n"
        ),
    }
    path = write(tmp_path, files)
    assert main(["compile", path]) == 0
    assert '"found"' in capsys.readouterr().out
    assert main(["lint", path]) == 0


@pytest.mark.parametrize("level", ["%{trusted.extensions.pp_role}.yaml", "private/all.yaml"])
def test_data_that_are_elsewhere_may_have_what_is_asked_for(
    level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A level that nobody can read here is assumed to be empty, which proves nothing."""
    files = {
        "hiera.yaml": (
            f"version: 5\nhierarchy:\n- {{name: n, path: '{level}'}}\n- {{name: c, path: c.yaml}}\n"
        ),
        "data/c.yaml": "users: {x: {}}\n",
        "environment.conf": "",
        "manifests/site.pp": (
            "define u($key) { notify { $key: } }\ncreate_resources(u, lookup('users'))\n"
        ),
    }
    assert main(["lint", write(tmp_path, files)]) == 3
    assert "error:" not in capsys.readouterr().out


def test_an_environment_without_manifests_is_not_that_of_the_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "manifests/site.pp": "include app\n",
        "modules/app/manifests/init.pp": "class app { notify { 'found': } }\n",
        "environments/example/manifests/README": "",
    }
    assert main(["compile", write(tmp_path, files)]) == 0
    assert '"found"' in capsys.readouterr().out
