"""Deep and long documents: each feature answers, without an internal error and in little time."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types

from analyzer.lsp.checks.manifests import diagnostics
from analyzer.lsp.features.table import TABLE
from analyzer.lsp.state.snapshot import RequestRefused
from tests.lsp.latency_of import asked_of
from tests.lsp.marked import snapshot_of

DEEP = 5_000
DOCUMENTS = {
    "a.pp": "$a = " + '"${' * DEEP + "1" + '}"' * DEEP,
    "b.pp": "$a = " + "[" * DEEP + "]" * DEEP,
    "c.pp": "if true { " * DEEP + "}" * DEEP,
    "d.pp": "class a { " * 1_000,
    "e.pp": "$a = $b" + ".map |$x| { $x }" * 1_000,
    "f.pp": "type A = " + "Array[" * DEEP + "Any" + "]" * DEEP,
    "g.epp": "<%= " + '"${' * DEEP,
    "h.yaml": "a: " + "[" * DEEP,
    "i.json": "[" * DEEP,
    "j.cf": 'bundle agent main { vars: "x" string => "' + "$(" * DEEP + '"; }',
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_deep_documents(name: str, tmp_path: Path) -> None:
    text, path = DOCUMENTS[name], str(tmp_path / name)
    snapshot = snapshot_of({name: text}, tmp_path)
    if name.endswith(".pp"):
        diagnostics(snapshot, path)
    for row in TABLE:
        try:
            row.answer(snapshot, asked_of(row, snapshot, path, len(text) // 2, len(text) // 2))
        except RequestRefused:
            continue


FILES = 2_400
RESOURCE = """  file {{ '/tmp/f{0}':
    ensure  => file,
    content => "x ${{facts['os']}}",
    require => File['/tmp/f{0}'],
  }}
"""


def calls_of(function: Callable[[], object]) -> int:
    """Return the number of calls that a function makes."""
    profile = cProfile.Profile()
    profile.runcall(function)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("method", "most"),
    [(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, 10), (types.TEXT_DOCUMENT_HOVER, 2)],
)
def test_long_documents(method: str, most: int, tmp_path: Path) -> None:
    """A document of 60,000 lines takes a second for a million calls; these are few for a line."""
    text = "class big {\n" + "".join(map(RESOURCE.format, range(FILES))) + "}\n"
    path, at = str(tmp_path / "site.pp"), text.index("/tmp/f1200") + 2
    snapshot = snapshot_of({"site.pp": text}, tmp_path)
    row = next(one for one in TABLE if (one.method, one.function) == (method, "answer"))
    asked = asked_of(row, snapshot, path, at, at)
    row.answer(snapshot, asked)
    assert calls_of(lambda: row.answer(snapshot, asked)) < most * FILES * 10
