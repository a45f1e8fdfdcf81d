"""What a PuppetDB sends reaches no terminal as a command: names, titles, values, places, errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.cli import main
from analyzer.fleet.sources.puppetdb_client import client_of
from analyzer.fleet.sources.puppetdb_config import access_to
from tests.cli.test_escapes import EVIL, NAME, UNSAFE, resources
from tests.fleet.puppetdb_server import State, serving, stored

QUESTIONS = ("cycles", "lint", "query type=Notify", "impact Notify[x]", "why Notify[x] Notify[y]")
FORMATS = ("text", "json", "jsonl", "sarif", "markdown", "openmetrics", "html")


def body(name: str, *, cyclic: bool) -> dict[str, Any]:
    """Return a catalog whose names all have control characters."""
    rows = [{"tags": [EVIL], "exported": False, **row} for row in resources(cyclic=cyclic)]
    return {
        "name": name, "version": EVIL, "environment": NAME, "resources": rows, "edges": [],
    }  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
def test_answers_of_a_hostile_server(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bodies = [body(f"web1{NAME}", cyclic=True), body(f"web2{NAME}", cyclic=False)]
    state = State([stored(one, f"h{EVIL}{n}") for n, one in enumerate(bodies)])
    with serving(state) as plain:
        url = f"puppetdb+{plain}"
        for words in QUESTIONS:
            question, *rest = words.split()
            main(["fleet", question, *rest, url, "--store", str(tmp_path / "s.db"), "-f", form])
            done = capsys.readouterr()
            for text in (done.out, done.err):
                assert UNSAFE.search(text) is None, (words, text[:2000])
            assert question != "cycles" or form == "openmetrics" or "Notify[A/x" in done.out
            assert "::error::pwn" not in [line.strip() for line in done.err.splitlines()]
        state.status, state.body = 500, f"no {EVIL}".encode()
        main(["fleet", "cycles", url, "-f", form])
        done = capsys.readouterr()
        assert UNSAFE.search(done.out + done.err) is None
        client_of(access_to(url, {})).http.close()
        client_of.cache_clear()
