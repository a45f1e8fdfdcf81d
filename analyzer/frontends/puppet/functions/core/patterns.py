"""split, match and regsubst."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import class_name, inspect
from analyzer.frontends.puppet.functions.core.collections import flat
from analyzer.frontends.puppet.functions.registry import Call, UndecidedCall, function
from analyzer.frontends.puppet.regex.faults import fault
from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.frontends.puppet.types.model.strings import PatternType, RegexpType
from analyzer.frontends.puppet.types.model.wrappers import VariantType
from analyzer.model.releases import NO_ENCODING, REGSUBST_SECRETS, SPLIT_SECRETS
from analyzer.model.values import Regexp, Sensitive, Unknown, Value

BACK = re.compile(r"\\(?:([0-9&`'\\])|k<(\w+)>)")
ESCAPED = re.compile(r"[.*?+^$|\\()\[\]{}\- ]")


def pattern_of(call: Call, source: str, options: str = "") -> re.Pattern[str]:
    """Compile a regular expression.

    Raises:
        Undecided: it is right, but cannot be expressed here.
    """
    wrong = fault(source)
    if wrong:
        call.fail(f"{wrong}: {inspect(Regexp(source))}{''.join(o for o in 'mix' if o in options)}")
    try:
        return compiled(source, options)
    except re.error as error:
        raise UndecidedCall(Unknown(f"regular expression /{source}/: {error}")) from error


@function(
    "split",
    "String $str, String $pattern",
    "String $str, Regexp $pattern",
    "String $str, Type[Regexp] $pattern",
)
def split(call: Call, text: str, pattern: str | Regexp | RegexpType) -> list[str]:
    """Return the parts of a text between matches, without empty ones at the end."""
    found = split_at(text, pattern_of(call, source_of(pattern)))
    while found and not found[-1]:
        found.pop()
    return found


@function(
    "split",
    "Sensitive[String] $sensitive, String $pattern",
    "Sensitive[String] $sensitive, Regexp $pattern",
    "Sensitive[String] $sensitive, Type[Regexp] $pattern",
    where=SPLIT_SECRETS,
)
def split_secret(call: Call, secret: Sensitive, pattern: str | Regexp | RegexpType) -> Sensitive:
    """Return the parts of a secret text, which are secret too."""
    return Sensitive(split(call, secret.value, pattern))


def source_of(pattern: str | Regexp | RegexpType) -> str:
    """Return the text of a string, regular expression or Regexp type."""
    if isinstance(pattern, str):
        return pattern
    return pattern.source if isinstance(pattern, Regexp) else pattern.pattern or ""


def split_at(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Return the parts between matches, with what groups matched; an empty match splits letters."""
    parts: list[str] = []
    begin = start = 0
    after_empty = False
    while start <= len(text) and (match := pattern.search(text, start)):
        if match.start() == match.end() == start:
            if not after_empty:
                # Nothing before it: the earliest place to split is behind the next character.
                start += 1
                after_empty = True
                continue
            parts.append(text[begin:start])
            begin = start
        else:
            parts.append(text[begin : match.start()])
            begin = start = match.end()
        after_empty = False
        parts += [group for group in match.groups() if group is not None]
    return [*parts, text[begin:]] if text else []


@function("match", "String $string, Variant[Any, Type] $pattern")
def match_(call: Call, text: str, pattern: object) -> list[Value] | None:
    """Return the match of a pattern and its groups, undef if there is none."""
    match pattern:
        case str():
            return groups(call, text, pattern)
        case Regexp():
            return groups(call, text, pattern.source)
        case RegexpType(pattern=None):
            call.fail("Given Regexp Type has no regular expression")
        case RegexpType():
            return groups(call, text, source_of(pattern))
        case PatternType():
            return first(call, text, [Regexp(one) for one in pattern.patterns])
        case VariantType():
            return first(call, text, pattern.types)
        case list():
            return first(call, text, flat(pattern))
    resolved = getattr(pattern, "resolved", None)
    if resolved is not None:
        return first(call, text, [resolved])
    call.fail(
        "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or "
        f"Array[T]. Got {class_name(pattern)}"
    )


@function("match", "Array[String] $string, Variant[Any, Type] $pattern")
def match_each(call: Call, texts: list[str], pattern: object) -> list[Value]:
    """Return the matches of a pattern in each text."""
    return [match_(call, text, pattern) for text in texts]


def first(call: Call, text: str, patterns: Iterable[Any]) -> list[Value] | None:
    """Return the match of the first of the patterns that matches."""
    found = (match_(call, text, pattern) for pattern in patterns)
    return next((match for match in found if match), None)


def groups(call: Call, text: str, source: str) -> list[Value] | None:
    """Return the matches of an expression and its groups."""
    match = pattern_of(call, source).search(text)
    return [match[0], *match.groups()] if match else None


# What `regsubst` takes for a target; secrets, and encodings, by version.
PLAIN = "Variant[Array[String], String] $target"
SECRET = (
    "Variant[Array[Variant[String, Sensitive[String]]], "
    "Sensitive[Array[Variant[String, Sensitive[String]]]], "
    "Variant[String, Sensitive[String]]] $target"
)
NEW = "Variant[String, Hash[String, String]] $replacement"
FLAGS = f"String $pattern, {NEW}, Optional[Pattern[/^[GEIM]*$/]] $flags = undef"
ENCODING = "Enum['N', 'E', 'S', 'U'] $encoding = undef"
EXPRESSION = f"Variant[Regexp, Type[Regexp]] $pattern, {NEW}, Pattern[/^G?$/] $flags = undef"


@function("regsubst", f"{PLAIN}, {FLAGS}, {ENCODING}", lacking=REGSUBST_SECRETS)
@function("regsubst", f"{SECRET}, {FLAGS}, {ENCODING}", where=REGSUBST_SECRETS, lacking=NO_ENCODING)
@function("regsubst", f"{SECRET}, {FLAGS}", where=NO_ENCODING)
def regsubst(
    call: Call,
    target: str | list[str],
    pattern: str,
    new: str | dict[str, str],
    flags: str | None = None,
    encoding: str = "",
) -> Value:
    """Replace the first match in a text, or in each of several; all of them with flag G."""
    options = "".join(o for flag, o in zip("EIM", "xim", strict=True) if flag in (flags or ""))
    expression = pattern_of(call, pattern, options)
    return substituted(call, target, expression, new, "G" in (flags or ""))


@function("regsubst", f"{PLAIN}, {EXPRESSION}", lacking=REGSUBST_SECRETS)
@function("regsubst", f"{SECRET}, {EXPRESSION}", where=REGSUBST_SECRETS)
def regsubst_regexp(
    call: Call,
    target: str | list[str],
    pattern: Regexp | RegexpType,
    new: str | dict[str, str],
    flags: str | None = None,
) -> Value:
    """Replace matches of an expression; the text of a type's is taken as it stands."""
    source = source_of(pattern)
    if not isinstance(pattern, Regexp):
        source = ESCAPED.sub(r"\\\g<0>", source)
    return substituted(call, target, pattern_of(call, source), new, flags == "G")


def substituted(
    call: Call,
    target: str | list[Any] | Sensitive,
    pattern: re.Pattern[str],
    new: str | dict[str, str],
    everywhere: bool,
) -> Value:
    """Replace in a text, or in each of several; an array of secrets is none itself."""
    if isinstance(target, Sensitive):
        inner = substituted(call, target.value, pattern, new, everywhere)
        return inner if isinstance(target.value, list) else Sensitive(inner)
    if isinstance(target, list):
        return [substituted(call, one, pattern, new, everywhere) for one in target]

    wrong = next((m[2] for m in BACK.finditer(new) if m[2]), None) if isinstance(new, str) else None
    if wrong is not None and wrong not in pattern.groupindex and pattern.search(target):
        call.fail(f"undefined group name reference: {wrong}")

    def replaced(match: re.Match[str]) -> str:
        return expanded(match, new) if isinstance(new, str) else new.get(match[0], "")

    return pattern.sub(replaced, target, count=0 if everywhere else 1)


def expanded(match: re.Match[str], new: str) -> str:
    """Return a replacement with what was matched in place of its references."""

    def reference(found: re.Match[str]) -> str:
        if found[2]:
            return match[found[2]] or ""
        char = found[1]
        if char.isdigit():
            number = int(char)
            # With named groups, only those can be referred to.
            there = number <= match.re.groups and not (number and match.re.groupindex)
            return (match[number] or "") if there else ""
        before, after = match.string[: match.start()], match.string[match.end() :]
        return {"&": match[0], "`": before, "'": after}.get(char, "\\")

    return BACK.sub(reference, new)
