"""Old code, and errors that stop no node: samples, archives, modules that no name finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main
from tests.linter.test_gathered import errors


def test_a_resource_of_a_type_with_a_hyphen_is_old_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet 7.23 has the same words for the resource."""
    (tmp_path / "a.pp").write_text("a-b { 'x': }\n")
    (tmp_path / "b.pp").write_text("class b::c-d { }\n")
    (found,) = errors(tmp_path, capsys)
    assert found["notes"][-1].endswith("refuse names with a hyphen")
    assert found["also"]


def test_a_module_that_no_name_finds_is_unloaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("web", "web-new"):
        (tmp_path / f"local-modules/{name}/manifests").mkdir(parents=True)
    (tmp_path / "environment.conf").write_text("modulepath = local-modules\n")
    (tmp_path / "local-modules/web/manifests/init.pp").write_text("class web { }\n")
    new = "class web { include web::config }\n"
    (tmp_path / "local-modules/web-new/manifests/init.pp").write_text(new)
    assert [one["severity"] for one in errors(tmp_path, capsys)] == ["note"]


def test_a_name_with_a_hyphen_in_a_wrong_file_is_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, code in (("init", "import 'x'"), ("base", "class syslog-ng { }")):
        (tmp_path / "modules/syslog-ng/manifests").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"modules/syslog-ng/manifests/{name}.pp").write_text(f"{code}\n")
    found = [(one["severity"], one["message"][:18]) for one in errors(tmp_path, capsys)]
    assert ("error", "Unacceptable name.") in found
    assert ("note", "Unacceptable locat") not in found


@pytest.mark.parametrize(
    "code",
    [
        "if $::params::x { notify { 'x': } }",
        "case $::params::x { 'a': { notify { 'x': } } default: { } }",
        "notify { 'x': message => $::params::x ? { '' => 'a', default => $::params::x } }",
    ],
)
def test_a_variable_that_is_only_asked_for_is_a_note(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet 7.23 takes it for undefined; Puppet 8.11 refuses it."""
    (tmp_path / "site.pp").write_text(f"class params {{ }}\ninclude params\n{code}\n")
    (found,) = errors(tmp_path, capsys)
    assert (found["severity"], found["line"]) == ("note", 3)


def test_old_code_that_is_kept_is_one_note_except_for_its_cycles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cycle = "notify { 'x': require => Notify['y'] }\nnotify { 'y': require => Notify['x'] }\n"
    files = {
        "manifests/site.pp": "include a\n",
        "modules/a/manifests/init.pp": "class a { include a::old::b }\n",
        "modules/a/manifests/old/b.pp": "class a::old::b { notify { $gone: } }\n",
        "archive/site/modules/c/manifests/init.pp": "class c { include a_gone, $also_gone }\n",
        "archive/site/modules/d/manifests/init.pp": "class d { package { 'x' } }\n",
        "modules-deprecated/f/manifests/init.pp": "class f { package { 'x' } }\n",
        "archive/site/modules/e/manifests/init.pp": f"class e {{ {cycle} }}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    main(["lint", str(tmp_path), "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    kept = [row for row in found if "/archive/" in row["file"] or "-deprecated/" in row["file"]]
    assert sorted((row["severity"], row["code"] == "CG301") for row in kept) == [
        ("error", True),
        ("note", False),
        ("note", False),
    ]
    assert {row["code"] for row in found if row not in kept} == {"CG111"}


def test_a_class_of_which_the_checkout_has_a_sample_is_kept_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sample may give its class another name."""
    for name, text in {
        "init": "class users { include users::list }\n",
        "list-example": "class users::listexample { }\n",
    }.items():
        (tmp_path / "modules/users/manifests").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"modules/users/manifests/{name}.pp").write_text(text)
    found = {row["message"]: row["severity"] for row in errors(tmp_path, capsys)}
    assert found["Could not find class ::users::list"] == "note"


def test_references_in_small_letters_are_old_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet 7.23 takes `user` for a text, of which the title would be a part."""
    (tmp_path / "a.pp").write_text("user { 'a': }\nfile { '/a': require => user['a'] }\n")
    (tmp_path / "b.pp").write_text("user { 'a': }\nuser['a'] { groups +> ['b'] }\n")
    (found,) = errors(tmp_path, capsys)
    assert found["notes"][-1].endswith("refuse references in small letters")


@pytest.mark.parametrize("is_there", [True, False])
def test_a_stage_of_stdlib_may_be_there(
    is_there: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its class stdlib::stages declares eight (stdlib 8)."""
    if is_there:
        (tmp_path / "modules/stdlib/manifests").mkdir(parents=True)
        (tmp_path / "modules/stdlib/manifests/init.pp").write_text("class stdlib { }\n")
    (tmp_path / "environment.conf").write_text("")
    (tmp_path / "Puppetfile").write_text("mod 'puppetlabs/stdlib', '8.0.0'\n")
    (tmp_path / "manifests").mkdir()
    site = "class a { }\nclass { 'a': stage => 'deploy' }\n"
    (tmp_path / "manifests/site.pp").write_text(site)
    (found,) = errors(tmp_path, capsys)
    assert found["severity"] == ("error" if is_there else "note")
