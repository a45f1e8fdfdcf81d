"""Records what real Puppet says: the files of `cases/` and the expected files of the samples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from .case import (
    Case,
    dropped_records,
    edge_records,
    from_answer,
    keep_catalog,
    write_case,
    write_catalog,
    write_records,
)
from .generate import THEMES, manifest
from .harness import HERE, MODULES, ROOT, Answer, Question, ask

CASES = HERE / "cases"
SAMPLES = ROOT / "sample_catalogs"
CASES_PER_THEME = 26
# Cycles hide the apply order, so that at most this many cases of a theme have one.
CYCLIC_PER_THEME = 9
_BATCH = 40
_SEEDS = 1000
# What differs from run to run, fixed for the samples; the cases leave it out.
_HEADER = {"version": 1, "code_id": None, "catalog_uuid": "00000000-0000-4000-8000-000000000000"}
# In this sample Puppet's search for a path to print would not end within a lifetime.
NO_REPORT = {"layered_20x7"}


def record() -> int:
    """Rewrite all recorded files, print what changed, and return how many did."""
    files = {**record_cases(), **record_samples()}
    stale = [path for path in CASES.glob("*.txt") if path not in files]
    changed = [path for path, text in sorted(files.items()) if _write(path, text)]
    for path in stale:
        path.unlink()
    for path in sorted(changed + stale):
        print(path.relative_to(ROOT))
    print(f"{len(files)} recorded files, {len(changed)} changed, {len(stale)} removed")
    return len(changed) + len(stale)


def _write(path: Path, text: str) -> bool:
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True


def random_question(theme: str, seed: int) -> Question:
    """The question about one random manifest; its id is `theme-seed`."""
    code = manifest(theme, seed)
    return {"id": f"{theme}-{seed:03}", "code": code, "modulepath": [str(MODULES)]}


def record_cases() -> dict[Path, str]:
    """The texts of the case files that there are."""
    names = [path.stem.rpartition("-") for path in sorted(CASES.glob("*.txt"))]
    questions = [random_question(theme, int(seed)) for theme, _, seed in names]
    return {
        CASES / f"{answer['id']}.txt": _text(answer, question["code"])
        for answer, question in zip(ask(questions), questions, strict=True)
    }


def record_pool() -> None:
    """Write the cases that `choose` chooses from: per theme the first seeds that compile."""
    for theme in THEMES:
        for name, text in _cases_of(theme):
            _write(CASES / f"{name}.txt", text)


def _text(answer: Answer, code: str) -> str:
    catalog = keep_catalog(answer["catalog"], lambda _: "site.pp", header={})
    return write_case(from_answer(answer, code, catalog))


def _cases_of(theme: str) -> Iterator[tuple[str, str]]:
    acyclic = cyclic = 0
    for answer, question in _answers(theme):
        if not answer["ok"] or (answer["cycles"] and not answer.get("report")):
            continue
        if answer["cycles"] and cyclic == CYCLIC_PER_THEME:
            continue
        cyclic += bool(answer["cycles"])
        acyclic += not answer["cycles"]
        yield answer["id"], _text(answer, question["code"])
        if acyclic + cyclic == CASES_PER_THEME:
            return
    raise RuntimeError(f"too few manifests of {theme} compile: is {MODULES} complete?")


def _answers(theme: str) -> Iterator[tuple[Answer, Question]]:
    for start in range(0, _SEEDS, _BATCH):
        questions = [random_question(theme, seed) for seed in range(start, start + _BATCH)]
        yield from zip(ask(questions), questions, strict=True)


def record_samples() -> dict[Path, str]:
    """The texts of `catalog.json` and `expected/` of every sample with a manifest."""
    files: dict[Path, str] = {}
    for site in sorted(SAMPLES.glob("*/manifests/site.pp")):
        folder = site.parent.parent
        [answer] = ask([_sample_question(folder)])
        if not answer["ok"]:
            raise RuntimeError(f"{folder.name}: {answer['stage']}: {answer['error']}")
        files |= _sample_files(folder, answer)
    return files


def _sample_question(folder: Path) -> Question:
    return {
        "id": folder.name,
        "manifest": str(folder / "manifests" / "site.pp"),
        "modulepath": [str(folder / "modules")],
        "facts": json.loads((folder / "facts.json").read_text(encoding="utf-8")),
        "report": folder.name not in NO_REPORT,
    }


def _sample_files(folder: Path, answer: Answer) -> dict[Path, str]:
    prefix = f"{folder}/"
    catalog = keep_catalog(
        answer["catalog"], lambda name: name.removeprefix(prefix), header=_HEADER
    )
    case = from_answer(answer, "", catalog)
    expected = folder / "expected"
    return {
        folder / "catalog.json": write_catalog(catalog),
        expected / "relationships.txt": write_records(edge_records(case.graph.relationships)),
        expected / "dropped.txt": write_records(dropped_records(case.graph.dropped)),
        expected / "expanded.txt": write_records(edge_records(case.graph.expanded)),
        expected / "order.txt": write_records((ref,) for ref in case.graph.order),
        expected / "cycles.txt": write_records(case.graph.cycles),
        expected / "report.txt": _report(case),
    }


def _report(case: Case) -> str:
    return case.graph.report + "\n" if case.graph.report else ""
