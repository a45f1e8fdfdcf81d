"""Writes reports and summaries as YAML in Psych's layout, which Puppet and its tools read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from math import isinf, isnan
from typing import Any

from analyzer.apply.report import forms
from analyzer.apply.report.metrics import summary
from analyzer.apply.report.read_yaml import TAG
from analyzer.apply.report.values import Report
from analyzer.formats.yaml_scalars import Disallowed, tokenize

# A text that may stand without quotes, if it is no number, word or time.
PLAIN = re.compile(r"[A-Za-z0-9_][\w./@%+=()\[\]-]*(?: [\w./@%+=()\[\]-]+)*", re.ASCII)
# What YAML does not take as it is; the rest of what must be written as an escape is JSON's.
UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\U00010000-\U0010ffff]")
SURROGATES = re.compile("[\ud800-\udfff]")
# Longer ones are keys with a question mark to YAML.
LONGEST_KEY = 1000


def dump(report: Report) -> str:
    """Return the text of a report: what Puppet writes as last_run_report.yaml."""
    return f"--- {TAG}\n" + "".join(lines(forms.to_data(report), ""))


def dump_summary(report: Report, last_run: int, **of_run: str) -> str:
    """Return the text of last_run_summary.yaml; `of_run` as `metrics.summary` takes it."""
    return "---\n" + "".join(lines(summary(report, last_run, **of_run), ""))


def lines(table: dict[str, Any], indent: str) -> Iterator[str]:
    """Yield a hash, a line a key; lists stand below their key, not indented."""
    for name, value in table.items():
        if isinstance(value, dict) and value:
            yield f"{indent}{key(name)}\n"
            yield from lines(value, indent + "  ")
        elif isinstance(value, list) and value:
            yield f"{indent}{key(name)}\n"
            yield from items(value, indent)
        else:
            yield f"{indent}{key(name)}{after(value)}\n"


def items(values: list[Any], indent: str) -> Iterator[str]:
    """Yield a list, an item behind a dash each."""
    for value in values:
        if not isinstance(value, (dict, list)) or not value:
            yield f"{indent}-{after(value)}\n"
            continue
        inner = indent + "  "
        nested = lines(value, inner) if isinstance(value, dict) else items(value, inner)
        yield f"{indent}- {next(nested)[len(inner) :]}"
        yield from nested


def key(name: Any) -> str:
    """Return a key with what follows it."""
    text = written(name)
    return f"{text}:" if len(text) < LONGEST_KEY else f"? {text}\n:"


def after(value: Any) -> str:
    """Return what stands behind a key or a dash: nothing for nil, or a blank and the value."""
    return "" if value is None else " " + written(value)


def written(value: Any) -> str:
    """Return a scalar, or an empty list or hash."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number(value)
    return "[]" if value == [] else "{}" if value == {} else str(value)


def number(value: float) -> str:
    """Return a float as Ruby writes it: 1.0e-05, .inf, .nan."""
    if isnan(value):
        return ".nan"
    if isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")


@lru_cache(maxsize=50_000)
def quoted(text: str) -> str:
    """Return a text without quotes if it stays that text, else in quotes."""
    if PLAIN.fullmatch(text) and is_text(text):
        return text
    if text == "<<":
        # As a key this merges hashes in Psych, in quotes too.
        return "!!str '<<'"
    if text.isprintable() and not UNPRINTABLE.search(text):
        return "'" + text.replace("'", "''") + "'"
    whole = SURROGATES.sub("\ufffd", text)
    return UNPRINTABLE.sub(escape, json.dumps(whole, ensure_ascii=False))


def is_text(text: str) -> bool:
    """Return whether a scalar without quotes is a text to Psych, and no date either."""
    try:
        return bool(tokenize(text) == text)
    except (Disallowed, ValueError):
        return False


def escape(found: re.Match[str]) -> str:
    """Return a character as YAML's escape."""
    return f"\\U{ord(found[0]):08x}"
