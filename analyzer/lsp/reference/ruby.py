"""Attributes, values and documentation of types and functions in Ruby, which is never run."""

from __future__ import annotations

import re
from functools import lru_cache

from analyzer.lsp.reference.definitions import DocumentedParameter
from analyzer.lsp.reference.documentation import DocComment, comment_above, plain

# The most characters of a file that are read.
MOST = 200_000

# `newparam(:name, ...) do`, `newproperty :ensure`: the name of an attribute.
ATTRIBUTE = re.compile(r"^[ \t]*new(?:param|property)\s*\(?\s*:['\"]?(\w+)(?P<more>[^\n]*)", re.M)
ENSURABLE = re.compile(r"^[ \t]*ensurable\b", re.M)
VALUES = re.compile(r"\bnewvalues?\s*\(?\s*((?::\w+|['\"][\w-]+['\"]|\s|,)+)")
WORD = re.compile(r":(\w+)|['\"]([\w-]+)['\"]")
NAMEVAR = re.compile(r"\bisnamevar\b|namevar:?\s*(?:=>)?\s*true")
HEREDOC = re.compile(r"<<[-~]?['\"]?(\w+)['\"]?[^\n]*\n(.{0,20000}?)^[ \t]*\1[ \t]*$", re.S | re.M)
QUOTED = re.compile(
    r"\s*\(?\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|%[qQ]?\{([^}]*)\})", re.S
)
# An attribute of the Resource API.
ROW = re.compile(r"^[ \t]*:?['\"]?(\w+)['\"]?\s*(?::|=>)\s*\{", re.M)
FIELD = re.compile(
    r"(\w+):?\s*(?:=>)?\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|:(\w+))", re.S
)
ENUM = re.compile(r"Enum\[([^\]]*)\]")

# A dispatch of a function, and its parameters as type and name.
DISPATCH = re.compile(r"^[ \t]*dispatch\b[^\n]*do\s*$(.{0,4000}?)^[ \t]*end\b", re.S | re.M)
PARAM = re.compile(
    r"\b(?P<how>required_|optional_|repeated_|required_repeated_|optional_repeated_)?(?:param|block_param)\s*\(?\s*"
    r"(?:'(?P<single>[^'\n]*)'|\"(?P<double>[^\"\n]*)\")?\s*,?\s*:(?P<name>\w+)"
)


def string_after(text: str, start: int) -> str:
    """Return the string or heredoc at an offset, empty if there is none."""
    quoted = QUOTED.match(text, start)
    if quoted is not None:
        return next(filter(None, quoted.groups()), "")
    end = text.find("\n", start)
    at = text.find("<<", start, end if end >= 0 else len(text))
    heredoc = HEREDOC.match(text, at) if at >= 0 else None
    return heredoc[2] if heredoc is not None else ""


def described(text: str, word: str) -> str:
    """Return the text of `desc` or `@doc =`, as one paragraph."""
    found = re.search(rf"(?:^|\s){word}\b\s*=?", text)
    if found is None:
        return ""
    return plain(" ".join(string_after(text, found.end()).strip().split("\n\n")[0].split()))


@lru_cache(maxsize=128)
def attributes_of(text: str) -> tuple[DocumentedParameter, ...]:
    """Return the attributes that the file of a type declares, in its order, namevars first."""
    text = text[:MOST]
    found: dict[str, DocumentedParameter] = {}
    starts = [*ATTRIBUTE.finditer(text)]
    for match, after in zip(starts, [*starts[1:], None], strict=True):
        body = text[match.start() : after.start() if after else len(text)]
        values = tuple(
            next(filter(None, one))
            for part in VALUES.finditer(body)
            for one in WORD.findall(part[1])
        )
        of_name = bool(NAMEVAR.search(body)) or match[1] == "name"
        found.setdefault(match[1], DocumentedParameter(match[1], "namevar" if of_name else "", "",
                                             described(body, "desc"), values))  # fmt: skip
    if ENSURABLE.search(text):
        found.setdefault("ensure", DocumentedParameter("ensure", values=("present", "absent")))
    if not found and "register_type" in text:
        found = {one.name: one for one in rows_of(text)}
    return tuple(sorted(found.values(), key=lambda one: one.type != "namevar"))


def rows_of(text: str) -> list[DocumentedParameter]:
    """Return the attributes of a type of the Resource API."""
    begun = re.search(r"attributes:?\s*(?:=>)?\s*\{", text)
    found: list[DocumentedParameter] = []
    for match in ROW.finditer(text, begun.end() if begun else len(text)):
        end = text.find("}", match.end())
        fields = {k: a or b or c for k, a, b, c in FIELD.findall(text[match.end() : end])}
        enum = ENUM.search(fields.get("type", ""))
        values = tuple(re.findall(r"[\w-]+", enum[1])) if enum else ()
        text_of = plain(" ".join(fields.get("desc", "").split()))
        kind = "namevar" if fields.get("behaviour") == "namevar" else fields.get("type", "")
        found.append(DocumentedParameter(match[1], kind, "", text_of, values))
    return found


def meaning_of(text: str) -> str:
    """Return the meaning of a type, from its file."""
    return described(text, "@doc") or described(text, "desc:") or described(text, "desc")


def function_of(
    text: str, start: int
) -> tuple[tuple[tuple[DocumentedParameter, ...], ...], DocComment]:
    """Return the parameter lists of a function in Ruby, and the comment above it.

    `start` is the offset of its name.
    """
    line = text.rfind("\n", 0, start) + 1
    comment = comment_above(text, line)
    if not (comment.text or comment.tags):
        # An older function is inside a module, and the comment is above the module.
        comment = comment_above(text, max(text.rfind("\nmodule ", 0, start) + 1, 0))
    lists = tuple(
        tuple(map(parameter_of, PARAM.finditer(body[1]))) for body in DISPATCH.finditer(text[:MOST])
    )
    return lists, comment


def parameter_of(match: re.Match[str]) -> DocumentedParameter:
    """Return the parameter that a row of a dispatch declares."""
    how = match["how"] or ""
    return DocumentedParameter(
        match["name"],
        match["single"] or match["double"] or "Callable",
        "..." if how.startswith("optional") else "",
        many="repeated" in how,
    )
