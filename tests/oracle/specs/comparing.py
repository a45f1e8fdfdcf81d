"""Answers of Puppet and of catgraph side by side: values, refusals and catalogs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from .compiling import LEVELS, Inputs, Made, is_refusal
from .records import Record


@dataclass(frozen=True, slots=True)
class Result:
    """Whether both agree, why not, and both answers.

    `unknown` is set where catgraph says that it does not know.
    """

    ok: bool
    cause: str = ""
    theirs: str = ""
    ours: str = ""
    same_message: bool | None = None
    unknown: bool = False


AGREE = Result(True)


def ref(row: Record) -> str:
    """Return the reference of a resource of a catalog's JSON."""
    return f"{row['type']}[{row['title']}]"


def core(message: str) -> str:
    """Return a message without places and without what was being evaluated."""
    message = re.sub(r"\s*\((file|line|column)[^()]*\)", "", message)
    message = re.sub(r"\s*on node \S.*$", "", message, flags=re.M)
    message = re.sub(r"^(Evaluation Error: )?(Error while evaluating an? [^,]+, )*", "", message)
    message = re.sub(r"<code>(:\d+)*", "", message)
    return re.sub(r"\s+", " ", message).strip()


def same(ours: str, theirs: str) -> bool:
    """Return whether two messages say the same."""
    short, long = sorted((core(ours), core(theirs)), key=len)
    return short == long or (len(short) > 12 and short in long)


def shape(message: str) -> str:
    """Return a message without names and numbers: messages of one cause look alike."""
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'|\"[^\"]*\"", "'_'", message))[:110]


def refusals(record: Record, error: Exception | None) -> Result:
    """Compare where Puppet or catgraph or both refuse."""
    theirs = (record.get("error") or {}).get("message") or ""
    ours = "" if error is None else getattr(error, "message", None) or str(error)
    if error is not None and not is_refusal(error):
        return Result(False, f"internal error: {type(error).__name__}: {ours[:60]}", theirs, ours)
    if error is None:
        return Result(False, f"only Puppet refuses: {shape(core(theirs))}", theirs, "(no error)")
    if not record.get("error"):
        return Result(False, f"only catgraph refuses: {shape(core(ours))}", "(no error)", ours)
    basic = record["error"].get("basic") or theirs
    return Result(True, "", theirs, ours, same(ours, theirs) or same(ours, basic))


def compare_compile(record: Record, inputs: Inputs) -> Result:
    """Compare a catalog and what its compile logs."""
    made = inputs.compiled(record, record.get("code") or "")
    if made.document is None or record.get("error"):
        return refusals(record, made.error)
    result = compare_catalogs(record["catalog"], made.document)
    if not result.ok:
        return result
    theirs = [
        (level, text)
        for level, text, source in record.get("logs") or []
        if level in LEVELS and source.startswith("Scope(")
    ]
    if theirs == made.messages:
        return result
    unknown = any("(not known" in text for _, text in made.messages)
    return Result(False, "messages", json.dumps(theirs), json.dumps(made.messages), unknown=unknown)


def compare_catalogs(theirs: dict[str, Any], ours: dict[str, Any]) -> Result:
    """Compare two catalogs: resources in their order, parameters, tags, containment, classes."""
    left = {ref(row): row for row in theirs["resources"]}
    right = {ref(row): row for row in ours["resources"]}
    if left.keys() != right.keys():
        missing, extra = sorted(left.keys() - right.keys()), sorted(right.keys() - left.keys())
        return Result(False, f"resources: missing {missing[:3]}, extra {extra[:3]}")
    result = AGREE
    for name, row in left.items():
        found = compare_resources(name, row, right[name])
        if not found.ok:
            result = found
        if not found.ok and not found.unknown:
            return found
    if not result.ok:
        return result
    edges = [{(one["source"], one["target"]) for one in each["edges"]} for each in (theirs, ours)]
    if edges[0] != edges[1]:
        return Result(False, "containment", str(edges[0] - edges[1]), str(edges[1] - edges[0]))
    if sorted(theirs["classes"]) != sorted(ours["classes"]):
        return Result(False, "classes", str(theirs["classes"]), str(ours["classes"]))
    return AGREE if [*left] == [*right] else Result(False, "order of resources")


def compare_resources(name: str, theirs: Record, ours: Record) -> Result:
    """Compare a resource of two catalogs."""
    left, right = theirs.get("parameters", {}), ours.get("parameters", {})
    unknown = None
    for key in sorted(left.keys() | right.keys()):
        shown = [json.dumps(each.get(key, "(none)"), sort_keys=True) for each in (left, right)]
        if shown[0] == shown[1]:
            continue
        hidden = "__unknown" in shown[1]
        unknown = Result(False, f"parameter {name}.{key}", shown[0], shown[1], unknown=hidden)
        if not unknown.unknown:
            return unknown
    for key in ("tags", "sensitive_parameters"):
        if sorted(theirs.get(key) or []) != sorted(ours.get(key) or []):
            return Result(False, f"{key} of {name}", str(theirs.get(key)), str(ours.get(key)))
    if bool(theirs.get("exported")) != bool(ours.get("exported")):
        return Result(False, f"exported of {name}")
    return unknown or AGREE


def compare_values(record: Record, made: Made, value: str | None) -> Result:
    """Compare a value that Puppet printed with the one in the messages of a compile."""
    if made.error is not None or record.get("error"):
        return refusals(record, made.error)
    if value is None:
        return Result(False, "no value", str(record.get("value")))
    theirs = str(record["value"])
    return Result(value == theirs, f"value: {theirs[:60]}, ours {value[:60]}", theirs, value)
