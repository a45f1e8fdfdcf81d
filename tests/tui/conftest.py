"""A folder in the place of this machine, and style sheets that are parsed once for all tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet

from analyzer.apply.providers.machine.local import LocalHost

PARSED: dict[object, Any] = {}


@pytest.fixture(scope="session", autouse=True)
def _style_sheets_are_parsed_once() -> Iterator[None]:
    """Textual parses them for each application, which takes a third of a small test."""
    parse = Stylesheet._parse_rules

    def parsed(sheet: Stylesheet, *arguments: Any, **options: Any) -> Any:
        key = (*arguments, *options.values(), *sheet._variables.items())
        if key not in PARSED:
            PARSED[key] = parse(sheet, *arguments, **options)
        return PARSED[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parsed)
        yield


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that is taken for the machine, whose name is `here`."""
    folder = tmp_path / "root"
    folder.mkdir()
    monkeypatch.setattr("tui.run.local.this_host", lambda store=None: LocalHost(str(folder), store))
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("socket.gethostname", lambda: "here")
    return folder
