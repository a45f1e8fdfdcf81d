"""The installed Puppet or OpenVox: finds it, and asks it to compile nodes.

The tool runs `ruby/catgraph_verify.rb` as one of its applications, so that it has its own Ruby and
libraries. All its folders are in a temporary one: it reads no configuration of the machine.
"""

from __future__ import annotations

import os
from json import dumps, loads
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.bridge.process import Clock, HelperError, Process
from analyzer.model.documents import JsonObject
from analyzer.model.releases import OPENVOX, PUPPET, Release, title_of
from analyzer.source import Span

NAME = "puppet"
# Where Puppet's and OpenVox's own packages have their commands.
PACKAGED = "/opt/puppetlabs/bin"

# Where Debian packages modules, those of the types that puppet-agent brings among them.
DEBIAN_MODULES = "/usr/share/puppet/modules"

APPLICATION = "catgraph_verify"
RUBY = Path(__file__).parent / "ruby"
# The files of the application below the tool's folder of libraries, by their own names.
FILES = {
    f"{APPLICATION}.rb": f"puppet/application/{APPLICATION}.rb",
    "graph.rb": "graph.rb",
    "nodes.rb": "nodes.rb",
}
FOLDERS = ("conf", "code", "var", "log", "run", "public")

# Seconds for the start, and for each node.
START_SECONDS, NODE_SECONDS = 60.0, 60.0

# The modules of a site, and none: both are asked in turn for the smallest case.
MOST_PROCESSES = 2

HOW_TO_INSTALL = (
    "there is no Puppet or OpenVox here to compare with: install puppet-agent or openvox-agent "
    "(Debian has puppet-agent), so that 'puppet' is on PATH or in " + PACKAGED
)


def find_tool() -> str:
    """Return the path of the tool's command.

    Raises:
        InputError: none is installed.
    """
    folders = [one for one in os.environ.get("PATH", "").split(os.pathsep) if one]
    for folder in (*folders, PACKAGED):
        place = os.path.join(folder, NAME)
        if os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    raise InputError(HOW_TO_INSTALL, Span("verify"), "no-puppet")


class Tool:
    """A running tool, which compiles one node after the other; it is started anew if it must be.

    Raises:
        InputError: it is not the wanted product, or cannot be started.
    """

    def __init__(self, command: str, product: str = "", seconds: float = NODE_SECONDS) -> None:
        self.command = command
        self.seconds = seconds
        self._folder = TemporaryDirectory(prefix="catgraph-verify-")
        self.folder = self._folder.name
        # By modulepath: the types and functions of modules stay loaded.
        self._processes: dict[tuple[str, ...], Process] = {}
        try:
            self.install()
            hello = self.start(())
            self.version = hello["version"]
            self.release = release_named(str(hello.get("product", PUPPET)), self.version)
            self.title = title_of(self.release)
            if product and (self.release.product or PUPPET) != product:
                message = f"this is {self.title}, not {product}; put the wanted one first on PATH"
                raise InputError(message, Span(command), "no-puppet")
        except BaseException:
            self.close()
            raise

    def install(self) -> None:
        """Write the application to where the tool finds its own."""
        for name in FOLDERS:
            os.mkdir(os.path.join(self.folder, name))
        for name, place in FILES.items():
            file = Path(self.folder, "var", "lib", place)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes((RUBY / name).read_bytes())
        os.mkdir(self.core_modules)
        for module in Path(DEBIAN_MODULES).glob("*_core"):
            os.symlink(module, os.path.join(self.core_modules, module.name))

    @property
    def core_modules(self) -> str:
        """Return the folder of the types that puppet-agent brings, and Debian packages apart."""
        return os.path.join(self.folder, "code", "modules")

    def start(self, modulepath: tuple[str, ...]) -> JsonObject:
        """Start a process for a modulepath; return its greeting.

        Raises:
            InputError: it cannot be started.
        """
        while len(self._processes) >= MOST_PROCESSES:
            self.stop(next(iter(self._processes)))
        places = [f"--{name}dir={os.path.join(self.folder, name)}" for name in FOLDERS]
        # Debian's default names all modules that it packages.
        places.append(f"--basemodulepath={self.core_modules}")
        try:
            process = self._processes[modulepath] = Process([self.command, APPLICATION, *places])
            hello: JsonObject = loads(process.receive(Clock(START_SECONDS)))
            hello["version"] = str(hello["hello"])
        except (HelperError, ValueError, TypeError, KeyError) as error:
            self.stop(modulepath)
            reason = str(error) if isinstance(error, HelperError) else "its greeting is odd"
            message = f"cannot be used to compile: {reason}"
            raise InputError(message, Span(self.command), "no-puppet") from None
        return hello

    def ask(self, question: JsonObject) -> JsonObject:
        """Return the answer to a question, as `ruby/nodes.rb` describes both.

        One that takes too long, or ends the tool, has an error and the stage `timeout` or `crash`.

        Raises:
            InputError: it cannot be started again.
        """
        modulepath = (*question["modulepath"], self.core_modules)
        question = {**question, "modulepath": modulepath}
        if modulepath not in self._processes:
            self.start(modulepath)
        process, clock = self._processes[modulepath], Clock(self.seconds)
        try:
            process.send(dumps(question).encode(), clock)
            answer: JsonObject = loads(process.receive(clock))
        except (HelperError, ValueError) as error:
            self.stop(modulepath)
            return {"stage": "timeout" if clock.left <= 0 else "crash", "error": str(error)}
        except BaseException:
            self.stop(modulepath)
            raise
        return answer

    def stop(self, modulepath: tuple[str, ...]) -> None:
        """End the process for a modulepath."""
        process = self._processes.pop(modulepath, None)
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the process, and remove its folder."""
        for modulepath in list(self._processes):
            self.stop(modulepath)
        self._folder.cleanup()

    def __enter__(self) -> Tool:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self.close()


def release_named(product: str, version: str) -> Release:
    """Return the release of a tool that names itself and its version, such as `9.0.0-beta2`.

    Raises:
        InputError: it is unknown.
    """
    number = ".".join(version.split("-", maxsplit=1)[0].split(".")[:3])
    try:
        return Release.parse(f"{OPENVOX}-{number}" if product == OPENVOX else number)
    except ValueError:
        message = f"{product} {version} is not known; choose another with PATH"
        raise InputError(message, Span("verify"), "no-puppet") from None
