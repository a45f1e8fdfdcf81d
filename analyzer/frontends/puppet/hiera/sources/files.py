"""Data files, read once until they change."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from analyzer.formats.json_reader import JsonError, parse
from analyzer.formats.yaml_reader import YamlError, load
from analyzer.formats.yaml_scalars import RubySymbol
from analyzer.frontends.puppet.hiera.errors import LookupFault, OutsideFault, RubyFault
from analyzer.frontends.puppet.hiera.sources import parts
from analyzer.model.values import DEFAULT, Unknown, Value
from analyzer.reach import Outside, check, is_lasting, kept, may_read, tail_in
from analyzer.reading import NOTES, note, noting, read_text

Warn = Callable[[str], None]
Reader = Callable[[str, str], Any]
# Inode, time and size of a file.
Stamp = tuple[int, int, int]


@dataclass(slots=True)
class ParsedFile:
    """The data of a file with its stamp, or the text in its place, and the notes about reading it.

    `parts` are the notes for lookups of single keys, None until these are wanted.
    """

    stamp: Stamp | str
    data: Any
    notes: Mapping[str, str]
    parts: Mapping[str, str] | None = None

    def parts_as(self, path: str, form: str) -> Mapping[str, str]:
        """Return the notes for lookups of single keys: those of the file if it has no keys."""
        if self.parts is None:
            table = parts.values_by_key(self.data) if [*self.notes] == [path] else None
            found = {parts.name_of([path], form): parts.state(self.notes.values(), table)}
            self.parts = self.notes if table is None else found
        return self.parts


# Data by path and reader.
Parsed = dict[tuple[str, Reader], ParsedFile]
# The files that have a key.
FilesByKey = dict[str, list[str]]


class ParsedFiles:
    """Parsed files by path and reader, valid while inode, time and size (or the text) are so.

    `known` are those that other lookups have parsed, to be shared.
    """

    def __init__(self, known: Parsed | None = None) -> None:
        self._known: Parsed = {} if known is None else known
        # The files that a path with variables may mean, None if there may be others, and the notes
        # about reading them: looked up once for these lookups.
        self.by_pattern: dict[tuple[str, Reader], tuple[FilesByKey | None, Mapping[str, str]]] = {}
        # Those that may not be read, each with the reason; and where levels have such.
        self.outside: dict[str, str] = {}
        self.unread: dict[str, set[str]] = {}
        # Folders that levels of the environment have and the checkout has not, by level.
        self.elsewhere: dict[str, str] = {}
        # Levels that nobody can read here, with the reason, that are assumed to have no value.
        self.assumed: dict[str, str] = {}
        self.assumes = False
        # The environment's name and its folder in the checkout, which stands for its place on a
        # server.
        self.deployed: tuple[str, str | None] = "", None
        # Texts that count instead of what is on disk, by file.
        self.overlay: Mapping[str, str] = {}

    def place(self, datadir: str) -> str:
        """Return where data are: those of the deployed environment are in its checkout."""
        name, folder = self.deployed
        if folder is None or not os.path.isabs(datadir) or may_read(datadir):
            return datadir
        _, found, inner = f"{datadir}/".partition(f"/environments/{name}/")
        here = os.path.normpath(os.path.join(os.path.abspath(folder), inner))
        if found and os.path.isdir(here) and may_read(here):
            return here
        # Another environment is not the one that is checked out.
        return datadir if "/environments/" in datadir else tail_in(os.path.abspath(folder), datadir)

    def read(self, path: str, reader: Reader) -> Any:
        """Return the data that the reader finds in the file.

        Raises:
            RubyFault: the file cannot be read; an OutsideFault where it may not be.
        """
        found = self._parsed(path, reader)
        note(found.notes)
        return found.data

    def by_key(self, path: str, reader: Reader) -> Any:
        """Return the data of a file like `read`; the caller notes the keys that it looks up.

        Raises:
            RubyFault: the file cannot be read; an OutsideFault where it may not be.
        """
        form = FORMS.get(reader)
        if form is None or NOTES.get() is None:
            return self.read(path, reader)
        found = self._parsed(path, reader)
        note(found.parts_as(path, form))
        return found.data

    def _parsed(self, path: str, reader: Reader) -> ParsedFile:
        text = self.overlay[path] if self.overlay and path in self.overlay else None
        notes: Mapping[str, str] = {}
        try:
            known = self._known.get((path, reader))
            stamp = self._stamp(path, known.stamp if known else None) if text is None else text
            if known is not None and known.stamp == stamp:
                return known
            with noting(apart=True) as notes:
                data = reader(_text(path) if text is None else text, path)
        except Outside as error:
            self.outside[path] = str(error.strerror)
            note(notes)
            raise OutsideFault(f"{path}: {error.strerror}") from None
        except OSError as error:
            note(notes)
            raise RubyFault(_system_message(error, path)) from None
        except BaseException:
            note(notes)
            raise
        found = self._known[path, reader] = ParsedFile(stamp, data, notes)
        return found

    def _stamp(self, path: str, known: Stamp | str | None) -> Stamp:
        """Return the state of a file: the known one, where nothing changes meanwhile."""
        if not kept(may_read, path):
            raise Outside(path)
        if is_lasting() and isinstance(known, tuple):
            return known
        stat = os.stat(check(path))
        return stat.st_ino, stat.st_mtime_ns, stat.st_size


def _text(path: str) -> str:
    return read_text(path, "surrogateescape", newline="")


def _system_message(error: OSError, path: str) -> str:
    if isinstance(error, IsADirectoryError):
        return f"Is a directory @ io_fread - {path}"
    return f"{error.strerror} @ rb_sysopen - {path}"


def names_to_strings(value: object) -> Any:
    """Return the value with the symbols among the keys of its hashes as strings."""
    if isinstance(value, dict):
        return {_name(key): names_to_strings(item) for key, item in value.items()}
    return [names_to_strings(item) for item in value] if isinstance(value, list) else value


def _name(key: object) -> Value:
    return key.name if isinstance(key, RubySymbol) else "default" if key is DEFAULT else key


def yaml_file(text: str, path: str) -> Value:
    """Return the data of a YAML file, of any type; the keys of a hash are no symbols.

    Raises:
        LookupFault: it is no YAML.
    """
    try:
        data = load(text, path)
        return names_to_strings(data) if isinstance(data, dict) else data
    except YamlError as error:
        raise LookupFault(f"Unable to parse {error}") from None


def json_file(text: str, path: str) -> Value:
    """Return the data of a JSON file.

    Raises:
        LookupFault: it is no JSON.
    """
    if not text.isascii() and any("\udc80" <= char <= "\udcff" for char in text):
        raise LookupFault(f"Unable to parse ({path}): source sequence is illegal/malformed utf-8")
    try:
        return parse(text)
    except JsonError as error:
        raise LookupFault(f"Unable to parse ({path}): {error}") from None


def hocon_file(text: str, path: str) -> Value:
    """Return the data of a HOCON file; what the server's files and variables give is Unknown.

    Raises:
        LookupFault: it is no HOCON.
    """
    from analyzer.formats import hocon_reader
    from analyzer.formats.hocon_reader import Included
    from analyzer.formats.hocon_tokens import HoconError

    try:
        return hocon_reader.parse(text, path)
    except Included:
        return Unknown(f"HOCON that includes another file, in {path}")
    except (HoconError, RecursionError) as error:
        raise LookupFault(f"Unable to parse ({path}): {error}") from None


# The forms whose values depend on one key alone.
FORMS: dict[Reader, str] = {yaml_file: parts.YAML, json_file: parts.JSON}
