"""Python's packages (providers pip and pip3)."""

from __future__ import annotations

import re

from analyzer.apply.host import Host
from analyzer.apply.provider import ABSENT, ProviderError
from analyzer.apply.providers.packages.base import Manager, installed

_LINE = re.compile(r"([^=\s]+)===?([^=\s]+)\Z")
_VERSIONS = re.compile(r"from versions: (.*?)\)")


class Pip(Manager):
    """A package of an index, or of the place that `source` names."""

    names: tuple[str, ...] = ("pip", "pip-python", "pip2", "pip-2")

    @classmethod
    def is_suitable(cls, host: Host) -> bool:
        """Return whether there is a pip of this kind."""
        return any(map(host.which, cls.names))

    @property
    def program(self) -> str:
        """Return the pip to use: the resource's, or the first that exists."""
        named = self.parameters.text("command")
        if named and named != "default":
            return named
        return next(name for name in self.names if self.host.which(name))

    def query(self) -> dict[str, object]:
        """Return the version, as `pip freeze` says."""
        output = self.run(self.program, "freeze", "--all")
        lines = map(_LINE.match, output.text.splitlines())
        rows = [(match[1], match[2]) for match in lines if match]
        return {"ensure": installed(rows, self.name) or ABSENT}

    def latest(self) -> str | None:
        """Return the latest version of the index: pip names all when it is asked for nonsense."""
        output = self.ask(self.program, "install", f"{self.name}==versionplease")
        match = _VERSIONS.search(output.text)
        versions = match[1].split(", ") if match else []
        if not versions or versions == ["none"]:
            raise ProviderError(f"Could not get latest version: no version of {self.name} is found")
        return versions[-1]

    def install(self) -> None:
        """Install the package, in the version that is asked for."""
        words = ["install", "-q", *self.options("install_options")]
        source = self.parameters.text("source")
        if source:
            version = f"@{self.version}" if self.version else ""
            words.append(f"{source}{version}#egg={self.name}")
        elif self.version:
            words.append(f"{self.name}=={self.version}")
        elif self.wanted == "latest":
            words += ["--upgrade", self.name]
        else:
            words.append(self.name)
        self.run(self.program, *words)

    def uninstall(self) -> None:
        """Remove the package."""
        self.run(self.program, "uninstall", "-y", "-q", self.name)


class Pip3(Pip):
    """A package of Python 3."""

    names = ("pip3",)
