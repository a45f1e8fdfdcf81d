"""How long features take in a repository: `python -m tests.lsp.latency_of FOLDER`.

Each feature is asked at places of uses at random; catalogs are compiled for one file of each ten,
or of each `--compile-each`.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

from lsprotocol import types

from analyzer.lsp.checks.compiling import compile_job
from analyzer.lsp.checks.reach import job_for
from analyzer.lsp.features.table import TABLE, Feature
from analyzer.lsp.state.snapshot import EditorRequest, RequestRefused, Snapshot
from analyzer.lsp.state.workspace import Workspace
from tests.lsp.definitions_of import uses_in
from tests.lsp.marked import OF_AN_ITEM

# Checked by compiling, which takes as long as it takes.
LEFT_OUT = (types.TEXT_DOCUMENT_RENAME,)


def asked_of(
    feature: Feature, snapshot: Snapshot, path: str, start: int, end: int
) -> EditorRequest:
    context = types.CodeActionContext([], only=None)
    whole = SimpleNamespace(
        query="profile", context=context, positions=None, include_declaration=True
    )
    if feature.method == types.TEXT_DOCUMENT_REFERENCES:
        whole.context = SimpleNamespace(include_declaration=True)
    asked = EditorRequest(path, snapshot.text(path), snapshot.facts(path), start, end, whole)
    if feature.function in OF_AN_ITEM:
        items = Feature(feature.method, feature.module).answer(snapshot, asked)
        whole.item = items[0] if items else SimpleNamespace(data=None, uri="file:///", name="")
    return asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--places", type=int, default=300)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--compile-each", type=int, default=10)
    given = parser.parse_args()
    files = Workspace([str(given.folder.resolve())])
    for _ in files.indexing():
        pass
    snapshot = files.snapshot
    uses = random.Random(1).sample([*uses_in(snapshot)], given.places)
    times: dict[str, list[float]] = {}
    for number, (path, use) in enumerate(uses):
        here = snapshot
        if number % given.compile_each == 0 and (job := job_for(snapshot, path)) is not None:
            pictures = tuple(compile_job(job)[1])
            here = replace(snapshot, pictures={path: pictures})
        for feature in TABLE:
            name = f"{feature.module}.{feature.function}"
            if feature.method in LEFT_OUT or (given.only and feature.module not in given.only):
                continue
            try:
                asked = asked_of(feature, here, path, use.start, use.start)
                begun = time.perf_counter()
                feature.answer(here, asked)
                times.setdefault(name, []).append(time.perf_counter() - begun)
            except (RequestRefused, AttributeError) as error:
                print(f"{name}: {error}")
    for name, own in times.items():
        own.sort()
        p95, most = own[int(len(own) * 0.95)], own[-1]
        print(f"{name:28} p95 {1000 * p95:7.1f} ms, most {1000 * most:7.1f} ms")


if __name__ == "__main__":
    main()
