"""Writes YAML as libyaml does: the places of line breaks, indentation and escapes."""

from __future__ import annotations

from analyzer.frontends.puppet.functions.stdlib.yaml_scalars import BREAKS, is_printable

WIDTH = 80
NAMED = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r",
    "\x1b": "e", '"': '"', "\\": "\\", "\x85": "N", "\xa0": "_", "\u2028": "L", "\u2029": "P",
}  # fmt: skip


class Writer:
    """The text so far, and what libyaml remembers of where it is."""

    def __init__(self, width: int, step: int) -> None:
        self.parts: list[str] = []
        self.width = width
        self.step = step
        self.column = 0
        self.after_space = True  # libyaml: whitespace
        self.in_indent = True  # libyaml: indention
        self.indent = -1
        self.indents: list[int] = []
        self.open_ended = False

    def put(self, text: str) -> None:
        """Write text without a line break."""
        self.parts.append(text)
        self.column += len(text)

    def line_break(self, char: str = "\n") -> None:
        """Write a line break; one that is no `\\n` begins no line of its own."""
        self.parts.append(char)
        self.column = 0

    def increase(self, *, flow: bool = False, indentless: bool = False) -> None:
        """Go one level deeper."""
        self.indents.append(self.indent)
        if self.indent < 0:
            self.indent = self.step if flow else 0
        elif not indentless:
            self.indent += self.step

    def decrease(self) -> None:
        """Go back one level."""
        self.indent = self.indents.pop()

    def new_line(self) -> None:
        """Go to where the level begins, on a new line if need be."""
        indent = max(self.indent, 0)
        behind = self.column > indent or (self.column == indent and not self.after_space)
        if not self.in_indent or behind:
            self.line_break()
        if self.column < indent:
            self.put(" " * (indent - self.column))
        self.after_space = self.in_indent = True

    def indicator(
        self, text: str, *, spaced: bool = False, is_space: bool = False, indents: bool = False
    ) -> None:
        """Write a sign of YAML; `spaced`: with a space before it."""
        self.put(f" {text}" if spaced and not self.after_space else text)
        self.after_space = is_space
        self.in_indent = self.in_indent and indents
        self.open_ended = False

    def scalar(self, text: str, style: str, *, as_key: bool) -> None:
        """Write a text in a style."""
        self.increase(flow=True)
        if style == "plain":
            self.plain(text, not as_key)
        elif style == "'":
            self.single(text, not as_key)
        elif style == '"':
            self.double(text, not as_key)
        else:
            self.block(text, style)
        self.decrease()

    def plain(self, text: str, breaks: bool) -> None:
        """Write a text without quotes; a long one goes on in the next line."""
        if not self.after_space and text:
            self.put(" ")
        for index, char in enumerate(text):
            if char == " " and breaks and self.may_fold(text, index):
                self.new_line()
            else:
                self.put(char)
                self.in_indent = self.in_indent and char == " "
        self.after_space = self.in_indent = False

    def may_fold(self, text: str, index: int) -> bool:
        """Say whether a line ends at a space: the line is full, no other space is beside."""
        alone = text[index - 1 : index] != " " and text[index + 1 : index + 2] != " "
        return alone and self.column > self.width

    def single(self, text: str, breaks: bool) -> None:
        """Write a text in single quotes."""
        self.indicator("'", spaced=True)
        broken = False
        last = len(text) - 1
        for index, char in enumerate(text):
            if char in BREAKS:
                if not broken and char == "\n":
                    self.line_break()
                self.line_break(char)
                broken = self.in_indent = True
                continue
            if char == " " and breaks and 0 < index < last and self.may_fold(text, index):
                self.new_line()
                continue
            if broken and char != " ":
                self.new_line()
            self.put("''" if char == "'" else char)
            if char != " ":
                broken = self.in_indent = False
        if broken:
            self.new_line()
        self.indicator("'")
        self.after_space = self.in_indent = False

    def double(self, text: str, breaks: bool) -> None:
        """Write a text in double quotes."""
        self.indicator('"', spaced=True)
        last = len(text) - 1
        spaces = False
        for index, char in enumerate(text):
            if char != " ":
                self.put(char if is_bare(char) else escaped(char))
                spaces = False
                continue
            if breaks and not spaces and self.column > self.width and 0 < index < last:
                self.new_line()
                if text[index + 1] == " ":
                    self.put("\\")
            else:
                self.put(char)
            spaces = True
        self.indicator('"')
        self.after_space = self.in_indent = False

    def hints(self, text: str) -> None:
        """Write whether the text begins with space, and how many line breaks end it."""
        if text[0] == " " or text[0] in BREAKS:
            self.indicator(str(self.step))
        if text[-1] not in BREAKS:
            self.indicator("-")
        elif len(text) == 1 or text[-2] in BREAKS:
            self.indicator("+")
            self.open_ended = True

    def block(self, text: str, style: str) -> None:
        """Write a text in lines of its own, as they are (`|`) or folded (`>`)."""
        self.indicator(style, spaced=True)
        self.hints(text)
        open_ended = self.open_ended
        self.line_break()
        self.in_indent = self.after_space = True
        if style == "|":
            self.literal(text)
        else:
            self.folded(text)
        self.open_ended = open_ended

    def literal(self, text: str) -> None:
        """Write the lines of a literal block."""
        broken = True
        for char in text:
            if char in BREAKS:
                self.line_break(char)
                self.in_indent = broken = True
                continue
            if broken:
                self.new_line()
            self.put(char)
            self.in_indent = broken = False

    def folded(self, text: str) -> None:
        """Write the lines of a folded block."""
        broken = leading = True
        for index, char in enumerate(text):
            if char in BREAKS:
                if not broken and not leading and char == "\n":
                    rest = text[index:].lstrip(BREAKS)
                    if rest and rest[0] not in " \t":
                        self.line_break()
                self.line_break(char)
                self.in_indent = broken = True
                continue
            if broken:
                self.new_line()
                leading = char in " \t"
            following = text[index + 1 : index + 2]
            if not broken and char == " " and following != " " and self.column > self.width:
                self.new_line()
            else:
                self.put(char)
            self.in_indent = broken = False

    def text(self) -> str:
        """Return what was written."""
        return "".join(self.parts)


def is_bare(char: str) -> bool:
    """Say whether a character needs no escape in double quotes."""
    return is_printable(char) and char not in BREAKS and char not in '"\\'


def escaped(char: str) -> str:
    """Return a character's escape in double quotes."""
    if char in NAMED:
        return f"\\{NAMED[char]}"
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def byte_length(text: str) -> int:
    """Return a text's length as libyaml counts it."""
    return len(text.encode("utf-8", "surrogateescape"))
