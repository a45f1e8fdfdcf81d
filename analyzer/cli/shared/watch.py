"""Implements `--watch`: runs a command again after each change of a file that it read.

Python's audit events (PEP 578) report the files that were read. Files that a compile did not find
would appear in the folders of its environment and modules. Only times and sizes are checked, a few
times a second. With `--ruby`, all Ruby files in these folders count as read.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Collection, Iterator

from analyzer.cli.shared.output import print_error
from analyzer.reach import may_read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.frontends.puppet.node.environment import Environment

# Seconds between two checks.
PAUSE = 0.3

# Files of Python and catgraph themselves.
OWN_ENDINGS = (".py", ".pyc", ".pth", ".so", ".lark")

# Files that the bridge to Ruby reads: no audit event reports them.
RUBY_ENDINGS = (".erb", ".rb")

# Events about folders; the first argument is the folder.
LISTINGS = ("os.listdir", "os.scandir")

# The exit code if no run was finished.
INTERRUPTED = 130

# Time of the last change, size and inode; None: the file does not exist.
Stamp = tuple[int, int, int] | None

# Time of the last change and names.
Folder = tuple[int, frozenset[str]]


def watch(command: str, run: Callable[[], int], options: Options) -> int:
    """Run a command again and again until Ctrl-C; return the exit code of the last run."""
    if "-" in options.inputs:
        from analyzer.cli.shared.output import usage_error

        return usage_error(command, "--watch cannot watch standard input")
    gc.enable()
    reads = WatchedReads([getattr(options, name, None) for name in ("output", "store")])
    code = INTERRUPTED
    cause = " ".join(options.inputs)
    try:
        while True:
            print_error(f"-- {time.strftime('%H:%M:%S')} {command}: {cause}")
            reads.begin(folders_of(options), RUBY_ENDINGS if asks_ruby(options) else ())
            code = finished(run)
            sys.stdout.flush()
            reads.end()
            while (changed := reads.changed()) is None:
                time.sleep(PAUSE)
            cause = f"{relative_path(changed)} changed"
    except KeyboardInterrupt:
        return code


def finished(run: Callable[[], int]) -> int:
    """Run a command once; print errors, which do not end the watch."""
    from analyzer.cli.shared.output import report_error

    try:
        return run()
    except BrokenPipeError:
        raise
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 2
    except Exception as error:
        return report_error(error)


def folders_of(options: Options) -> Iterator[str]:
    """Yield the folders where files that a compile searches may appear."""
    from analyzer.diagnostics import InputError
    from analyzer.session.inputs import is_manifest

    for path in filter(is_manifest, options.inputs):
        if os.path.isdir(path):
            yield path
            yield os.path.join(path, "environments")
        try:
            environment = environment_of(path, options)
        except (InputError, OSError):
            continue
        if environment is None:
            continue
        entered: set[str] = set()
        for root in filter(None, (environment.folder, *environment.modulepath)):
            yield from folders_below(root, entered, environment.roots)


def folders_below(
    root: str, entered: set[str], roots: Collection[str] | None = None
) -> Iterator[str]:
    """Yield a folder and those below it that may be read, each once: links may lead back."""
    for folder, below, _ in os.walk(root, followlinks=True):
        real = os.path.realpath(folder)
        if real in entered or not may_read(real, roots):
            below.clear()
            continue
        entered.add(real)
        below[:] = [name for name in below if is_of_interest(name)]
        yield folder


def environment_of(path: str, options: Options) -> Environment | None:
    """Return the environment of an input, None if it is not compiled from one.

    Raises:
        InputError: the environment does not exist.
    """
    from analyzer.cli.shared.inputs import settings_for
    from analyzer.frontends.puppet.node.environment import find_environment
    from analyzer.session.inputs import kind_of
    from analyzer.session.settings import config_for

    settings = settings_for(kind_of(path), options, config_for(path, options.config))
    return None if settings is None else find_environment(path, settings)


def asks_ruby(options: Options) -> bool:
    """Return whether a compile of one of the inputs uses Ruby."""
    from analyzer.cli.shared.inputs import settings_for
    from analyzer.diagnostics import InputError
    from analyzer.session.inputs import kind_of
    from analyzer.session.settings import config_for

    try:
        found = [
            settings_for(kind_of(p), options, config_for(p, options.config)) for p in options.inputs
        ]
    except InputError:
        return False
    return any(settings is not None and settings.ruby for settings in found)


def relative_path(path: str) -> str:
    """Return a path below the current folder as a relative path, others unchanged."""
    from_here = os.path.relpath(path)
    return path if from_here.startswith("..") else from_here


def is_of_interest(name: str) -> bool:
    """Return whether a name in a folder matters; editors and git create others."""
    return name[0] not in ".#" and name[-1] != "~" and name != "4913"


class WatchedReads:
    """The files and folders that a run read, with their states; `own` are files that it writes."""

    def __init__(self, own: list[str | None]) -> None:
        from analyzer.frontends.puppet.syntax.cache import user_cache

        self.own = {os.path.abspath(path) for path in own if path}
        self.cache = user_cache().folder or "\0"
        self.files: dict[str, Stamp] = {}
        self.folders: dict[str, Folder] = {}
        self.noting = self.listing = False
        sys.addaudithook(self.note)

    def begin(self, folders: Iterator[str], endings: tuple[str, ...]) -> None:
        """Forget the last run, and record the files read from now on.

        The folders are watched, too, with their files that have one of the extensions.
        """
        self.files = {}
        self.noting = True
        known = self.folders
        self.folders = {folder: self.look(folder, known.get(folder)) for folder in folders}
        for folder, (_, names) in self.folders.items() if endings else ():
            paths = (os.path.join(folder, name) for name in names if name.endswith(endings))
            self.files.update((path, stamp(path)) for path in paths)
        self.listing = True

    def end(self) -> None:
        """Record the end of the run."""
        self.noting = self.listing = False

    def note(self, event: str, arguments: tuple[object, ...]) -> None:
        """Record an audit event."""
        if not self.noting or not arguments or not isinstance(arguments[0], str):
            return
        path = arguments[0]
        if event == "open":
            mode = arguments[1] or "r"
            reading = isinstance(mode, str) and not set(mode) & set("wax+")
            if reading and path not in self.files and not self.is_own(path):
                self.files[path] = stamp(path)
        elif event in LISTINGS and self.listing and path not in self.folders:
            # This reads the folder before the run does, which is an audit event, too.
            self.listing = False
            self.folders[path] = self.look(path, None)
            self.listing = True

    def is_own(self, path: str) -> bool:
        """Return whether a file is part of Python or catgraph, or stored by it."""
        return path.endswith(OWN_ENDINGS) or path.startswith(self.cache)

    def changed(self) -> str | None:
        """Return the first changed file or folder, None if all are unchanged."""
        for path, before in self.files.items():
            if stamp(path) != before:
                return path
        for folder, known in self.folders.items():
            now = self.look(folder, known)
            if now[1] != known[1]:
                return os.path.join(folder, min(now[1] ^ known[1]))
            self.folders[folder] = now
        return None

    def look(self, folder: str, known: Folder | None) -> Folder:
        """Return a folder's time and names; known names are valid while the time is the same."""
        try:
            changed = os.stat(folder).st_mtime_ns
            if known is not None and known[0] == changed:
                return known
            names = filter(is_of_interest, os.listdir(folder))
        except OSError:
            return 0, frozenset()
        place = os.path.abspath(folder)
        return changed, frozenset(n for n in names if os.path.join(place, n) not in self.own)


def stamp(path: str) -> Stamp:
    """Return the current state of a file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
