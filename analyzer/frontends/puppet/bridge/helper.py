"""The helper of a run: one process, started when first needed, and anew when it had to be ended."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from json import dumps, loads

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.bridge.process import Clock, HelperError, Process
from analyzer.model.documents import JsonObject
from analyzer.reading import ONE_COMMAND
from analyzer.source import Span

SCRIPT = os.path.join(os.path.dirname(__file__), "ruby", "helper.rb")
# Where Puppet's own packages have their Ruby.
PACKAGED = "/opt/puppetlabs/puppet/bin/ruby"
AUTO = "auto"

# Seconds that one call may take, and the start.
CALL_SECONDS = 10.0
START_SECONDS = 60.0
# How often the helper may have to be ended, so that a run comes to its end.
MOST_ENDED = 5

Message = JsonObject


def find_rubies(wanted: str) -> list[str]:
    """Return the Rubies to try: the one that is named, or for `auto` those of this machine.

    Raises:
        InputError: there is none.
    """
    if wanted != AUTO:
        if not (os.path.isfile(wanted) and os.access(wanted, os.X_OK)):
            raise InputError("there is no such program (--ruby)", Span(wanted), "no-ruby")
        return [wanted]
    folders = os.environ.get("PATH", "").split(os.pathsep)
    places = [PACKAGED, *(os.path.join(folder, "ruby") for folder in folders if folder)]
    found = [place for place in places if os.access(place, os.X_OK) and os.path.isfile(place)]
    if not found:
        raise InputError("there is no Ruby on this machine", Span("--ruby auto"), "no-ruby")
    return list(dict.fromkeys(map(os.path.realpath, found)))


# The helpers of this process that serve several runs, by the process and the Ruby.
_SHARED: dict[tuple[int, str], Helper] = {}


@contextmanager
def helper_of(wanted: str) -> Iterator[Helper]:
    """Give a run the helper for a Ruby, or for `auto`.

    It ends with the run, unless this process has one command whose runs share it. A copy of this
    process has helpers of its own.

    Raises:
        InputError: there is no such Ruby.
    """
    if not ONE_COMMAND.get():
        with Helper.of(wanted) as helper:
            yield helper
        return
    key = os.getpid(), wanted
    helper = _SHARED.get(key) or Helper.of(wanted)
    _SHARED[key] = helper
    helper.is_between_runs = True
    yield helper


class Helper:
    """Speaks to the process; `commands` are tried in turn until one says hello.

    `started` counts the processes: each begins with no state.
    """

    def __init__(
        self, commands: Sequence[Sequence[str]], name: str = AUTO, seconds: float = CALL_SECONDS
    ) -> None:
        self.commands = commands
        self.name = name
        self.seconds = seconds
        self.started = 0
        self.ended: list[str] = []
        # The types whose automatic relationships are known without Ruby.
        self.tabled: frozenset[str] = frozenset()
        # The compile that the process has begun last.
        self.begun_for: object = None
        # The modules that the process has loaded code from, and whether the next compile is of
        # another run.
        self.modulepath: list[str] = []
        self.is_between_runs = False
        self._process: Process | None = None

    @classmethod
    def of(cls, wanted: str) -> Helper:
        """Return the helper for a Ruby, or for `auto`; nothing is started yet.

        Raises:
            InputError: there is no such Ruby.
        """
        return cls([(ruby, SCRIPT) for ruby in find_rubies(wanted)], wanted)

    def start(self, modulepath: list[str]) -> int:
        """Start the process if there is none; return which one it is.

        One that has loaded types of other modules in an earlier run is ended.

        Raises:
            InputError: no Ruby has Puppet.
            HelperError: it had to be ended too often.
        """
        if self.is_between_runs and self.modulepath != modulepath:
            self.close()
        self.is_between_runs, self.modulepath = False, modulepath
        if self._process is None:
            if len(self.ended) >= MOST_ENDED:
                raise HelperError(f"the helper was ended {MOST_ENDED} times: {self.ended[-1]}")
            self._process = self._open()
            self.started += 1
        return self.started

    def _open(self) -> Process:
        failures = []
        for command in self.commands:
            process = None
            try:
                process = Process(command)
                if "hello" in loads(process.receive(Clock(START_SECONDS))):
                    return process
                failures.append(f"{command[0]} has no Puppet")
            except (HelperError, ValueError) as error:
                failures.append(f"{command[0]}: {error}")
            except BaseException:
                if process is not None:
                    process.kill()
                raise
            if process is not None:
                process.kill()
        message = f"no Ruby with Puppet: {', '.join(failures)}; Debian has it as puppet-agent"
        raise InputError(message, Span(f"--ruby {self.name}"), "no-ruby")

    def exchange(self, message: Message, answer: Callable[[Message], Message]) -> Message:
        """Send a message, answer what is asked meanwhile, and return what comes of it.

        Raises:
            HelperError: the helper does not answer in time, or as it should; it is ended.
        """
        process = self._process
        assert process is not None
        clock = Clock(self.seconds)
        try:
            process.send(dumps(message).encode(), clock)
            while True:
                reply = loads(process.receive(clock))
                if "ask" not in reply:
                    return dict(reply)
                back = dumps(answer(reply)).encode()
                if self._process is not process:
                    raise HelperError(self.ended[-1])
                process.send(back, clock)
        except (HelperError, ValueError, TypeError, LookupError) as error:
            reason = str(error) if isinstance(error, HelperError) else "it makes no sense"
            if self._process is process:
                self.ended.append(reason)
                self.close()
            raise HelperError(reason) from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def __enter__(self) -> Helper:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self.close()
