"""Debian's packages, from files and from repositories (providers dpkg and apt)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from analyzer.apply.provider import ABSENT, ProviderError
from analyzer.apply.providers.files.file_writer import where
from analyzer.apply.providers.packages.base import PRESENT, PURGED, Manager

_FORMAT = "'${Status} ${Package} ${Version}\\n'"
_LINE = re.compile(r"'?(\S+) +(\S+) +(\S+) (\S+) (\S*)\Z")
_HALF = frozenset(("config-files", "half-installed", "unpacked", "half-configured"))
_RANGE = re.compile(r"(>=|<=|>|<)\s*([^\s<>=]+)\s*")
_SIGNS = {">=": "ge", "<=": "le", ">": "gt", "<": "lt"}


class Dpkg(Manager):
    """A package whose file is named by `source`."""

    programs: ClassVar[tuple[str, ...]] = (
        "/usr/bin/dpkg",
        "/usr/bin/dpkg-deb",
        "/usr/bin/dpkg-query",
    )

    def query(self) -> dict[str, object]:
        """Return version and mark, as dpkg-query says."""
        words = ("/usr/bin/dpkg-query", "-W", "--showformat", _FORMAT, self.name)
        output = self.ask(*words)
        if output.code != 0:
            return {"ensure": PURGED, "mark": "none"}
        match = _LINE.match(output.text.split("\n")[0])
        if not match:
            return {"ensure": ABSENT, "mark": "none"}
        desired, error, status, name, version = match.groups()
        if error != "ok":
            raise ProviderError(f"Package {name}, version {version} is in error state: {error}")
        if status == "not-installed":
            version = PURGED
        elif status in _HALF:
            version = ABSENT
        return {"ensure": version, "mark": "hold" if desired == "hold" else "none"}

    def latest(self) -> str | None:
        """Return the version of the file."""
        output = self.run("/usr/bin/dpkg-deb", "--show", self.source("Could not update: "))
        match = re.match(r"(\S+)\t(\S+)\s*\Z", output.text)
        return match[2] if match else None

    def install(self) -> None:
        """Install the file."""
        keep = self.parameters.text("configfiles", "keep") == "keep"
        setting = f"Could not set '{PRESENT}' on ensure: "
        present = self.wanted == PRESENT
        source = self.source(setting, where(self.parameters.resource)) if present else self.source()
        force = "--force-confold" if keep else "--force-confnew"
        self.let_go()
        try:
            self.run("/usr/bin/dpkg", force, "-i", source)
        finally:
            self.hold_again()

    def uninstall(self) -> None:
        """Remove the package."""
        self.run("/usr/bin/dpkg", "-r", self.name)

    def purge(self) -> None:
        """Remove the package and its settings."""
        self.run("/usr/bin/dpkg", "--purge", self.name)

    def set_mark(self, mark: str) -> None:
        """Hold the package, or let it go."""
        selection = "hold" if mark == "hold" else "install"
        self.run("/usr/bin/dpkg", "--set-selections", stdin=f"{self.name} {selection}\n".encode())

    def source(self, begin: str = "", end: str = "") -> str:
        """Return the file; the error if there is none begins and ends with the given texts."""
        source = self.parameters.text("source")
        if not source:
            raise ProviderError(f"{begin}You cannot install dpkg packages without a source{end}")
        return source

    def let_go(self) -> None:
        """Take a hold off, so that the package can be changed."""
        if self.query()["mark"] == "hold":
            self.set_mark("none")

    def hold_again(self) -> None:
        """Put a hold on, if there is to be one."""
        if self.parameters.text("mark") == "hold":
            self.set_mark("hold")


class Apt(Dpkg):
    """A package of a repository, or of the file that `source` names."""

    programs: ClassVar[tuple[str, ...]] = (
        "/usr/bin/apt-get",
        "/usr/bin/apt-cache",
        "/usr/bin/apt-mark",
        *Dpkg.programs,
    )
    environment: ClassVar[Mapping[str, str]] = {
        "DEBIAN_FRONTEND": "noninteractive",
        "APT_LISTBUGS_FRONTEND": "none",
        "APT_LISTCHANGES_FRONTEND": "none",
    }

    def query(self) -> dict[str, object]:
        """Return version and mark; a package that was asked for is marked `manual`."""
        found = super().query()
        if found["ensure"] not in {ABSENT, PURGED}:
            shown = self.run("/usr/bin/apt-mark", "showmanual", self.name).text
            if shown.strip() == self.name:
                found["mark"] = "manual"
        return found

    def latest(self) -> str | None:
        """Return the version that would be installed."""
        policy = self.run("/usr/bin/apt-cache", "policy", self.name).text
        match = re.search(r"Candidate:\s+(\S+)\s", policy)
        if not match:
            raise ProviderError("Could not find latest version")
        return match[1]

    def is_good(self, current: str, should: str) -> bool:
        """Return whether a version is in a range such as `>=1.0 <2.0`."""
        limits = _RANGE.findall(should)
        if not limits or current in {ABSENT, PURGED}:
            return False
        return all(self._compares(current, sign, limit) for sign, limit in limits)

    def install(self) -> None:
        """Install the package, in the version that is asked for."""
        self.preseed()
        self.refuse_cdrom()
        keep = self.parameters.text("configfiles", "keep") == "keep"
        words = ["-q", "-y", "-o", f"DPkg::Options::=--force-conf{'old' if keep else 'new'}"]
        version = self.version and self._best(self.version)
        if version:
            words.append("--force-yes")
        what = f"{self.name}={version}" if version else self.name
        source = self.parameters.text("source")
        self.let_go()
        try:
            options = self.options("install_options")
            self.run("/usr/bin/apt-get", *words, *options, "install", source or what)
        finally:
            self.hold_again()

    def uninstall(self) -> None:
        """Remove the package."""
        self.preseed()
        self.run("/usr/bin/apt-get", "-y", "-q", *self._held(), "remove", self.name)

    def purge(self) -> None:
        """Remove the package and its settings."""
        self.preseed()
        self.run("/usr/bin/apt-get", "-y", "-q", *self._held(), "remove", "--purge", self.name)
        super().purge()

    def finish(self) -> None:
        """Note that the package was asked for."""
        if self.wanted != ABSENT:
            self.run("/usr/bin/apt-mark", "manual", self.name)

    def preseed(self) -> None:
        """Give debconf the answers of a file."""
        answers = self.parameters.text("responsefile")
        if answers and self.host.stat(answers):
            self.run("/usr/bin/debconf-set-selections", answers)

    def refuse_cdrom(self) -> None:
        """See that apt would not ask for a disc."""
        try:
            text = self.host.read("/etc/apt/sources.list").decode("utf-8", "replace")
        except OSError:
            return
        if re.search(r"^[^#\n]*cdrom:", text, re.MULTILINE) and not self.parameters.flag(
            "allowcdrom"
        ):
            raise ProviderError(
                "/etc/apt/sources.list contains a cdrom source; not installing.  "
                "Use 'allowcdrom' to override this failure."
            )

    def _held(self) -> list[str]:
        return ["--allow-change-held-packages"] if self.query()["mark"] == "hold" else []

    def _best(self, should: str) -> str:
        """Return the latest version in a range; a version itself is returned unchanged."""
        if not _RANGE.match(should):
            return should
        table = self.run("/usr/bin/apt-cache", "madison", self.name).text
        best = ""
        for line in table.splitlines():
            version = line.split("|")[1].strip() if line.count("|") > 1 else ""
            if not version or not self.is_good(version, should):
                continue
            if not best or self._compares(version, ">", best):
                best = version
        return best or should

    def _compares(self, version: str, sign: str, other: str) -> bool:
        words = ("/usr/bin/dpkg", "--compare-versions", version, _SIGNS[sign], other)
        return self.ask(*words).code == 0
