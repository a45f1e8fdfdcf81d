"""With --strict, declared modules that are not installed are one error, not one for each use."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request

SITE = """
include ntp
include apt::update
include profile
ini_setting { 'a': path => '/a', section => 'b', setting => 'c' }
class profile(Stdlib::Port $port = 80) { }
"""

PUPPETFILE = """
mod 'puppetlabs/ntp', '9.0.0'
mod 'puppetlabs/apt', '9.0.0'
mod 'puppetlabs/inifile', '6.0.0'
mod 'puppetlabs/stdlib', '9.0.0'
"""


def messages(
    folder: Path, site: str, puppetfile: str = PUPPETFILE, *, strict: bool = True
) -> list[str]:
    """Return the findings about a control repo."""
    (folder / "manifests").mkdir()
    (folder / "manifests" / "site.pp").write_text(site, encoding="utf-8")
    (folder / "environment.conf").touch()
    (folder / "Puppetfile").write_text(puppetfile, encoding="utf-8")
    lint = check_inputs(
        Request((str(folder),), Choice(("CG200",)), settings_for=lambda _: Settings(strict=strict))
    )
    return [one.finding.message for one in lint.found]


def test_all_uses_are_one_error(tmp_path: Path) -> None:
    assert messages(tmp_path, SITE) == [
        "4 modules of the Puppetfile are not installed (ntp, apt, inifile and 1 more): "
        "run `r10k puppetfile install`"
    ]


def test_a_name_that_no_declared_module_brings_is_an_error_as_ever(tmp_path: Path) -> None:
    found = messages(tmp_path, "include ntp\ninclude nobody::knows\n")
    assert len(found) == 2
    assert any("Could not find class ::nobody::knows" in one for one in found)


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ("include nobody", "warning"),
        ("nobody::made { 'a': }", "warning"),
        ("$a = nobody::knows()", "warning"),
        ("file { '/a': content => template('nobody/a.erb') }", "warning"),
        ("file { '/a': content => file('nobody/a') }", "warning"),
        ("include chrony", "warning"),
        ("include ntpp", "error"),
        ("include ntp::nosuch", "error"),
        ("packge { 'a': }", "error"),
        ("$a = lenght('a')", "error"),
    ],
)
def test_only_names_of_modules_that_are_not_there_may_be_right(
    code: str, severity: str, tmp_path: Path
) -> None:
    (tmp_path / "modules/ntp/manifests").mkdir(parents=True)
    (tmp_path / "modules/ntp/manifests/init.pp").write_text("class ntp { }\n")
    (tmp_path / "modules/cron/manifests").mkdir(parents=True)
    (tmp_path / "modules/cron/manifests/init.pp").write_text("class cron { }\n")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(code)
    (tmp_path / "Puppetfile").write_text("mod 'puppetlabs/ntp', '9.0.0'\n")
    (one,) = check_inputs(Request((str(tmp_path),), Choice(("CG200",)))).found
    assert one.finding.severity == severity


def test_a_module_where_puppet_does_not_look_is_there(tmp_path: Path) -> None:
    for name, text in {
        "environment.conf": "modulepath = modules\n",
        "Puppetfile": "",
        "manifests/site.pp": "include roles::nosuch\n",
        "old/roles/manifests/web.pp": "class roles::web { }\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = check_inputs(Request((str(tmp_path),), Choice(("CG200",)))).found
    assert [one.finding.severity for one in found] == ["error"]


@pytest.mark.parametrize("puppetfile", [None, ""])
def test_a_function_that_is_named_after_a_missing_module_is_of_it(
    puppetfile: str | None, tmp_path: Path
) -> None:
    code = "store::db { 'a': password => store_password('a') }\n$b = other_password('b')\n"
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(code)
    if puppetfile is not None:
        (tmp_path / "Puppetfile").write_text(puppetfile)
    found = check_inputs(Request((str(tmp_path),), Choice(("CG200",)))).found
    told = [(one.finding.severity, one.finding.message) for one in found]
    assert told[-1] == ("error", "Unknown function: 'other_password'.")
    assert [severity for severity, _ in told[:-1]] == ["warning"] * (puppetfile is not None)


def test_a_module_that_is_private_on_purpose_is_no_finding(tmp_path: Path) -> None:
    code = "include private::users\nfile { '/a': content => template('secrets/a.erb') }\n"
    assert messages(tmp_path, code, "", strict=False) == []


@pytest.mark.parametrize(("file", "count"), [("repo/own.pp", 0), ("init.pp", 1)])
def test_a_declared_module_of_which_a_part_is_there(file: str, count: int, tmp_path: Path) -> None:
    place = tmp_path / "modules/yum/manifests" / file
    place.parent.mkdir(parents=True)
    name = "yum" if file == "init.pp" else "yum::repo::own"
    place.write_text(f"class {name} {{ }}\n")
    found = messages(tmp_path, "include yum::cron\n", "mod 'acme/yum', '1.0.0'\n", strict=False)
    assert len(found) == count


@pytest.mark.parametrize(("name", "count"), [("cups_queue", 0), ("packge", 1), ("ntp_key", 1)])
def test_a_type_of_some_module_where_nothing_lists_them(
    name: str, count: int, tmp_path: Path
) -> None:
    (tmp_path / "modules/ntp/manifests").mkdir(parents=True)
    (tmp_path / "modules/ntp/manifests/init.pp").write_text("class ntp { }\n")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(f"{name} {{ 'a': }}\n")
    assert len(check_inputs(Request((str(tmp_path),), Choice(("CG200",)))).found) == count


def test_parts_of_modules_that_are_not_there_are_one_warning(tmp_path: Path) -> None:
    code = (
        "include nobody\nfile { '/a': content => template('other/a.erb') }\nsome::more { 'a': }\n"
    )
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(code)
    (tmp_path / "Puppetfile").write_text("")
    (one,) = check_inputs(Request((str(tmp_path),), Choice(("CG200",)))).found
    assert (one.finding.severity, len(one.finding.also)) == ("warning", 2)
    assert "catgraph modules --install" in one.finding.notes[0]


def test_other_errors_stay(tmp_path: Path) -> None:
    text = "include ntp\nclass web(Integer $port) { }\nclass { 'web': port => 'http' }\n"
    assert len(messages(tmp_path, text)) == 2


def test_an_installed_module_is_not_missing(tmp_path: Path) -> None:
    home = tmp_path / "modules" / "ntp" / "manifests"
    home.mkdir(parents=True)
    (home / "init.pp").write_text("class ntp { }", encoding="utf-8")
    (found,) = messages(tmp_path, "include ntp::absent\n", "mod 'puppetlabs/ntp', '9.0.0'\n")
    assert "Could not find class ::ntp::absent" in found


def of_module(folder: Path, site: str = "") -> list[str]:
    """Return the errors of a class that includes classes and makes a resource that none defines."""
    home = folder / "modules" / "m" / "manifests"
    home.mkdir(parents=True)
    text = "class m::foo {\n  include m::bar\n  include other::thing\n  m::made { 'x': }\n}\n"
    (home / "foo.pp").write_text(text, encoding="utf-8")
    (folder / "manifests").mkdir()
    (folder / "manifests" / "site.pp").write_text(site, encoding="utf-8")
    request = Request((str(home.parent),), Choice(("CG200",)), settings_for=lambda _: Settings())
    findings = [one.finding for one in check_inputs(request).found]
    return [one.message for finding in findings for one in (finding, *finding.also)]


def test_a_name_that_its_own_module_lacks_is_an_error(tmp_path: Path) -> None:
    """Puppet 7.23 refuses both so; `other` may be a module that is not in the checkout."""
    assert of_module(tmp_path) == [
        "Could not find class ::m::bar",
        "Unknown resource type: 'm::made'",
    ]


def test_a_site_may_define_what_a_module_lacks(tmp_path: Path) -> None:
    assert of_module(tmp_path, "class m::bar { }\ndefine m::made() { }\n") == []


def test_a_puppetfile_that_computes_names_may_declare_any_module(tmp_path: Path) -> None:
    code = "include profile\nprofile::site { 'a': }\n"
    computed = "def of(name)\n  mod 'acme/' + name\nend\nof 'profile'\n"
    assert messages(tmp_path, code, computed, strict=False) == []


def test_a_puppetfile_beside_a_lone_site_declares_its_modules(tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text("include ntp\ninclude nobody::knows\n", encoding="utf-8")
    (tmp_path / "Puppetfile").write_text(PUPPETFILE, encoding="utf-8")
    found = check_inputs(Request((str(tmp_path),), Choice(("CG200",)))).found
    assert [one.finding.message for one in found] == ["Could not find class ::nobody::knows"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("vcsrepo { '/opt/a': }", ""),
        ("packge { 'a': }", "Unknown resource type: 'packge'"),
        ("include ntp", ""),
    ],
)
def test_where_nothing_lists_the_modules_only_a_misspelled_name_is_an_error(
    tmp_path: Path, code: str, message: str
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text(code, encoding="utf-8")
    home = tmp_path / "modules" / "web" / "manifests"
    home.mkdir(parents=True)
    (home / "init.pp").write_text("class web { }", encoding="utf-8")
    found = check_inputs(Request((str(tmp_path),), Choice(("CG200",)))).found
    assert [one.finding.message for one in found] == [message] * bool(message)


@pytest.mark.parametrize("listed", [True, False])
def test_a_puppetfile_may_name_metadata_that_is_elsewhere(tmp_path: Path, listed: bool) -> None:
    """The Puppetfile that librarian-puppet generates has its modules in comments."""
    if listed:
        (tmp_path / "metadata.json").write_text('{"dependencies": []}', encoding="utf-8")
    puppetfile = "forge 'https://forge.example.com'\nmetadata\n#mod 'acme/web'\n"
    expected = ["Could not find class ::augeas"] if listed else []
    found = messages(tmp_path, "include augeas\n", puppetfile, strict=False)
    assert [one.partition(" for ")[0] for one in found] == expected


def test_a_lock_lists_what_other_modules_depend_on(tmp_path: Path) -> None:
    lock = "FORGE\n  remote: https://forge.example.com\n  specs:\n    acme/apt (2.2.1)\n"
    (tmp_path / "Puppetfile.lock").write_text(f"{lock}      acme/stdlib (>= 4.5.0)\n")
    code = "include apt\ninclude stdlib\n"
    found = messages(tmp_path, code, "mod 'acme/ntp', '1.0.0'\n", strict=False)
    assert [one.partition(" for ")[0] for one in found] == ["Could not find class ::stdlib"]
