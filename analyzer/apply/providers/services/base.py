"""Services by their own commands, by the table of processes, and by scripts of init."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from analyzer.apply.host import Host, Output
from analyzer.apply.provider import Note, ProviderError
from analyzer.apply.providers.machine.paths import stat_followed
from analyzer.apply.providers.machine.programs import attempt, execute
from analyzer.apply.providers.parameters import Parameters
from analyzer.frontends.puppet.regex.translate import compiled

_SCRIPTS = "/etc/init.d"


class BaseService:
    """A service that says itself how it is started (provider base).

    `can_enable` says that the manager knows what is started at boot.
    """

    can_enable = False

    def __init__(self, parameters: Parameters, host: Host) -> None:
        self.parameters = parameters
        self.host = host
        self.name = parameters.name

    @classmethod
    def is_suitable(cls, host: Host) -> bool:
        """Return whether the host has this manager."""
        return host.which("kill") is not None

    def commands(self, action: str) -> list[str] | str | None:
        """Return the manager's command for start, stop, restart or status; None for none."""
        if action != "start":
            return None
        binary = self.parameters.text("binary")
        if not binary:
            raise ProviderError("Services must specify a start command or a binary")
        return binary

    def command(self, action: str) -> list[str] | str | None:
        """Return the command of an action: the resource's own, else the manager's."""
        return self.parameters.text(action) or self.commands(action)

    def status(self) -> str:
        """Return `running` or `stopped`."""
        command = self.command("status")
        if command:
            running = attempt(self.host, command, locale=True).code == 0
        else:
            running = self.process() is not None
        return "running" if running else "stopped"

    def start(self) -> Sequence[Note]:
        """Start it."""
        self.act("start")
        return ()

    def stop(self) -> Sequence[Note]:
        """Stop it; without a command its process is ended."""
        if self.command("stop"):
            self.act("stop")
            return ()
        number = self.process()
        if number is None:
            return (Note("info", f"{self.name} is not running"),)
        try:
            execute(self.host, ["kill", number])
        except ProviderError:
            raise ProviderError(f"Could not kill {self.name}, PID {number}: ") from None
        return ()

    def restart(self) -> Sequence[Note]:
        """Restart it; without a command it is stopped and started."""
        if self.command("restart"):
            self.act("restart")
            return ()
        return [*self.stop(), *self.start()]

    def act(self, action: str) -> Output:
        """Run the command of an action.

        Raises:
            ProviderError: it fails.
        """
        command = self.command(action) or []
        try:
            return execute(self.host, command, locale=True)
        except ProviderError as error:
            raise ProviderError(f"Could not {action} {self.parameters.resource}: {error}") from None

    def enabled(self, wanted: str) -> str:
        """Return whether it is started at boot: `true`, `false`, `mask`."""
        raise NotImplementedError

    def is_fixed(self, wanted: str) -> bool:
        """Return whether that cannot be changed."""
        return False

    def set_enabled(self, wanted: str) -> None:
        """Have it started at boot or not."""
        raise NotImplementedError

    def process(self) -> str | None:
        """Return the number of the process that the pattern finds."""
        text = self.parameters.text("pattern") or self.parameters.text("binary") or self.name
        pattern = compiled(text)
        table = attempt(self.host, ["ps", "-ef"]).text
        return next((line.split()[1] for line in table.splitlines() if pattern.search(line)), None)


class Init(BaseService):
    """A service with a script of its own (provider init)."""

    @classmethod
    def is_suitable(cls, host: Host) -> bool:
        """Return whether there are such scripts."""
        return stat_followed(host, _SCRIPTS) is not None

    def commands(self, action: str) -> list[str] | None:
        """Return the call of the script."""
        if action == "status" and not self.parameters.flag("hasstatus", True):
            return None
        if action == "restart" and not self.parameters.flag("hasrestart"):
            return None
        return [self.script(), action]

    def script(self) -> str:
        """Return where the script is."""
        folders = [part for text in self.parameters.texts("path") for part in text.split(":")]
        for ending in ("", ".sh"):
            for folder in folders or [_SCRIPTS]:
                path = posixpath.join(folder, self.name + ending)
                if stat_followed(self.host, path):
                    return path
        raise ProviderError(f"Could not find init script for '{self.name}'")


class Debian(Init):
    """A script that Debian's tools enable and disable (provider debian)."""

    can_enable = True

    @classmethod
    def is_suitable(cls, host: Host) -> bool:
        """Return whether Debian's tools are there."""
        programs = ("update-rc.d", "invoke-rc.d", "service")
        return all(host.which(f"/usr/sbin/{program}") for program in programs)

    def commands(self, action: str) -> list[str] | None:
        """Return the call of the script, for the status through `service`."""
        command = super().commands(action) if action != "status" else []
        if action == "status" and self.parameters.flag("hasstatus", True):
            return ["/usr/sbin/service", self.name, "status"]
        return command or None

    def enabled(self, wanted: str) -> str:
        """Return whether invoke-rc.d would start it."""
        return enabled_by_links(self.host, self.name)

    def set_enabled(self, wanted: str) -> None:
        """Have update-rc.d make or disable the links."""
        if wanted == "true":
            execute(self.host, ["/usr/sbin/update-rc.d", "-f", self.name, "remove"])
            execute(self.host, ["/usr/sbin/update-rc.d", self.name, "defaults"])
        else:
            execute(self.host, ["/usr/sbin/update-rc.d", self.name, "disable"])


def enabled_by_links(host: Host, name: str) -> str:
    """Return whether Debian's links start a service at boot."""
    query = ["/usr/sbin/invoke-rc.d", "--quiet", "--query", name, "start"]
    code = attempt(host, query).code
    if code in {104, 106}:
        return "true"
    if code not in {101, 105}:
        return "false"
    links = 0
    for folder in host.names("/etc"):
        if folder.startswith("rc") and folder.endswith(".d"):
            entries = host.names(f"/etc/{folder}")
            links += sum(one.startswith("S") and one[3:] == name for one in entries)
    return "true" if links >= 4 else "false"
