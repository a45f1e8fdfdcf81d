"""The lines of an INI file: sections, settings, and those commented out (module inifile)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class IniSection:
    """A section: its lines by number, None for a new one, and its settings."""

    name: str
    start: int | None = None
    end: int | None = None
    settings: dict[str, str] = field(default_factory=dict)
    added: dict[str, str] = field(default_factory=dict)
    indentation: int | None = None

    @property
    def is_new(self) -> bool:
        """Return whether none of its lines are in the file."""
        return self.end is None

    @property
    def is_empty(self) -> bool:
        """Return whether it has only its header."""
        return self.is_new if not self.name else self.start == self.end

    def move(self, by: int) -> None:
        """Move its lines."""
        if self.start is not None:
            self.start += by
        if self.end is not None:
            self.end += by


@dataclass(frozen=True, slots=True)
class IniStyle:
    """The format of a file."""

    separator: str = " = "
    prefix: str = "["
    suffix: str = "]"
    indent_char: str = " "
    indent_width: int | None = None


class IniFile:
    """An INI file that is changed with as little as possible of it touched."""

    def __init__(self, text: str, style: IniStyle) -> None:
        self.lines: list[str] = re.findall(r"[^\n]*\n|[^\n]+", text)
        self.style = style
        separator = style.separator
        bare = " " if separator and not separator.strip() else separator.strip()
        prefix, suffix = re.escape(style.prefix), re.escape(style.suffix)
        self._head = re.compile(rf"\s*{prefix}(.*){suffix}\s*$")
        end, between = rf"[^\s{bare}]", rf"(\s*{bare}[ \t]*)(.*)\s*$"
        self._setting = re.compile(rf"(\s*)([^#;\s]|[^#;\s].*?{end}){between}")
        self._comment = re.compile(rf"(\s*)[#;]+(\s*)(.*?{end}){between}")
        self.sections: dict[str, IniSection] = {}
        self._parse()

    def value(self, section: str, setting: str) -> str | None:
        """Return the value of a setting."""
        found = self.sections.get(section)
        return (found.settings.get(setting) or found.added.get(setting)) if found else None

    def set(self, name: str, setting: str | None = None, value: str | None = None) -> None:
        """Give a setting a value; without one the section is made."""
        section = self.sections.setdefault(name, IniSection(name))
        if setting is None:
            return
        value = "" if value is None else value
        if setting in section.settings:
            self._update(section, setting, value)
            section.settings[setting] = value
            return
        commented = self._commented(section, setting)
        if commented is None:
            section.added[setting] = value
            return
        line = f"{self._indent(section)}{setting}{self.style.separator}{value}\n"
        self.lines.insert(commented + 1, line)
        section.settings[setting] = value
        if section.end is not None:
            section.end += 1
        self._move_after(name, 1)

    def remove(self, name: str, setting: str | None) -> None:
        """Remove a setting, and its section once that is empty."""
        section = self.sections[name]
        if setting is None or setting not in section.settings:
            return
        for number in self._numbers(section):
            match = self._setting.match(self.lines[number])
            if match and match[2] == setting:
                del self.lines[number]
                break
        del section.settings[setting]
        if section.end is not None:
            section.end -= 1
        self._move_after(name, -1)
        if section.is_empty and section.start is not None:
            if section.name or self.lines[section.start : section.start + 1]:
                del self.lines[section.start]
            self._move_after(name, -1)
            del self.sections[name]

    def text(self) -> str:
        """Return the text of the file."""
        made: list[str] = []
        first = self.sections.get("")
        global_empty = not first or (first.is_empty and not first.added)
        names = list(self.sections)
        for index, section in enumerate(self.sections.values()):
            if section.is_new and section.name:
                if (index == 1 and not global_empty) or index > 1:
                    made.append("\n")
                made.append(f"{self.style.prefix}{section.name}{self.style.suffix}\n")
            blank = self._write_lines(section, made)
            for setting, value in section.added.items():
                indent = self._indent(section)
                made.append(f"{indent}{setting}{self.style.separator}{value}\n")
            if blank:
                made += blank
            elif section.is_new and section.added and index < len(names) - 1:
                made.append("\n")
        return "".join(made)

    def _write_lines(self, section: IniSection, made: list[str]) -> list[str]:
        """Write the section's own lines; return the blank ones at its end."""
        blank: list[str] = []
        for number in self._numbers(section):
            line = self.lines[number]
            ended = line if line.endswith("\n") else f"{line}\n"
            if not line.strip():
                blank.append(ended)
            else:
                made += [*blank, ended]
                blank = []
        return blank

    def _parse(self) -> None:
        section = IniSection("", 0, settings={})
        self.sections[""] = section
        for number, line in enumerate(self.lines):
            head = self._head.match(line)
            if head:
                section = self.sections[head[1]] = IniSection(head[1], number, number)
                continue
            section.end = number
            match = self._setting.match(line)
            if match:
                section.settings[match[2]] = match[4]
                indent = len(match[1])
                section.indentation = min(
                    indent, indent if section.indentation is None else section.indentation
                )

    def _numbers(self, section: IniSection) -> Sequence[int]:
        if section.start is None or section.end is None:
            return ()
        return range(section.start, section.end + 1)

    def _update(self, section: IniSection, setting: str, value: str) -> None:
        for number in self._numbers(section):
            match = self._setting.match(self.lines[number])
            if match and match[2] == setting:
                self.lines[number] = f"{match[1]}{match[2]}{match[3]}{value}\n"

    def _commented(self, section: IniSection, setting: str) -> int | None:
        for number in self._numbers(section):
            match = self._comment.match(self.lines[number])
            if match and match[3] == setting:
                return number
        return None

    def _indent(self, section: IniSection) -> str:
        width = self.style.indent_width
        return self.style.indent_char * (section.indentation or 0 if width is None else width)

    def _move_after(self, name: str, by: int) -> None:
        names = list(self.sections)
        for other in names[names.index(name) + 1 :]:
            self.sections[other].move(by)
