"""Managers that are not here, by what they are called with: dnf, rpm, pip, scripts of init."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from analyzer.apply.host import Output, Stat
from analyzer.apply.provider import PlannedChanges, ProviderError
from analyzer.apply.providers.machine.local import LocalHost
from analyzer.apply.providers.table import Providers
from analyzer.model.resource import Resource

Answer = Callable[[list[str]], Output]


class FakeHost(LocalHost):
    """A host with some programs, which answer as they are told; calls are written down."""

    def __init__(self, programs: Sequence[str], answer: Answer, files: Sequence[str] = ()) -> None:
        super().__init__()
        self.programs, self.answer, self.files = set(programs), answer, set(files)
        self.calls: list[str] = []

    def which(self, program: str, path: Sequence[str] = ()) -> str | None:
        return program if program in self.programs else None

    def stat(self, path: str) -> Stat | None:
        return Stat("file", 0o755, 0, 0) if path in self.files else None

    def read(self, path: str) -> bytes:
        raise FileNotFoundError(2, "No such file or directory", path)

    def run(self, command: Sequence[str] | str, **options: Any) -> Output:
        words = [command] if isinstance(command, str) else list(command)
        self.calls.append(" ".join(words))
        return self.answer(words)


def answers(table: Mapping[str, tuple[int, str]]) -> Answer:
    """Return the answer whose key begins the call, else code 0 and nothing."""

    def answer(words: list[str]) -> Output:
        line = " ".join(words)
        found = (value for key, value in table.items() if line.startswith(key))
        return Output(*next(found, (0, "")))

    return answer


def applied(resource: Resource, host: FakeHost) -> PlannedChanges:
    """Apply a resource; return what was planned."""
    provider = Providers().find(resource.type)
    assert provider
    plan = provider.plan(resource, provider.retrieve(resource, host))
    host.calls.clear()
    for change in plan.changes:
        provider.apply(resource, change, host)
    return plan


def package(**parameters: Any) -> Resource:
    return Resource("Package", "tiny", parameters)


RPM = {"rpm -q tiny": (0, "tiny 0 1.0 2.el9 x86_64\n")}
NO_RPM = {"rpm -q": (1, "package tiny is not installed\n")}


@pytest.mark.parametrize(
    ("there", "parameters", "message", "call"),
    [
        (NO_RPM, {"ensure": "present"}, "created", "dnf -d 0 -e 1 -y install tiny"),
        (NO_RPM, {"ensure": "3.0"}, "created", "dnf -d 0 -e 1 -y install tiny-3.0"),
        (NO_RPM, {"ensure": "latest"}, "created", "dnf -d 0 -e 1 -y install tiny"),
        (RPM, {"ensure": "absent"}, "removed", "rpm -e tiny"),
        (RPM, {"ensure": "purged"}, "purged", "dnf -y erase tiny"),
        (RPM, {"ensure": "1.0"}, None, None),
        (RPM, {"ensure": "1.0-2.el9"}, None, None),
        (RPM, {"ensure": "present"}, None, None),
        (NO_RPM, {"ensure": "absent"}, None, None),
    ],
)
def test_dnf(
    there: dict[str, tuple[int, str]], parameters: dict[str, Any], message: str, call: str
) -> None:
    host = FakeHost(("dnf", "rpm"), answers(there))
    plan = applied(package(**parameters), host)
    assert [change.message for change in plan.changes] == ([message] if message else [])
    if call:
        assert host.calls[-1] == call


def test_an_update_of_dnf() -> None:
    updates = (100, "\ntiny.x86_64   1:1.1-1.el9   updates\n")
    host = FakeHost(("dnf", "rpm"), answers(RPM | {"dnf check-update": updates}))
    plan = applied(package(ensure="latest"), host)
    assert plan.changes[0].message == "ensure changed '1.0-2.el9' to '1:1.1-1.el9'"
    assert plan.changes[0].event == "package_changed"
    assert host.calls[-1] == "dnf -d 0 -e 1 -y upgrade tiny"


def test_files_of_rpm() -> None:
    host = FakeHost(("rpm",), answers(NO_RPM))
    applied(package(provider="rpm", source="/t.rpm"), host)
    assert host.calls[-1] == "rpm -i /t.rpm"
    with pytest.raises(ProviderError, match="RPMs must specify a package source"):
        applied(package(provider="rpm"), host)


@pytest.mark.parametrize(
    ("frozen", "parameters", "call"),
    [
        ("", {}, "pip3 install -q tiny"),
        ("", {"ensure": "1.5"}, "pip3 install -q tiny==1.5"),
        ("Tiny==1.0\n", {"ensure": "latest"}, "pip3 install -q --upgrade tiny"),
        ("tiny==1.0\n", {"ensure": "absent"}, "pip3 uninstall -y -q tiny"),
        ("tiny==2.0\n", {"ensure": "latest"}, None),
        ("", {"source": "git+x"}, "pip3 install -q git+x#egg=tiny"),
    ],
)
def test_pip(frozen: str, parameters: dict[str, Any], call: str | None) -> None:
    nonsense = (1, "ERROR: no version (from versions: 1.0, 1.5, 2.0)\n")
    table = {"pip3 freeze": (0, frozen), "pip3 install tiny==versionplease": nonsense}
    host = FakeHost(("pip3",), answers(table))
    applied(package(provider="pip3", **parameters), host)
    assert host.calls[-1:] == ([call] if call else [])


SCRIPTS = ("/usr/sbin/update-rc.d", "/usr/sbin/invoke-rc.d", "/usr/sbin/service")


def test_scripts_of_debian() -> None:
    table = {"/usr/sbin/service one status": (3, ""), "/usr/sbin/invoke-rc.d": (105, "")}
    host = FakeHost((*SCRIPTS, "/etc/init.d/one"), answers(table), ("/etc/init.d/one",))
    host.names = lambda path: []  # type: ignore[method-assign]
    service = Resource("Service", "one", {"ensure": "running", "enable": True})
    plan = applied(service, host)
    assert [change.message for change in plan.changes] == ["ensure changed 'stopped' to 'running'"]
    assert plan.changes[0].drops_refreshes
    assert host.calls == [
        "/etc/init.d/one start",
        "/usr/sbin/invoke-rc.d --quiet --query one start",
        "/usr/sbin/update-rc.d -f one remove",
        "/usr/sbin/update-rc.d one defaults",
    ]


def test_a_script_that_is_missing() -> None:
    host = FakeHost((), answers({}), ("/etc/init.d",))
    with pytest.raises(ProviderError, match="Could not find init script for 'one'"):
        applied(Resource("Service", "one", {"ensure": "running"}), host)


def test_records_that_cannot_be_written_fail_with_the_cause(tmp_path: Any) -> None:
    host = LocalHost(str(tmp_path))
    for resource, cause in (
        (Resource("Host", "x", {"ensure": "present"}), "ip is a required attribute for hosts"),
        (Resource("Mount", "/x", {"ensure": "present", "device": "d"}), "'fstype' is required"),
        (Resource("Cron", "x", {"command": "y", "user": "nobody-here"}), "does not exist"),
        (
            Resource("Ssh_authorized_key", "x", {"user": "nobody-here", "type": "rsa", "key": "k"}),
            "User 'nobody-here' does not exist",
        ),
    ):
        provider = Providers().find(resource.type)
        assert provider
        (change,) = provider.plan(resource, provider.retrieve(resource, host)).changes
        with pytest.raises(ProviderError, match=cause):
            provider.apply(resource, change, host)
