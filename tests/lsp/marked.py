"""Cases of features: files with marks, and the answer below.

A case is files under `== path` lines, with `<|>` where the cursor is (twice: a range), then
parameters of the request as `-- name: value` lines, then `----` and the answer as text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
from lsprotocol import types

from analyzer.lsp.checks.compiling import compile_job
from analyzer.lsp.checks.manifests import diagnostics
from analyzer.lsp.checks.reach import job_for
from analyzer.lsp.checks.shown import diagnostics_of
from analyzer.lsp.checks.tracing import trace_job
from analyzer.lsp.features.table import Feature
from analyzer.lsp.index.workspace_index import built, packed_of
from analyzer.lsp.state.document import OpenDocument
from analyzer.lsp.state.paths import path_of, uri_of
from analyzer.lsp.state.places import EnvironmentsOfFolders
from analyzer.lsp.state.snapshot import EditorRequest, RequestRefused, Snapshot, never
from tests.lsp.renderers import RENDERERS, tokens_shown

MARK = "<|>"

# Functions that are asked for an item which `answer` gave before.
OF_AN_ITEM = ("incoming", "outgoing", "subtypes", "supertypes")


@dataclass(frozen=True)
class Case:
    """A case: texts by path, the places of the marks, parameters, and the answer expected."""

    head: str
    files: dict[str, str]
    path: str
    start: int
    end: int
    params: dict[str, str]
    expected: str


def case_of(file: Path) -> Case:
    head, _, expected = file.read_text().partition("\n----\n")
    files: dict[str, str] = {}
    params: dict[str, str] = {}
    name = ""
    for line in head.split("\n"):
        if line.startswith("== "):
            name = line[3:]
            files[name] = ""
        elif line.startswith("-- "):
            key, _, value = line[3:].partition(": ")
            params[key] = value
        elif name:
            files[name] += line + "\n"
    path = next((one for one, text in files.items() if MARK in text), next(iter(files)))
    parts = files[path].split(MARK)
    files[path] = "".join(parts)
    start = len(parts[0]) if len(parts) > 1 else 0
    end = start + len(parts[1]) if len(parts) > 2 else start if len(parts) > 1 else len(parts[0])
    return Case(head, files, path, start, end, params, expected)


def snapshot_of(files: dict[str, str], root: Path) -> Snapshot:
    """Return a snapshot of files that are open and on disk."""
    documents = {}
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        documents[str(file)] = OpenDocument(str(file), uri_of(str(file)), 1, text)
    index = built((path, packed_of(path, one.text)) for path, one in documents.items())
    return Snapshot(index, documents, (str(root),), "utf-16", EnvironmentsOfFolders((str(root),)))


def answer_of(feature: Feature, case: Case, root: Path) -> str:
    """Return a feature's answer to a case, as text; `-- compiled: yes` compiles first."""
    snapshot = snapshot_of(case.files, root)
    path = str(root / case.path)
    given = {k[7:]: v for k, v in case.params.items() if k.startswith("option.")}
    told: list[str] = []
    snapshot = replace(snapshot, options=given, tell=told.append)
    if "compiled" in case.params:
        job = job_for(snapshot, path)
        assert job is not None
        snapshot = replace(snapshot, pictures={path: tuple(compile_job(job)[1])})
        if "traced" in case.params:
            part = trace_job(job, never)
            snapshot = replace(snapshot, traced={path: (part.traced, part.of)})
    of_item = feature.method == types.COMPLETION_ITEM_RESOLVE
    params: Any = (
        types.CompletionItem("", data=case.params["data"])
        if of_item
        else SimpleNamespace(**case.params)
    )
    text = snapshot.text(path)
    asked = EditorRequest(path, text, snapshot.facts(path), case.start, case.end, params)
    if "compile" in case.params:
        snapshot = compiled(snapshot, path)
    if feature.module == "code_actions":
        params.context = context_of(snapshot, path, case)
    if feature.function in OF_AN_ITEM:
        first = Feature(feature.method, feature.module).answer(snapshot, asked)
        params.item = first[0]
    try:
        found = feature.answer(snapshot, asked)
    except RequestRefused as error:
        return f"refused: {error}\n".replace(f"{root}/", "")
    if isinstance(found, types.SemanticTokens):
        return tokens_shown(found, text)
    said = "".join(f"\ntold: {one}" for one in told).replace(f"{root}/", "")
    return shown(found, root).rstrip("\n") + said + "\n"


def compiled(snapshot: Snapshot, path: str) -> Snapshot:
    """Return a snapshot with the catalogs of a file: cases with `-- compile: yes` want it."""
    job = job_for(snapshot, path)
    findings, pictures = compile_job(job)[:2] if job is not None else ([], [])
    fixes = tuple(one for one in findings if one.fixes)
    return replace(snapshot, pictures={path: tuple(pictures)}, fixes={path: fixes})


def context_of(snapshot: Snapshot, path: str, case: Case) -> types.CodeActionContext:
    """Return the diagnostics of the line, as an editor sends them with code actions."""
    line = snapshot.position(path, case.start).line
    if "no_diagnostics" in case.params:
        return types.CodeActionContext([])
    found = [*diagnostics(snapshot, path), *diagnostics_of(snapshot, path, snapshot.fixes[path])]
    here = {(one.code, one.message): one for one in found if one.range.start.line == line}
    only = case.params.get("only")
    return types.CodeActionContext([*here.values()], only=[only] if only else None)


def shown(value: Any, root: Path) -> str:  # noqa: PLR0911, C901 (one line for each kind)
    """Return an answer as text: ranges from 1, paths below the root, and what is not empty."""
    if isinstance(value, list | tuple):
        return "\n".join(shown(one, root) for one in value) if value else "none"
    if value is None:
        return "none"
    if isinstance(value, types.Location):
        return f"{below(value.uri, root)}:{span(value.range)}"
    if isinstance(value, types.DocumentSymbol):
        inner = [shown(one, root) for one in value.children or ()]
        rows = [f"{value.detail} {value.name} {span(value.range)}", *inner]
        return "\n".join(rows).replace("\n", "\n  ")
    if isinstance(value, types.Diagnostic):
        rows = [f"{value.code} {span(value.range)} {value.message}"]
        for one in value.related_information or ():
            rows.append(f"  {shown(one.location, root)} {one.message}")
        return "\n".join(rows)
    if isinstance(value, types.WorkspaceEdit):
        return "\n".join(changed(one, root) for one in value.document_changes or ())
    if isinstance(value, types.CodeAction):
        return f"{value.title}\n  " + shown(value.edit, root).replace("\n", "\n  ")
    if isinstance(value, types.Range):
        return span(value)
    if type(value) in RENDERERS:
        return RENDERERS[type(value)](value).replace(f"{root}/", "")
    if isinstance(value, dict):
        return "\n".join(f"{below(k, root)}: {shown(v, root)}" for k, v in value.items())
    if attrs.has(type(value)):
        found = attrs.asdict(value, recurse=False)
        return " ".join(
            f"{key}={shown(one, root)}" for key, one in found.items() if one not in (None, [], ())
        )
    return below(str(getattr(value, "name", value)), root)


def changed(value: Any, root: Path) -> str:
    """Return one part of an edit: the texts of a file, or a file that comes or moves."""
    if isinstance(value, types.RenameFile):
        return f"{below(value.old_uri, root)} => {below(value.new_uri, root)}"
    if isinstance(value, types.CreateFile):
        return f"new {below(value.uri, root)}"
    where = below(value.text_document.uri, root)
    return "\n".join(f"{where}:{span(one.range)} {one.new_text!r}" for one in value.edits)


def span(place: types.Range) -> str:
    """Return a range as `line:column-column`, or with both lines."""
    start, end = place.start, place.end
    last = f"{end.line + 1}:" if end.line != start.line else ""
    return f"{start.line + 1}:{start.character + 1}-{last}{end.character + 1}"


def below(uri: str, root: Path) -> str:
    """Return the path of a URI below the root."""
    return (path_of(uri) or uri).removeprefix(f"{root}/")
