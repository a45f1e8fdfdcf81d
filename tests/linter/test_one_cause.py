"""One cause is one finding: names of one module, packages of one provider, one habit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.session.lint.hidden_modules import hidden_file
from tests.linter.test_gathered import errors


def test_names_that_an_installed_module_lacks_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "environment.conf": "",
        "manifests/site.pp": "include a\ninclude old::one\nold::two { 'x': }\ninclude a::gone\n",
        "modules/a/manifests/init.pp": "class a { include old::three }\n",
        "modules/old/manifests/init.pp": "class old { }\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = errors(tmp_path, capsys)
    assert sorted(row["message"].split("::", 1)[1] for row in found) == ["a::gone", "old::one"]
    (old,) = [row for row in found if "old::" in row["message"]]
    assert "also missing: old::two, old::three" in old["notes"]


def test_what_another_module_of_the_same_name_hides_is_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet 7.23 refuses `include web::a`: it looks only into the first module."""
    files = {
        "environment.conf": "modulepath = site:modules\n",
        "manifests/site.pp": "node 'x' { include web::a }\n",
        "site/web/manifests/example.pp": "class web::example { }\n",
        "modules/web/manifests/a.pp": "class web::a { }\n",
        "modules/web/manifests/c.pp": "class web::c { notify { 'x': before => Class[web::b] } }\n",
        "modules/web/manifests/b.pp": "class web::b { }\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    main(["lint", str(tmp_path), "--select", "CG200,CG201", "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["message"] == "Could not find class ::web::a"
    assert any(note.startswith("at 1 more place: ") for note in found["notes"])
    assert "web/manifests/a.pp has this name, but Puppet uses " in str(found["notes"])


def test_a_folder_that_is_listed_twice_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "modules/web/manifests").mkdir(parents=True)
    (tmp_path / "modules/web/manifests/a.pp").write_text("class web::a { }\n")
    (tmp_path / "link").symlink_to("modules")
    assert hidden_file("web::a", [f"{tmp_path}/link", f"{tmp_path}/modules"]) is None


def test_modules_without_the_class_of_their_name_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "environment.conf": "",
        "manifests/site.pp": "include tool\ninclude cron\ninclude tool::gone\n",
        "modules/tool/manifests/config.pp": "class tool::config { }\n",
        "modules/cron/manifests/config.pp": "class cron::config { }\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = errors(tmp_path, capsys)
    assert [row["message"].split("::", 1)[1] for row in found] == ["tool", "tool::gone"]
    assert "also missing: cron" in found[0]["notes"]


ONE_HABIT = {
    "CG105": (
        "file { ['/a', '/b']: }\n"
        "File {\n  require => Class['a::x'],\n  notify => Class['a::x'],\n}\n"
    ),
    "CG326": (
        "file { ['/x', '/y']: }\nexec { '/bin/a': subscribe => File['/x'] }\n"
        "exec { '/bin/b': subscribe => File['/y'] }\n"
    ),
    "CG320": "package { 'git': }\nexec { '/usr/bin/git a': }\nexec { '/usr/bin/git b': }\n",
}


@pytest.mark.parametrize("code", ONE_HABIT)
def test_what_has_one_remedy_is_one_finding(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a/manifests").mkdir(parents=True)
    (tmp_path / "a/manifests/x.pp").write_text("class a::x { }\n")
    (tmp_path / "a/manifests/init.pp").write_text(
        f"class a {{\ninclude a::x\n{ONE_HABIT[code]}}}\n"
    )
    main(["lint", str(tmp_path), "--select", code, "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert any(note.startswith("at 1 more place: ") for note in found["notes"])


def test_targets_that_one_statement_misses_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = """class a(Boolean $x = true, Boolean $y = true) {
  file { '/a': notify => [Service['x'], Service['y']] }
  if $x { service { 'x': } }
  if $y { service { 'y': } }
}
"""
    (tmp_path / "a/manifests").mkdir(parents=True)
    (tmp_path / "a/manifests/init.pp").write_text(code)
    main(["lint", str(tmp_path), "--select", "CG201", "--worlds", "16", "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert "Service[y]" in str(found["also"])


def test_a_class_that_several_include_and_none_contains_is_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = (
        "class one { include shared }\nclass two { include shared }\nclass three { }\n"
        "class shared { notify { 's': } }\ninclude one, two, three\n"
        "Class['one'] -> Class['three']\nClass['two'] -> Class['three']\n"
        "notify { 't': require => Class['one', 'two'] }\n"
    )
    (tmp_path / "a.pp").write_text(code)
    main(["lint", str(tmp_path), "--select", "CG108", "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert "also for Class[Two]" in found["notes"]


def test_packages_that_one_package_installs_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = "package { 'python3-pip': }\npackage { ['%s']: provider => 'pip3' }\n"
    (tmp_path / "a.pp").write_text(names % "']: provider => 'pip3' }\npackage { ['".join("abc"))
    main(["lint", str(tmp_path), "--select", "CG329", "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert "also for Package[b], Package[c]" in found["notes"]
    main(["lint", str(tmp_path), "--select", "CG329", "--diff"])
    assert capsys.readouterr().out.count("+package") == 3


@pytest.mark.parametrize("folder", ["examples", "tests", "backup", "old/2019"])
def test_an_error_in_an_example_of_a_module_is_a_note(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No catalog contains it, but someone may copy it; one that is named is wanted."""
    module = tmp_path / "a"
    for name, text in {
        "manifests/init.pp": "class a { }\n",
        f"{folder}/x.pp": "a { x => }\n",
    }.items():
        (module / name).parent.mkdir(parents=True, exist_ok=True)
        (module / name).write_text(text)
    for path, severity, code in (
        (tmp_path, "note", 0),
        (module, "note", 0),
        (module / folder, "error", 3),
        (module / folder / "x.pp", "error", 3),
    ):
        done = main(["lint", str(path), "--format", "json", "--allow-incomplete"])
        (found,) = json.loads(capsys.readouterr().out)["findings"]
        assert (found["severity"], done) == (severity, code)


def test_an_error_beside_the_manifests_of_an_environment_is_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text("notify { 'x': }\n")
    (tmp_path / "environment.conf").write_text("")
    (tmp_path / "init.pp").write_text("notify { 'y' }\n")
    (found,) = errors(tmp_path, capsys)
    assert found["severity"] == "note"
    (tmp_path / "environment.conf").write_text("manifest = init.pp\n")
    (found,) = errors(tmp_path, capsys)
    assert found["severity"] == "error"


def test_examples_of_a_module_without_classes_are_not_compiled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The environment of an example uses the functions of the module, which is not on its path."""
    files = {
        "metadata.json": '{"name": "me-a"}',
        "examples/code/environments/production/manifests/site.pp": "notify { a::secret('x'): }\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert errors(tmp_path, capsys) == []


def test_a_manifest_is_no_catalog(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is compiled from a manifest with a syntax error."""
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text("notify { 'a' }\n")
    (found,) = errors(tmp_path, capsys)
    assert not any("catalogs" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("file { '/srv/%s': subscribe => Package['vim'] }\n", "CG307"),
        ("node %s { package { 'x': } file { '/etc/x/x.conf': content => 'x' } }\n", "CG310"),
        ("file { '/etc/vim/%s.vim': content => 'x' }\n", "CG310"),
    ],
)
def test_one_habit_is_one_finding(
    code: str, rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "package { 'vim': }\n" + "".join(code % name for name in "abc")
    (tmp_path / "site.pp").write_text(text)
    main(["lint", str(tmp_path), "--select", rule, "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert sorted({one["line"] for one in found["also"]}) == [3, 4]


def test_a_file_belongs_to_the_package_with_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("p0", "p1"):
        with (tmp_path / "site.pp").open("a") as site:
            site.write(f"package {{ '{name}': }}\nfile {{ '/etc/{name}.conf': content => '' }}\n")
    main(["lint", str(tmp_path), "--select", "CG310", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [one["refs"][1] for one in found] == ["Package[p0]", "Package[p1]"]


def test_a_copy_of_a_class_beside_the_class_is_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet loads the file with the right name only; another module's name is an error."""
    for name, text in {
        "environment.conf": "",
        "manifests/site.pp": "include a::b\n",
        "modules/a/manifests/b.pp": "class a::b { }\n",
        "modules/a/manifests/b_old.pp": "class a::b { }\n",
        "modules/a/manifests/c.pp": "class a::d { }\n",
        "modules/e/manifests/init.pp": "class f { }\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = errors(tmp_path, capsys)
    assert [(row["severity"], Path(row["file"]).name) for row in found] == [
        ("note", "b_old.pp"),
        ("error", "c.pp"),
    ]


def test_nodes_that_a_copy_of_the_site_repeats_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.pp").write_text("node 'x' { }\nnode 'y' { }\n" * 2)
    (found,) = errors(tmp_path, capsys)
    assert found["message"].startswith("Node 'x' is already defined")


@pytest.mark.parametrize(
    ("code", "text", "count"),
    [
        (
            "CG111",
            "# $outer comes from the classifier\nclass a { notify { $outer: } }\ninclude a\n",
            0,
        ),
        ("CG111", "#  $outer = 1\nclass a { notify { $outer: } }\ninclude a\n", 1),
    ],
)
def test_a_variable_that_a_comment_describes_is_set_elsewhere(
    code: str, text: str, count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.pp").write_text(text)
    main(["lint", str(tmp_path), "--select", code, "--format", "json"])
    assert len(json.loads(capsys.readouterr().out)["findings"]) == count


@pytest.mark.parametrize(("version", "severity"), [("", []), ("version: 5\n", ["error"])])
def test_a_default_for_data_that_another_hiera_has_proves_nothing(
    version: str, severity: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`hiera.yaml` of version 3 is the server's, so that its data are not those of the checkout."""
    for name, text in {
        "environment.conf": "",
        "manifests/site.pp": "create_resources('user', hiera_hash('accounts', { 'x' => 1 }))\n",
        **({"hiera.yaml": version} if version else {}),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert [row["severity"] for row in errors(tmp_path, capsys)] == severity


def test_a_sample_of_a_file_with_secrets_stands_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        "environment.conf": "",
        "manifests/site.pp": "include users\n",
        "modules/users/manifests/init.pp": "class users { include users::list }\n",
        "modules/users/manifests/list-example.pp": "class users::list { }\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert {row["severity"] for row in errors(tmp_path, capsys)} == {"note"}


@pytest.mark.parametrize(("folder", "severity"), [("private-stub", "note"), ("private", "error")])
def test_a_folder_that_is_no_module_name_is_not_loaded(
    folder: str, severity: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        "environment.conf": "",
        "manifests/site.pp": "notify { 'x': }\n",
        f"modules/{folder}/manifests/trac.pp": "class trac { file { '/x': owner => } }\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert [row["severity"] for row in errors(tmp_path, capsys)] == [severity]


def test_copies_of_a_module_have_one_cause(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("environments/production", "environments/b"):
        for name, text in {
            "environment.conf": "",
            "manifests/site.pp": "include m\n",
            "modules/m/manifests/init.pp": (
                "class m { package { 'ntp': } service { 'ntp': ensure => running } }\n"
            ),
        }.items():
            (tmp_path / folder / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / name).write_text(text)
    main(["lint", str(tmp_path), "--select", "CG312", "--format", "json"])
    assert len(json.loads(capsys.readouterr().out)["findings"]) == 1


def test_variables_that_a_class_lacks_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.pp").write_text("class a { notify { [$version, $origin, $verson]: } }\n")
    (tmp_path / "b.pp").write_text("class b($verbose) { notify { [$origin, $verbos]: } }\n")
    (tmp_path / "c.pp").write_text("class c { notify { $elsewhere: } }\n")
    main(["lint", str(tmp_path), "--select", "CG111", "--format", "json"])
    lacking, other, misspelled = sorted(
        json.loads(capsys.readouterr().out)["findings"], key=lambda one: -len(one["also"])
    )
    assert lacking["message"] == "the class does not set '$version'"
    assert lacking["notes"][-1] == "also not set: $origin, $verson"
    assert {other["message"], misspelled["message"]} == {
        "the class does not set '$elsewhere'",
        "the class does not set '$verbos'; did you mean '$verbose'?",
    }
