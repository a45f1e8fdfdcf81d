"""Packages of Red Hat and its kin (providers rpm, dnf and yum)."""

from __future__ import annotations

import re
from typing import ClassVar

from analyzer.apply.provider import ABSENT, ProviderError
from analyzer.apply.providers.packages.base import PURGED, Manager

_FORMAT = "%{NAME} %|EPOCH?{%{EPOCH}}:{0}| %{VERSION} %{RELEASE} %{ARCH}\\n"
_LINE = re.compile(r"'?(\S+) (\S+) (\S+) (\S+) (\S+)\Z")
_UPDATES = 100


class Rpm(Manager):
    """A package whose file is named by `source`."""

    programs: ClassVar[tuple[str, ...]] = ("rpm",)

    def query(self) -> dict[str, object]:
        """Return the version, as rpm says; several are joined."""
        words = ["rpm", "-q", self.name, "--nosignature", "--nodigest", "--qf", _FORMAT]
        output = self.ask(*words)
        if output.code != 0 and self.parameters.flag("allow_virtual", True):
            output = self.ask(*words, "--whatprovides")
        versions = _versions(output.text) if output.code == 0 else []
        return {"ensure": "; ".join(dict.fromkeys(versions)) or PURGED}

    def latest(self) -> str | None:
        """Return the version of the file."""
        output = self.run("rpm", "-q", "--qf", _FORMAT, "-p", self.source())
        return next(iter(_versions(output.text)), None)

    def is_good(self, current: str, should: str) -> bool:
        """Return whether a version is the one asked for, its release left out."""
        if current in {ABSENT, PURGED} or "; " in current:
            return False
        short = current.partition("-")[0]
        bare = {current.partition(":")[2] or current, short.partition(":")[2] or short}
        return should in {current, short} | bare

    def install(self) -> None:
        """Install the file, or put it in the place of another version."""
        there = self.query()["ensure"] not in {ABSENT, PURGED}
        flags = ["-U", "--oldpackage"] if there else ["-i"]
        self.run("rpm", *flags, *self.options("install_options"), self.source())

    def uninstall(self) -> None:
        """Remove the package."""
        self.run("rpm", "-e", *self.options("uninstall_options"), self.name)

    def source(self) -> str:
        """Return the file."""
        source = self.parameters.text("source")
        if not source:
            raise ProviderError("RPMs must specify a package source")
        return source


class Dnf(Rpm):
    """A package of a repository."""

    command = "dnf"
    programs: ClassVar[tuple[str, ...]] = ("dnf", "rpm")
    update_command = "upgrade"
    error_level = "1"

    def latest(self) -> str | None:
        """Return the version that would be installed: an update's, or the installed one."""
        output = self.ask(self.command, "check-update")
        if output.code == _UPDATES:
            for line in output.text.splitlines():
                parts = line.split()
                if len(parts) == 3 and parts[0].rpartition(".")[0] == self.name:
                    version = parts[1]
                    return version if ":" in version else f"0:{version}"
        return str(self.query()["ensure"])

    def install(self) -> None:
        """Install the package, in the version that is asked for."""
        options = self.options("install_options")
        quiet = ["-d", "0", "-e", self.error_level, "-y"]
        if not self.parameters.flag("allow_virtual", True):
            self.run(self.command, *quiet, *options, "list", self.name)
        what, action = self.parameters.text("source") or self.name, "install"
        there = self.query()["ensure"] not in {ABSENT, PURGED}
        if self.wanted == "latest":
            what, action = self.name, self.update_command if there else "install"
        elif self.version and what == self.name:
            what = f"{self.name}-{self.version}"
        output = self.run(self.command, *quiet, *options, action, what)
        if f"No package {what} available." in output.text.splitlines():
            raise ProviderError(f"Could not find package {what}")

    def purge(self) -> None:
        """Remove the package and what only it needs."""
        self.run(self.command, "-y", "erase", self.name)


class Yum(Dnf):
    """A package of a repository, on older systems."""

    command = "yum"
    programs: ClassVar[tuple[str, ...]] = ("yum", "rpm")
    update_command = "update"
    error_level = "0"


def _versions(text: str) -> list[str]:
    made = []
    for line in text.splitlines():
        match = _LINE.match(line.strip())
        if match:
            _, epoch, version, release, _ = match.groups()
            made.append(f"{'' if epoch == '0' else f'{epoch}:'}{version}-{release}")
    return made
