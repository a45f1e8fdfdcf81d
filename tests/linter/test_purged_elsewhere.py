"""CG332 compares catalogs of one node with other facts, and classes of one module."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.choice import Choice
from analyzer.linter.puppet.together import together
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request

ON = "if $facts['os']['family'] == 'Debian'"
PURGE = "resources { 'host': purge => true }"
HOST = "host { 'db': ip => '10.0.0.1' }"

NEAR_MISSES = (
    f"{PURGE} class a {{ {HOST} }} include a",
    f"class a {{ {ON} {{ {HOST} }} }} include a",
    f"resources {{ 'host': purge => false }} class a {{ {ON} {{ {HOST} }} }} include a",
    f"resources {{ 'cron': purge => true }} class a {{ {ON} {{ {HOST} }} }} include a",
    f"{ON} {{ {PURGE} class {{ 'a': }} }} class a {{ {HOST} }}",
    f"{PURGE} class a {{ {HOST} }} {ON} {{ include a }}",
    f"{PURGE} class a {{ {ON} {{ host {{ 'db': ensure => absent }} }} }} include a",
    f"{PURGE} class a {{ {ON} {{ @{HOST} }} }} include a",
    f"{PURGE} class a {{ {ON} {{ mount {{ '/a': }} }} }} include a",
    f"{PURGE} class a {{ {ON} {{ notify {{ 'a': }} }} {HOST} }} include a",
    f"{PURGE} class a($ip = '1') {{ {ON} {{ {HOST} }} else {{ {HOST} }} }} include a",
    f"{PURGE} class a {{ $t = $facts['os']['family'] {HOST} notify {{ $t: }} }} include a",
    f"{ON} {{ {PURGE} }} class a {{ {HOST} }} include a",
    f"{ON} {{ {PURGE} }} else {{ {HOST} }}",
    f"{PURGE} {ON} {{ {HOST} }} else {{ {HOST} }}",
    f"@{PURGE} class a {{ {ON} {{ {HOST} }} }} include a",
    f"noop() {PURGE} {HOST}",
    f"resources {{ 'a': name => 'cron', purge => true }} class a {{ {ON} {{ {HOST} }} }} include a",
    "file { '/d': ensure => directory, purge => true, recurse => true } "
    f"class a {{ {ON} {{ file {{ '/d/x': content => 'x' }} }} }} include a",
    f"{PURGE} class a {{ {HOST} }} class b {{ {ON} {{ include a }} }} include a, b",
    f"{PURGE} define d() {{ host {{ $title: ip => '1' }} }} class a {{ d {{ 'x': }} }} include a",
)


def found(path: Path, *facts: str) -> list[tuple[str, int]]:
    """Return the messages and lines of CG332."""
    settings = Settings(facts=facts)
    lint = check_inputs(
        Request((str(path),), Choice(("CG332",)), lambda path: settings, fixes=False)
    )
    spans = ((one.finding.message, one.finding.span) for one in lint.found)
    return [(message.replace(f"{path} ", ""), span.line) for message, span in spans if span]


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_near_misses(text: str, tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(f"{text}\n")
    assert found(path, "@debian-12", "@rocky-9") == []


def test_what_one_set_of_facts_lacks_is_purged_there(tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(f"{PURGE}\nclass a {{ {ON} {{ {HOST} }} }}\ninclude a\n")
    assert found(path, "@debian-12", "@rocky-9") == [
        ("Resources[host] removes Host[db] in (@rocky-9), which Host[db] makes in (@debian-12)", 2)
    ]


def test_classes_of_a_module(tmp_path: Path) -> None:
    folder = tmp_path / "app" / "manifests"
    folder.mkdir(parents=True)
    (folder / "init.pp").write_text(
        "class app {\n  file { '/etc/app.d': ensure => directory,\n"
        "    purge => true, recurse => true }\n}\n"
    )
    make = "exec { '/usr/bin/make-conf': creates => '/etc/app.d/made.conf' }"
    (folder / "extra.pp").write_text(f"class app::extra {{\n  {make}\n}}\n")
    assert [line for _, line in found(tmp_path / "app")] == [2]
    (folder / "extra.pp").write_text(f"class app::extra {{\n  include app\n  {make}\n}}\n")
    assert found(tmp_path / "app") == []


def write_module(folder: Path, made: str) -> Path:
    manifests = folder / "app" / "manifests"
    manifests.mkdir(parents=True, exist_ok=True)
    purge = "file { '/etc/app.d': ensure => directory, purge => true, recurse => true }"
    texts = {"init": f"class app {{ {purge} }}\n", "a": "class app::a { }\n"}
    texts["made"] = f"class app::made {{ exec {{ '/bin/make': creates => '{made}' }} }}\n"
    for name, text in texts.items():
        (manifests / f"{name}.pp").write_text(text)
    return folder / "app"


@pytest.mark.parametrize("made", ["/etc/app.d/x", "/etc/app.d/x/y", "/etc/other.d/x"])
def test_it_is_the_same_of_kept_results(
    made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CATGRAPH_NO_CACHE", "")
    module = str(write_module(tmp_path, made))
    printed = []
    for more in ([], [], ["--no-cache"]):
        main(["lint", module, "--select", "CG332", "-f", "json", *more])
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] == printed[2]
    # Without `force` a full folder stays.
    assert ("CG332" in printed[0]) == (made == "/etc/app.d/x")


def test_only_what_meets_is_compared(tmp_path: Path) -> None:
    for made, names in (("/etc/other.d/x", []), ("/etc/app.d/x", ["class app", "class app::made"])):
        module = str(write_module(tmp_path, made))
        lint = check_inputs(Request((module,), Choice(("CG332",)), fixes=False))
        found = [
            name
            for one in together(lint.compiled.catalogs)
            for name in sorted(c.name for c in one.catalogs)
        ]
        assert found == names
