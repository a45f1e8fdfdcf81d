"""`catgraph modules --install` from a Forge: versions, cache, lock file, servers that misbehave."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.frontends.puppet.node.declared import declared_at
from analyzer.session.repository.install.install import InstallOrder
from analyzer.session.repository.install.install import install as run_order
from tests.modules.conftest import Install
from tests.modules.forge_server import Forge, release


def test_versions(install: Install, forge: Forge, repo: Path) -> None:
    for version in ("1.0.0", "1.2.0", "2.0.0", "3.0.0-rc1"):
        forge.add("acme-a", version)
        forge.add("acme-b", version)
        forge.add("acme-c", version)
    text = "moduledir 'ext'\nmod 'acme/a', '1.0.0'\nmod 'acme-b', :latest\nmod 'acme-c', '1.x'\n"
    code, printed = install(text)
    assert "installed acme-a 1.0.0 in ext/a" in printed
    assert "installed acme-b 2.0.0 in ext/b" in printed
    assert "installed acme-c 1.2.0 in ext/c" in printed
    assert "3 modules declared in Puppetfile, 0 not installed" in printed
    assert code == 0
    assert (repo / "ext/a/manifests/init.pp").read_text() == "class a { }\n"
    assert sorted(os.listdir(repo / "ext")) == ["a", "b", "c"]


def test_fixtures_and_metadata(install: Install, forge: Forge, repo: Path, tmp_path: Path) -> None:
    forge.add("acme-a", "1.0.0")
    forge.add("acme-b", "1.5.0")
    fixtures = "fixtures:\n  forge_modules:\n    a:\n      repo: acme/a\n      ref: 1.0.0\n"
    (repo / ".fixtures.yml").write_text(fixtures)
    needs = [{"name": "acme/b", "version_requirement": ">= 1.0.0 < 2.0.0"}]
    (repo / "metadata.json").write_text(json.dumps({"name": "x-y", "dependencies": needs}))
    assert install("", "--into", str(tmp_path / "out"))[0] == 0
    assert sorted(os.listdir(tmp_path / "out")) == ["a", "b"]
    assert not (repo / "modules").exists()


def test_what_is_there_stays(install: Install, forge: Forge, repo: Path) -> None:
    forge.add("acme-a", "1.0.0")
    own = repo / "modules/a/manifests/init.pp"
    own.parent.mkdir(parents=True)
    own.write_text("class a { notify { 'own': } }\n")
    (repo / "modules/a/metadata.json").write_text('{"name": "acme-a", "version": "0.9.0"}')
    code, printed = install("mod 'acme-a', '1.0.0'\n")
    assert code == 1
    assert "acme-a 1.0.0 is wanted, 0.9.0 is installed  Puppetfile:1" in printed
    assert "own" in own.read_text()
    assert install("mod 'acme-a', '1.0.0'\n", "--force")[0] == 0
    assert own.read_text() == "class a { }\n"


def test_a_release_comes_from_the_cache(install: Install, forge: Forge, tmp_path: Path) -> None:
    forge.add("acme-a", "1.0.0")
    assert install("mod 'acme-a', '1.0.0'\n")[0] == 0
    asked = len(forge.requests)
    assert install("mod 'acme-a', '1.0.0'\n", "--into", str(tmp_path / "two"))[0] == 0
    assert len(forge.requests) == asked
    assert (tmp_path / "two/a/metadata.json").exists()


def test_a_release_of_another_forge_is_not_taken_from_the_cache(
    install: Install, forge: Forge, tmp_path: Path
) -> None:
    forge.add("acme-a", "1.0.0")
    assert install("mod 'acme-a', '1.0.0'\n")[0] == 0
    other = ("--forge", "http://127.0.0.1:1", "--into", str(tmp_path / "two"))
    assert install("mod 'acme-a', '1.0.0'\n", *other, forge_option=False)[0] == 2


def test_a_lock_file_repeats_an_installation(install: Install, forge: Forge, repo: Path) -> None:
    forge.add("acme-a", "1.0.0")
    assert install("mod 'acme-a', :latest\n", "--lock")[0] == 0
    lock = repo / "catgraph.modules.lock"
    (row,) = json.loads(lock.read_text())["modules"]
    assert (row["name"], row["version"], len(row["digest"])) == ("a", "1.0.0", 64)
    forge.add("acme-a", "2.0.0")
    _, printed = install("mod 'acme-a', :latest\n", "--lock", "--force")
    assert "installed acme-a 1.0.0" in printed
    lock.write_text(lock.read_text().replace(row["digest"], "0" * 64))
    code, printed = install("mod 'acme-a', :latest\n", "--lock", "--force")
    assert code == 2
    assert "not the archive that the lock file names" in printed
    lock.write_text("[]")
    assert install("mod 'acme-a', :latest\n", "--lock")[0] == 2


def test_a_server_may_fail_twice(install: Install, forge: Forge) -> None:
    forge.add("acme-a", "1.0.0")
    forge.failures = 2
    assert install("mod 'acme-a', '1.0.0'\n")[0] == 0
    forge.failures = 9
    code, printed = install("mod 'acme-b', '1.0.0'\n")
    assert code == 2
    assert "acme-b 1.0.0 cannot be fetched: HTTP 503" in printed


def test_one_failure_leaves_the_others(install: Install, forge: Forge, repo: Path) -> None:
    forge.add("acme-a", "1.0.0")
    code, printed = install("mod 'acme-a', '1.0.0'\nmod 'acme-no', '1.0.0'\n")
    assert code == 2
    assert "there is no acme-no 1.0.0" in printed
    assert os.listdir(repo / "modules") == ["a"]


def test_the_address_of_the_forge(
    install: Install, forge: Forge, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forge.add("acme-a", "1.0.0")
    line = "mod 'acme-a', '1.0.0'\n"
    code, printed = install(line, forge_option=False)
    assert code == 2
    assert "give --forge URL, set CATGRAPH_FORGE" in printed
    code, printed = install(f"forge '{forge.url}'\n{line}", forge_option=False)
    assert code == 2
    assert "which is not https" in printed
    own = f"forge '{forge.url}'\n{line}"
    assert install(own, "--protocol", "http", forge_option=False)[0] == 0
    monkeypatch.setenv("CATGRAPH_FORGE", forge.url)
    assert install(line, "--force", forge_option=False)[0] == 0


def test_a_configuration_that_was_found_chooses_no_forge(
    install: Install, forge: Forge, repo: Path
) -> None:
    forge.add("acme-a", "1.0.0")
    (repo / "catgraph.toml").write_text(f"forge = '{forge.url}'\n")
    code, printed = install("mod 'acme-a', '1.0.0'\n", forge_option=False)
    assert code == 2
    assert "'forge' is ignored here" in printed
    assert forge.requests == []
    named = ("--config", "catgraph.toml")
    assert install("mod 'acme-a', '1.0.0'\n", *named, forge_option=False)[0] == 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"file_sha256": "0" * 64}, "does not have the sha256 that it should"),
        ({"file_sha256": None, "file_md5": "0" * 32}, "does not have the md5 that it should"),
        ({"file_sha256": None, "file_md5": None}, "no checksum of acme-a 1.0.0 is given"),
        ({"version": "9.9.9"}, "another release than acme-a 1.0.0 is described"),
        ({"file_uri": "http://127.0.0.1:1/x"}, "is elsewhere, which is not followed"),
        ({"file_uri": "file:///etc/passwd"}, "is elsewhere, which is not followed"),
        ({"file_uri": "http://["}, "is elsewhere, which is not followed"),
        ({"file_uri": "/v3/files/\x1b[31m"}, "is elsewhere, which is not followed"),
        ({"file_uri": "//127.0.0.1:1/x"}, "there is no acme-a 1.0.0"),
        ({"file_uri": ""}, "is elsewhere, which is not followed"),
    ],
)
def test_a_wrong_description(
    install: Install, forge: Forge, repo: Path, changes: dict[str, object], words: str
) -> None:
    forge.add("acme-a", "1.0.0")
    forge.changes = changes
    code, printed = install("mod 'acme-a', '1.0.0'\n")
    assert code == 2
    assert words in printed
    assert not (repo / "modules" / "a").exists()


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.1:1/x", "file:///etc/passwd", "//other/x", "http://[", "/v3/files/again"],
)
def test_a_redirect_to_another_server(
    install: Install, forge: Forge, repo: Path, target: str
) -> None:
    forge.add("acme-a", "1.0.0")
    forge.redirect = target
    code, printed = install("mod 'acme-a', '1.0.0'\n")
    assert code == 2
    assert "elsewhere" in printed or "redirected too often" in printed
    assert not (repo / "modules" / "a").exists()


@pytest.mark.parametrize("slow", ["head", "body"])
def test_a_server_that_sends_a_byte_at_a_time(
    install: Install, forge: Forge, monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    monkeypatch.setattr("analyzer.session.repository.install.forge.TOTAL_SECONDS", 0.3)
    forge.add("acme-a", "1.0.0")
    forge.slow = slow
    begin = time.monotonic()
    code, printed = install("mod 'acme-a', '1.0.0'\n")
    assert code == 2
    assert "takes longer than 0.3 seconds" in printed
    assert time.monotonic() - begin < 5


def test_another_module_than_asked_for(install: Install, forge: Forge) -> None:
    forge.add("acme-a", "1.0.0", release("evil-a", "1.0.0"))
    code, printed = install("mod 'acme-a', '1.0.0'\n")
    assert code == 2
    assert "is that of evil-a 1.0.0, not of acme-a 1.0.0" in printed


def test_a_place_outside_of_the_repository(install: Install, forge: Forge, repo: Path) -> None:
    forge.add("acme-a", "1.0.0")
    (repo / "link").symlink_to(repo.parent)
    for place in ("..", "/tmp/x", "link", "modules/../..", ".git", "modules/../.GIT/x"):
        code, printed = install(f"moduledir '{place}'\nmod 'acme-a', '1.0.0'\n")
        assert code == 2
        assert "outside of the repository's files (--into DIR)" in printed
    assert forge.requests == []


def test_a_lock_file_that_leads_out(
    install: Install, forge: Forge, repo: Path, tmp_path: Path
) -> None:
    forge.add("acme-a", "1.0.0")
    outside = tmp_path / "outside"
    outside.write_text("own")
    (repo / "catgraph.modules.lock").symlink_to(outside)
    code, printed = install("mod 'acme-a', '1.0.0'\n", "--lock")
    assert code == 2
    assert "links to a place outside" in printed
    assert outside.read_text() == "own"


@pytest.mark.parametrize(
    "address",
    ["", "x", "ftp://a", "http://", "http://[", "http://a:b", "https://u:p@a", "http://a\n"],
)
def test_an_address_that_is_none(install: Install, address: str) -> None:
    code, printed = install("mod 'acme-a', '1.0.0'\n", "--forge", address, forge_option=False)
    assert code == 2
    assert "expected the address of a Forge" in printed or not address


def test_proxies_of_the_environment(
    install: Install, forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    forge.add("acme-a", "1.0.0")
    monkeypatch.setenv("http_proxy", forge.url)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    address = ("--forge", "http://forge.example.com")
    assert install("mod 'acme-a', '1.0.0'\n", *address, forge_option=False)[0] == 0


def test_progress(forge: Forge, repo: Path) -> None:
    forge.add("acme-a", "1.0.0")
    (repo / "Puppetfile").write_text("mod 'acme-a', '1.0.0'\nmod 'acme-b', '1.0.0'\n")
    lines: list[str] = []
    outcome = run_order(InstallOrder(declared_at("."), ".", forge=forge.url, progress=lines.append))
    assert [error.code for error in outcome.errors] == ["cannot-fetch"]
    assert [line[:18] for line in lines] == ["1 of 2 modules: ac", "2 of 2 modules: ac", ""]


@pytest.mark.parametrize("option", ["--force", "--lock", "--into=x", "--forge=x", "--protocol=ssh"])
def test_options_of_an_installation(
    repo: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    assert main(["modules", ".", option]) == 2
    assert "needs --install" in capsys.readouterr().err
