"""Parses and graphs of records."""

from __future__ import annotations

import json
from typing import Any

import analyzer
from analyzer.frontends.puppet.syntax.check import check
from analyzer.frontends.puppet.syntax.checked_file import Checked
from analyzer.frontends.puppet.syntax.pn import to_pn

from .comparing import AGREE, Result, core, ref, same, shape
from .compiling import Inputs, in_time
from .records import Record

# Issues of catgraph about what Puppet's validator leaves to its other parts.
_ELSEWHERE = {
    *("NODE_REDEFINED", "CLASS_REDEFINED", "CLASS_REDEFINED_AS_NODE", "DUPLICATE_DEFINITION"),
    *("UNRECOGNIZED_ESCAPE", "ILLEGAL_EPP", "UNICODE_BOM"),
}
# What each catalog has for itself.
_OWN = ("Schedule[", "Filebucket[puppet]", "Whit[")


def compare_parse(record: Record, inputs: Inputs) -> Result:
    """Compare the tree of a text, the codes of the validator's issues, or that both refuse it."""
    strict = record.get("strict") or "error"
    with in_time():
        checked = check(
            record["source"],
            record.get("path") or "",
            epp=record["epp"],
            tasks=record["tasks"] is True,
            strict="error" if strict == "error" else "warning",
            modulepath=record.get("modulepath"),
        )
    if record.get("error"):
        return _refused(record, checked)
    if checked.tree is None:
        ours = str(checked.found[-1])
        return Result(False, f"only catgraph refuses: {shape(ours)}", record["pn"], ours)
    tree = to_pn(checked.tree).strip()
    if tree != record["pn"].strip():
        return Result(False, "tree", record["pn"], tree)
    if record.get("issues") is None or record["tasks"] or strict == "off":
        return AGREE
    return _issues(record, checked)


def _refused(record: Record, checked: Checked) -> Result:
    theirs = record["error"]["message"]
    errors = [one for one in checked.found if one.severity == "error"]
    if checked.tree is not None or not errors:
        return Result(False, f"only Puppet refuses: {shape(core(theirs))}", theirs)
    ours, basic = errors[0], record["error"].get("basic") or theirs
    place = record["error"]["line"] or 0, record["error"]["pos"] or 0
    alike = same(ours.message, basic) and place in ((0, 0), (ours.line, ours.column))
    return Result(True, "", theirs, str(ours), alike)


def _issues(record: Record, checked: Checked) -> Result:
    def named(severity: str, code: str) -> tuple[str, str]:
        return ("warning" if severity == "deprecation" else severity, code)

    theirs = sorted(named(one[0], one[1]) for one in record["issues"])
    ours = sorted(named(one.severity, one.code) for one in checked.found)
    ours = [one for one in ours if one in theirs or one[1] not in _ELSEWHERE]
    shown = json.dumps(record["issues"]), "\n".join(map(str, checked.found))
    if theirs != ours:
        return Result(False, f"issues: {sorted(set(theirs) ^ set(ours))}", *shown)
    told = {core(one.message) for one in checked.found}
    return Result(True, "", *shown, all(core(one[2]) in told for one in record["issues"]))


def compare_graph(record: Record, inputs: Inputs) -> Result | None:
    """Compare the relationships of a catalog, whether it has a cycle, and the order."""
    refs = {_name(one) for one in record.get("refs") or [] if not one.startswith(_OWN)}
    document = record.get("source")
    if document and {_name(ref(row)) for row in document["resources"]} != refs:
        document = None
    document = document or record.get("document")
    if document is None:
        return None
    rows = [row for row in document["resources"] if not ref(row).startswith(_OWN)]
    with in_time():
        catalog = analyzer.load_catalog({"version": 1, **document, "resources": rows})
        graph = analyzer.relate(catalog)
        cycles = graph.cycles()
    ours = {(_name(str(one.source)), _name(str(one.target))) for one in graph.relationships()}
    theirs = {
        (_name(source), _name(target))
        for source, target, *_ in record.get("plain") or []
        if not source.startswith(_OWN) and not target.startswith(_OWN)
    }
    if ours != theirs:
        return Result(False, "relationships", str(theirs - ours), str(ours - theirs))
    if record["kind"] == "graph":
        return AGREE
    if bool(record.get("cycles")) != bool(cycles):
        return Result(False, "cycle", str(record.get("cycles")), str(cycles))
    return AGREE if cycles else _order(record, refs, graph.order())


def _order(record: Record, refs: set[str], found: Any) -> Result:
    if "Sequential" not in (record.get("prioritizer") or ""):
        return AGREE
    theirs = [_name(one) for one in record["order"] if not one.startswith(_OWN)]
    ours = [one for one in map(_name, map(str, found)) if one in set(theirs)]
    whole = set(theirs) <= refs and len(theirs) == len(ours)
    return Result(not whole or theirs == ours, "order of traversal", str(theirs), str(ours))


def _name(name: str) -> str:
    return "Class[main]" if name == "Class[Main]" else name
