"""What is not plain is not applied, secrets are not told, noop and second runs change nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import pytest

from analyzer.apply.host import Host
from analyzer.apply.provider import Provider, ProviderError, State, UnsuitableError
from analyzer.apply.providers.files.concat import ConcatProvider
from analyzer.apply.providers.files.sources import FileSources
from analyzer.apply.providers.guard import GuardedProvider
from analyzer.apply.providers.machine.local import LocalHost
from analyzer.apply.providers.table import PROVIDERS, Providers
from analyzer.model.resource import Resource
from analyzer.model.values import Deferred, Regexp, Sensitive, Unknown

from . import scratch
from .case import FOLDER, Case, read
from .harness import STUBS, applied, compiled, ours

NEEDED: dict[str, dict[str, Any]] = {
    "File": {"path": "/f"},
    "Exec": {"command": "/bin/touch /f"},
    "File_line": {"path": "/f", "line": "x"},
    "Ini_setting": {"path": "/f", "setting": "a", "value": "x"},
    "Ssh_authorized_key": {"user": "ann", "type": "rsa", "key": "A"},
    "Host": {"ip": "10.0.0.1"},
    "Mount": {"device": "/dev/x", "fstype": "ext4", "ensure": "present"},
    "Cron": {"command": "/bin/x"},
}
UNKNOWN = [
    Unknown("no facts are given"),
    ["a", Unknown("no facts are given")],
    {"k": Unknown("no facts are given")},
    {"__unknown": "no facts are given"},
    Sensitive(Unknown("no facts are given")),
]


@pytest.fixture
def host(tmp_path: Path) -> LocalHost:
    (tmp_path / "etc").mkdir()
    return LocalHost(str(tmp_path))


@pytest.mark.parametrize("type_", sorted(set(PROVIDERS) - {"Augeas"}))
@pytest.mark.parametrize("value", UNKNOWN, ids=["plain", "array", "hash", "json", "sensitive"])
def test_unknown_parameters_fail_with_the_cause(type_: str, value: Any, host: LocalHost) -> None:
    resource = Resource(type_, "one", NEEDED.get(type_, {}) | {"ensure": "present", "odd": value})
    provider = Providers().find(type_)
    assert provider
    with pytest.raises(ProviderError, match=r"Parameter odd of .* no facts are given"):
        provider.retrieve(resource, host)
    assert os.listdir(host.root) == ["etc"]


@pytest.mark.parametrize("value", [Deferred("f"), Regexp("x"), {"__ptype": "Timestamp"}])
def test_other_values_that_are_not_plain(value: Any, host: LocalHost) -> None:
    with pytest.raises(ProviderError, match="Parameter content of File"):
        Providers().find("File").retrieve(Resource("File", "/f", {"content": value}), host)  # type: ignore[union-attr]


def test_augeas_is_refused_clearly(host: LocalHost) -> None:
    with pytest.raises(UnsuitableError, match="needs the Augeas library"):
        Providers().find("Augeas").retrieve(Resource("Augeas", "x", {}), host)  # type: ignore[union-attr]


def test_types_without_a_provider() -> None:
    assert Providers().find("Firewall") is None


def _applied(resource: Resource, host: LocalHost) -> Iterator[str]:
    """Apply a resource; yield everything that is told."""
    provider = Providers().find(resource.type)
    assert provider
    plan = provider.plan(resource, provider.retrieve(resource, host))
    yield from (note.message for note in plan.notes)
    for change in plan.changes:
        yield f"{change.message} {change.old} {change.new} {change.shown} {change.diff}"
        assert change.sensitive
        try:
            yield from (note.message for note in provider.apply(resource, change, host))
        except ProviderError as error:
            yield from (str(error), *(note.message for note in error.notes))


@pytest.mark.parametrize(
    ("type_", "parameters"),
    [
        ("File", {"content": Sensitive("GEHEIM"), "path": "/f"}),
        ("File", {"content": Sensitive("GEHEIM"), "path": "/old"}),
        ("File", {"content": Sensitive("GEHEIM"), "path": "/none/f"}),
        ("Notify", {"message": Sensitive("GEHEIM")}),
        ("Ini_setting", {"path": "/old", "setting": "a", "value": Sensitive("GEHEIM")}),
    ],
)
def test_secrets_are_not_told(type_: str, parameters: dict[str, Any], host: LocalHost) -> None:
    host.write("/old", b"a = 1\n")
    told = " ".join(_applied(Resource(type_, "x", parameters), host))
    assert "GEHEIM" not in told
    assert sha256(b"GEHEIM").hexdigest() not in told


def test_fragments_that_contradict_each_other(host: LocalHost) -> None:
    made = [
        Resource("Concat_fragment", "a", {"tag": "t", "content": '{"a": 1}'}),
        Resource("Concat_fragment", "b", {"tag": "t", "content": '{"a": 2}'}),
    ]
    file = Resource("Concat_file", "/f", {"tag": "t", "format": "json"})
    with pytest.raises(ProviderError, match="Duplicate key 'a' found with values '1' and 2"):
        ConcatProvider().generate(file, host, made)


def test_a_secret_fragment_makes_the_file_secret(host: LocalHost) -> None:
    fragment = Resource("Concat_fragment", "a", {"tag": "t", "content": Sensitive("x")})
    file = Resource("Concat_file", "/f", {"tag": "t"})
    (made,) = ConcatProvider().generate(file, host, [fragment])
    assert made.sensitive == ["content"]


def test_sources_of_modules_stay_in_the_module(tmp_path: Path, host: LocalHost) -> None:
    files = tmp_path / "modules" / "m" / "files"
    files.mkdir(parents=True)
    (files / "in").write_text("in")
    (tmp_path / "modules" / "m" / "out").write_text("out")
    sources = FileSources((str(tmp_path / "modules"),))
    _, place, _ = sources.first(host, ["puppet:///modules/m/in"], "manage")
    assert place.read() == b"in"
    for other in ("puppet:///modules/m/../out", "puppet:///modules/m/%2e%2e/out"):
        with pytest.raises(ProviderError, match="Could not retrieve information"):
            sources.first(host, [other], "manage")
    with pytest.raises(ProviderError, match="without a server"):
        sources.first(host, ["http://example.org/x"], "manage")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_a_key_is_not_written_where_its_user_may_not(tmp_path: Path) -> None:
    root = scratch.make(tmp_path)
    (root / "root" / ".ssh").mkdir(parents=True, mode=0o700)
    (root / "home" / "ann" / ".ssh").symlink_to("/root/.ssh")
    resource = Resource("Ssh_authorized_key", "x", {"user": "ann", "type": "rsa", "key": "A"})
    provider, host = Providers().find("Ssh_authorized_key"), LocalHost(str(root))
    assert provider
    (change,) = provider.plan(resource, provider.retrieve(resource, host)).changes
    with pytest.raises(ProviderError, match="Permission denied"):
        provider.apply(resource, change, host)
    assert os.listdir(root / "root" / ".ssh") == []


def test_a_purged_folder_of_links(host: LocalHost, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "kept").touch()
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "trap").symlink_to(outside)
    folder = Resource("File", "/d", {"ensure": "directory", "recurse": True, "purge": True})
    folder.parameters["force"] = True
    provider = Providers().find("File")
    assert provider
    children = provider.generate(folder, host, [])  # type: ignore[attr-defined]
    assert [str(child) for child in children] == ["File[/d/trap]"]
    for change in provider.plan(children[0], provider.retrieve(children[0], host)).changes:
        provider.apply(children[0], change, host)
    assert os.listdir(tmp_path / "d") == []
    assert os.listdir(outside) == ["kept"]


CASES = [
    pytest.param(case, id=f"{path.stem}: {case.name}")
    for path in sorted(FOLDER.glob("*.txt"))
    for case in read(path)
]


def _checksum(root: Path) -> str:
    """Return a checksum of all that is below a folder: paths, modes, owners, contents."""
    digest = sha256()
    for path in sorted(root.rglob("*")):
        found = path.lstat()
        digest.update(f"{path} {found.st_mode} {found.st_uid} {found.st_gid}".encode())
        if path.is_symlink():
            digest.update(os.readlink(path).encode())
        elif path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


# Their programs and conditions write down that they were asked.
_ASKING = ("units of systemd", "packages of repositories", "noop", "tries and time")
_NEVER_DONE = ("exec", "notify", "service", "package", "file: what takes the place of a folder")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
@pytest.mark.parametrize("case", [p for p in CASES if not str(p.id).endswith(_ASKING)])
def test_noop_changes_nothing(case: Case, tmp_path: Path) -> None:
    root = scratch.make(tmp_path)
    scratch.set_up(root, case.setup)
    catalog = compiled(tmp_path, case.code, STUBS)
    before = _checksum(root)
    applied(catalog, LocalHost(str(root)), noop=True)
    assert _checksum(root) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
@pytest.mark.parametrize("case", [p for p in CASES if not str(p.id).startswith(_NEVER_DONE)])
def test_a_second_run_changes_nothing(case: Case, tmp_path: Path) -> None:
    (_, first), *rest = ours(case, tmp_path)
    assert all(tree == first for _, tree in rest)


def test_a_fault_of_a_provider_fails_its_resource_only(host: LocalHost) -> None:
    class Faulty:
        refreshable = self_refresh = False

        def retrieve(self, resource: Resource, host: Host) -> State:
            raise ValueError("GEHEIM")

    guarded = GuardedProvider(cast(Provider, Faulty()))
    with pytest.raises(ProviderError) as caught:
        guarded.retrieve(Resource("X", "x", {}), host)
    assert str(caught.value) == "internal error of the provider: ValueError"
