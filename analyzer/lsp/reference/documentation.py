"""The comment above a definition: its text and its tags (Puppet Strings, and RDoc's parameters)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from analyzer.escape import shown

# The beginning of a parameter's description in the older style: `[*port*]`, `$port::`.
OLDER = re.compile(r"(?:\[\*?(?P<listed>\w+)\*?\]|\$(?P<plain>\w+)::)\s*:*\s*(?P<text>.*)")
TAG = re.compile(r"@(?P<tag>\w+)\s*(?P<rest>.*)")
PARAM = re.compile(r"(?:\[[^\]]*\]\s*)?\$?(?P<name>[\w*&]+)\s*(?:\[[^\]]*\])?\s*(?P<text>.*)")

# The Markdown in an untrusted comment that is escaped: pictures, links and HTML.
ACTIVE = re.compile(r"[<>]|!(?=\[)|(?<=\])\(|(?<=\])\[|^(?=\s*\[[^\]]*\]:)", re.MULTILINE)

# The most characters of a comment that are shown.
MOST = 4000


@dataclass(frozen=True, slots=True)
class DocComment:
    """A comment: its text, the descriptions of parameters by name, and its other tags in order."""

    text: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    tags: tuple[tuple[str, str], ...] = ()

    def markdown(self) -> str:
        """Return the text with its tags, without pictures and links."""
        shown = dict.fromkeys([self.of("summary"), plain(self.text)])
        parts = [part for part in shown if part]
        for tag, text in self.tags:
            if tag == "return":
                parts.append(f"Returns {plain(text)}")
            elif tag == "example":
                title, _, code = text.partition("\n")
                parts.append(f"Example: {plain(title)}\n{fenced(code)}")
            elif tag in ("note", "deprecated", "see", "since"):
                parts.append(f"{tag.capitalize()}: {plain(text)}")
        return "\n\n".join(parts)[:MOST]

    def of(self, tag: str) -> str:
        """Return the text of a tag, empty if there is none."""
        return next((plain(text) for name, text in self.tags if name == tag), "")

    def summary(self) -> str:
        """Return the first sentence."""
        return self.of("summary") or plain(self.text.partition("\n\n")[0])

    def parameter(self, name: str) -> str:
        """Return the documentation of a parameter."""
        return plain(self.parameters.get(name, ""))


NONE = DocComment()


def plain(text: str) -> str:
    """Return a text in which Markdown may find emphasis and code, but no pictures or links."""
    marked = ACTIVE.sub(lambda found: {"<": "&lt;", ">": "&gt;"}.get(found[0], "\\" + found[0]),
                        text.strip())  # fmt: skip
    return "\n".join(map(shown, marked.split("\n")))


def fenced(code: str, language: str = "puppet") -> str:
    """Return code as a Markdown block, with a fence that none of its lines contains."""
    fence = "```"
    while fence in code:
        fence += "`"
    lines = "\n".join(map(shown, code.strip("\n").split("\n")))
    return f"{fence}{language}\n{lines}\n{fence}"


def comment_above(text: str, offset: int) -> DocComment:
    """Return the comment that ends on the line above an offset."""
    start = text.rfind("\n", 0, offset) + 1
    lines: list[str] = []
    while start > 0:
        before = text.rfind("\n", 0, start - 1) + 1
        line = text[before : start - 1].strip()
        if not line.startswith("#"):
            break
        lines.append(line)
        start = before
    return comment_of("\n".join(reversed(lines)))


@lru_cache(maxsize=256)
def comment_of(text: str) -> DocComment:
    """Return the documentation in the lines of a comment."""
    body: list[str] = []
    parameters: dict[str, list[str]] = {}
    tags: list[tuple[str, list[str]]] = []
    rows = body
    for line in text.split("\n"):
        row = line.lstrip("#").removeprefix(" ")
        tag, older = TAG.match(row), OLDER.match(row)
        if tag is not None and tag["tag"] == "param" and (found := PARAM.match(tag["rest"])):
            rows = parameters.setdefault(found["name"].lstrip("*&"), [found["text"]])
        elif tag is not None:
            rows = [tag["rest"]]
            tags.append((tag["tag"], rows))
        elif older is not None:
            rows = parameters.setdefault(older["listed"] or older["plain"], [older["text"]])
        elif row.startswith(("=", "#")) or (row[:1].strip() and rows is not body):
            # A line without indentation belongs to no tag.
            rows = body
            rows.append(row.strip("= "))
        else:
            rows.append(row)
    joined = {name: flowing(found) for name, found in parameters.items()}
    return DocComment("\n".join(body).strip(), joined, tuple((t, "\n".join(r)) for t, r in tags))


def flowing(rows: list[str]) -> str:
    """Return rows as one paragraph."""
    return " ".join(" ".join(rows).split())
