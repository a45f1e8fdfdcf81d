"""The base of package providers (Puppet::Provider::Package)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from analyzer.apply.host import Host, Output
from analyzer.apply.provider import ABSENT, ProviderError
from analyzer.apply.providers.machine.programs import attempt, execute
from analyzer.apply.providers.parameters import Parameters, shown
from analyzer.model.values import flat

PRESENT, LATEST, PURGED = "present", "latest", "purged"


class Manager:
    """A package and the manager that knows it; `programs` are what the manager needs."""

    programs: ClassVar[tuple[str, ...]] = ()
    environment: ClassVar[Mapping[str, str]] = {}

    def __init__(self, parameters: Parameters, host: Host) -> None:
        self.parameters = parameters
        self.host = host
        self.name = parameters.name

    @classmethod
    def is_suitable(cls, host: Host) -> bool:
        """Return whether the host has this manager."""
        return all(map(host.which, cls.programs))

    @property
    def wanted(self) -> str:
        """Return the wanted version, or a word."""
        written = self.parameters.text("ensure", PRESENT) or PRESENT
        return PRESENT if written == "installed" else written

    @property
    def version(self) -> str | None:
        """Return the wanted version, if it is named."""
        return None if self.wanted in {PRESENT, LATEST, ABSENT, PURGED} else self.wanted

    def options(self, parameter: str) -> list[str]:
        """Return more options: texts, or hashes of `name=value`."""
        made: list[str] = []
        value = self.parameters[parameter]
        for one in flat([value]) if value is not None else []:
            if isinstance(one, dict):
                made += [f"{shown(key)}={shown(one[key])}" for key in sorted(one)]
            else:
                made.append(shown(one))
        return made

    def run(self, *words: str, stdin: bytes = b"") -> Output:
        """Run a program of the manager.

        Raises:
            ProviderError: it fails.
        """
        return execute(self.host, words, environment=self.environment, stdin=stdin)

    def ask(self, *words: str) -> Output:
        """Run a program and accept any exit code."""
        return attempt(self.host, words, environment=self.environment)

    def query(self) -> dict[str, object]:
        """Return `ensure`: the version, `absent` or `purged`; and `mark`."""
        raise NotImplementedError

    def latest(self) -> str | None:
        """Return the latest version that can be installed."""
        raise NotImplementedError

    def is_good(self, current: str, should: str) -> bool:
        """Return whether a version is another spelling of the wanted one."""
        return False

    def install(self) -> None:
        """Install the package."""
        raise NotImplementedError

    def update(self) -> None:
        """Install another version."""
        try:
            self.install()
        except ProviderError as error:
            raise ProviderError(f"Could not update: {error}") from None

    def uninstall(self) -> None:
        """Remove the package."""
        raise NotImplementedError

    def purge(self) -> None:
        """Remove the package and its settings."""
        self.uninstall()

    def set_mark(self, mark: str) -> None:
        """Hold the package in its version, or let it go."""
        raise ProviderError("packages of this provider cannot be held")

    def finish(self) -> None:
        """Do what comes after a change."""


def installed(rows: Sequence[tuple[str, str]], name: str) -> str | None:
    """Return the version of a package by name, small and large letters alike."""
    return next((version for one, version in rows if one.lower() == name.lower()), None)
