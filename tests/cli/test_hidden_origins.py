"""`why` shows the places of secrets, but not their texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

FILES = {
    "manifests/site.pp": "node default { include app }\n",
    "environment.conf": "modulepath = modules\n",
    "modules/app/templates/my.epp": "<%- | $pass | -%>\npassword=<%= $pass %>\n",
    "modules/app/manifests/init.pp": """class app (
  String $db_password = 'hunter2a',
  Hash $options = { 'token' => 'hunter2b', 'port' => '8080' },
  Sensitive[String] $plain = Sensitive('hunter2c'),
  String $key = 'hunter2d',
) {
  $copy = $db_password
  user { 'u': password => $key }
  file { '/a': content => "pw ${copy}" }
  file { '/b': content => epp('app/my.epp', { 'pass' => $db_password }) }
  file { '/c': content => "${options['token']} ${options['port']}" }
  file { '/d': content => "x ${plain.unwrap}" }
  if $db_password == 'hunter2e' { notify { 'never': } } else { notify { 'known': } }
  if $copy != 'hunter2f' { notify { 'other': } }
  file { '/e': content => 'password = hunter2g' }
  exec { '/bin/x': environment => ['API_TOKEN=hunter2h'] }
  create_resources('app::of', { 'd' => { 'secret' => 'hunter2i' } })
}
define app::of ($secret) { file { "/of/${title}": content => $secret } }
""",
}
REFS = (
    "User[u]", "File[/a]", "File[/b]", "File[/c]", "File[/d]", "Notify[known]", "Notify[other]",
    "File[/e]", "Exec[/bin/x]", "App::Of[d]", "File[/of/d]", "Class[app]",
)  # fmt: skip


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("more", [(), ("--explain",), ("--format", "json")])
@pytest.mark.parametrize("ref", REFS)
def test_no_text_of_a_secret_is_shown(
    ref: str, more: tuple[str, ...], run: Run, site: Path
) -> None:
    result = run("why", ".", ref, "--facts", "@debian-12", "--no-cache", *more)
    assert result.code == 0
    assert ".pp" in result.out
    assert "hunter2" not in result.out


def test_other_literals_are_shown(run: Run, site: Path) -> None:
    out = run("why", ".", "File[/c]", "content", "--facts", "@debian-12", "--explain").out
    assert "literal '8080'" in out
    assert "a literal  " in out


@pytest.mark.parametrize("subject", ["app::db_password", "app::options", "app::plain"])
def test_impact_shows_none_either(subject: str, run: Run, site: Path) -> None:
    out = run("impact", ".", subject, "--facts", "@debian-12", "--explain", "--no-cache").out
    assert "File[/" in out
    assert "hunter2" not in out


def test_a_fact_is_no_other_fact_whose_name_begins_alike(run: Run, site: Path) -> None:
    (site / "modules/app/manifests/init.pp").write_text(
        "class app {\n"
        "  notify { 'one': message => $facts['os']['family'] }\n"
        "  notify { 'two': message => $facts['os_other'] }\n}\n"
    )
    for name, ref in (("facts.os", "one"), ("facts.os.family", "one"), ("facts.os_other", "two")):
        out = run("impact", ".", name, "--facts", "@debian-12", "--no-cache").out
        assert [one for one in ("one", "two") if f"Notify[{one}]" in out] == [ref]
