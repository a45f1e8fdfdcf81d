"""The type exec: commands that are run when their conditions hold (Puppet::Type::Exec)."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from analyzer.apply.host import Host, Output
from analyzer.apply.provider import (
    Note,
    PlannedChanges,
    PropertyChange,
    Provider,
    ProviderError,
    State,
    UnsuitableError,
)
from analyzer.apply.providers.machine.commands import TIMED_OUT
from analyzer.apply.providers.machine.paths import stat_followed
from analyzer.apply.providers.machine.shell import words
from analyzer.model.resource import Resource
from analyzer.model.values import flat

from .parameters import REDACTED, Parameters, inspected, shown

Command = str | list[str]
_NOT_RUN = "notrun"
_PROVIDERS = {"posix": "posix", "shell": "shell"}
_LOGGED = {"true": "true", "false": "false", "on_failure": "on_failure"}
_SECRET = ("command", "unless", "onlyif")
_SETTING = re.compile(r"(\w+)=(.*)\Z", re.DOTALL)
_SECONDS = 300.0
# What a shell says by its code when there is no such command.
_MISSING = 127


class ExecProvider(Provider):
    """Runs commands; its provider `posix` takes a shell where Ruby would, `shell` always."""

    refreshable = True

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return whether to run the command; its conditions are checked in noop too."""
        exec_ = _Exec(resource, host)
        notes: list[Note] = []
        due = exec_.is_due(notes)
        return {"returns": _NOT_RUN if due else exec_.codes, "_notes": notes}

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the plan to run the command, if it is due."""
        notes = tuple(state.get("_notes", ()))
        if state["returns"] != _NOT_RUN:
            return PlannedChanges(notes=notes)
        codes = _codes(Parameters(resource))
        change = PropertyChange(
            "returns", "executed_command", "executed successfully", _NOT_RUN, codes
        )
        return PlannedChanges((change,), notes)

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Run the command."""
        return _Exec(resource, host).sync()

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        """Run the command, or the one of `refresh`, if the conditions still hold."""
        exec_ = _Exec(resource, host)
        notes: list[Note] = []
        if not exec_.is_due(notes, refreshing=True):
            return notes
        other = exec_.parameters["refresh"]
        if other is None:
            return [*notes, *exec_.sync()]
        exec_.run(other)
        return notes


class _Exec:
    """An exec on a host.

    Raises:
        ProviderError: its parameters cannot be used.
        UnsuitableError: its provider is of another system.
    """

    def __init__(self, resource: Resource, host: Host) -> None:
        self.resource = resource
        self.host = host
        self.parameters = parameters = Parameters(resource, "command")
        self.provider = parameters.text("provider", "posix") or "posix"
        if self.provider not in _PROVIDERS:
            raise UnsuitableError(f"Provider {self.provider} is not functional on this host")
        self.secret = not parameters.secret.isdisjoint(_SECRET)
        self.path = [part for text in parameters.texts("path") for part in text.split(":")]
        self.codes = _codes(parameters)
        self.command: Command = _command(parameters["command"]) or resource.title
        self._validate()

    def is_due(self, notes: list[Note], *, refreshing: bool = False) -> bool:
        """Return whether all conditions hold, in Puppet's order."""
        if not refreshing and self.parameters.flag("refreshonly"):
            return False
        if any(stat_followed(self.host, path) for path in self.parameters.texts("creates")):
            return False
        return self._holds("unless", False, notes) and self._holds("onlyif", True, notes)

    def sync(self) -> list[Note]:
        """Run the command, as often as it may be tried.

        Raises:
            ProviderError: it ends with none of the codes that are good.
        """
        tries = int(self.parameters.number("tries", 1))
        if tries < 1:
            raise ProviderError("Tries must be an integer >= 1")
        pause = self.parameters.number("try_sleep", 0)
        for number in range(tries):
            output = self.run(self.command)
            good = str(output.code) in self.codes
            if good:
                break
            if pause > 0 and number + 1 < tries:
                time.sleep(pause)
        notes = self._logged(output, good)
        if good:
            return notes
        what = "[command redacted]" if self.secret else f"'{_spelled(self.command)}'"
        expected = ",".join(self.codes)
        raise ProviderError(f"{what} returned {output.code} instead of one of [{expected}]", notes)

    def run(self, command: Command) -> Output:
        """Run a command with the settings of the resource.

        Raises:
            ProviderError: there is no such command, or it takes too long.
        """
        parameters = self.parameters
        self._check_program(command)
        folder = parameters.text("cwd")
        if folder:
            found = stat_followed(self.host, folder)
            if not found or found.kind != "directory":
                raise ProviderError(f"Working directory {folder} does not exist!")
        user, group = parameters.text("user"), parameters.text("group")
        seconds = max(parameters.number("timeout", _SECONDS), 0.0)
        line = ["/bin/sh", "-c", command] if self.provider == "shell" else words(command)
        output = self.host.run(
            [shown(word) for word in line],
            environment=self._environment(),
            folder=folder,
            user=f"{user or ''}:{group}" if group else user,
            umask=self._umask(),
            seconds=seconds,
        )
        if output.code == _MISSING:
            raise ProviderError(output.text)
        return output

    def _holds(self, check: str, wanted: bool, notes: list[Note]) -> bool:
        return all(
            self._check(check, command, wanted, notes)
            for command in _commands(self.parameters[check])
        )

    def _check(self, check: str, command: Command, wanted: bool, notes: list[Note]) -> bool:
        try:
            output = self.run(command)
        except ProviderError as error:
            if str(error) != TIMED_OUT:
                raise
            what = REDACTED if self.secret else inspected(command)
            notes.append(Note("err", f"Check {what} exceeded timeout", check))
            return False
        return (output.code == 0) is wanted

    def _logged(self, output: Output, good: bool) -> list[Note]:
        logged = self.parameters.choice("logoutput", _LOGGED, "on_failure")
        if logged == "false" or (logged == "on_failure" and good):
            return []
        lines = ["[output redacted]"] if self.secret else output.text.rstrip("\n").split("\n")
        if not self.secret and not output.text.rstrip("\n"):
            return []
        return [Note(self.parameters.loglevel, line, "returns") for line in lines]

    def _validate(self) -> None:
        if self.provider == "shell":
            return
        others = (c for name in ("unless", "onlyif") for c in _commands(self.parameters[name]))
        for command in (self.command, *others):
            program = _program(command)
            if not program.startswith("/") and "path" not in self.parameters:
                raise ProviderError(
                    f"Validation of {self.resource} failed: '{program}' is not qualified and no "
                    "path was specified. Please qualify the command or specify a path."
                )

    def _check_program(self, command: Command) -> None:
        program = "/bin/sh" if self.provider == "shell" else _program(command)
        if not program.startswith("/"):
            if not self.host.which(program, self.path):
                raise ProviderError(f"Could not find command '{program}'")
            return
        found = stat_followed(self.host, program)
        if not found:
            raise ProviderError(f"Could not find command '{program}'")
        if found.kind != "file":
            raise ProviderError(f"'{program}' is a {found.kind}, not a file")
        if not found.mode & 0o111:
            raise ProviderError(f"'{program}' is not executable")

    def _environment(self) -> dict[str, str]:
        environment = {"PATH": ":".join(self.path)} if self.path else {}
        for setting in self.parameters.texts("environment"):
            match = _SETTING.match(setting)
            if match:
                environment[match[1]] = match[2]
        return environment

    def _umask(self) -> int | None:
        text = self.parameters.text("umask")
        if text is None:
            return None
        if not re.fullmatch(r"0?[0-7]{1,4}", text):
            raise ProviderError(f'The umask specification is invalid: "{text}"')
        return int(text, 8)


def _codes(parameters: Parameters) -> list[str]:
    return parameters.texts("returns") or ["0"]


def _command(value: object) -> Command | None:
    if value is None:
        return None
    return [shown(word) for word in flat([value])] if isinstance(value, list) else shown(value)


def _commands(value: object) -> list[Command]:
    """Return the commands of a check: one, or several, of which each may be a list of words."""
    if value is None:
        return []
    made = map(_command, value if isinstance(value, list) else [value])
    return [command for command in made if command is not None]


def _program(command: Command) -> str:
    if isinstance(command, list):
        return command[0] if command else ""
    quoted = re.match(r"\"([^\"]+)\"|'([^']+)'", command)
    return (quoted[1] or quoted[2]) if quoted else command.split(" ")[0]


def _spelled(command: Command) -> str:
    return inspected(command) if isinstance(command, list) else command
