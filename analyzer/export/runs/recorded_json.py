"""Recorded runs, their times and their differences as JSON."""

from __future__ import annotations

from analyzer.apply.report.compare import MovedResource, ResourceDifference
from analyzer.apply.report.run import ReportedRun, rounded, rows
from analyzer.model.documents import JsonObject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.apply.report.chain import Timing


def run_document(run: ReportedRun) -> dict[str, object]:
    """Return a run with its resources in their order as JSON data."""
    return {**head(run), "resources": [*rows(run)]}


def timing_document(found: Timing, count: int) -> dict[str, object]:
    """Return the times of a run on the graph of its catalog as JSON data."""
    return {
        **head(found.run),
        "bound": rounded(found.bound),
        "critical_chain": [
            {"ref": x.ref, "seconds": rounded(x.seconds), "done": rounded(x.done)}
            for x in found.chain
        ],
        "slowest": [{"ref": x.ref, "seconds": rounded(x.seconds)} for x in found.slowest(count)],
        "not_in_catalog": list(found.unmatched),
        "generated": [{"ref": ref, "by": parent} for ref, parent in found.added],
        "not_in_run": list(found.absent),
        "resources": [*rows(found.run)],
    }


def comparison_json(
    first: ReportedRun,
    second: ReportedRun,
    found: list[ResourceDifference],
    elsewhere: list[MovedResource],
) -> str:
    """Return the differences as JSON for programs."""
    from json import dumps

    document: JsonObject = {
        "first": head(first),
        "second": head(second),
        "differences": [
            {
                "ref": one.ref,
                "kind": one.kind,
                "first": list(one.first),
                "second": list(one.second),
                "messages": list(one.messages),
            }
            for one in found
        ],
        "moved": [{"ref": one.ref, "after": one.after} for one in elsewhere],
    }
    return dumps(document, indent=1, ensure_ascii=False)


def head(run: ReportedRun) -> dict[str, object]:
    """Return the description of a run as JSON data."""
    return {
        "host": run.name,
        "time": run.time,
        "status": run.status,
        "environment": run.environment,
        "puppet_version": run.puppet_version,
        "seconds": rounded(run.seconds) if run.measured else None,
    }
