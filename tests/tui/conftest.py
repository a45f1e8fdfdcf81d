"""A folder in the place of this machine."""

from pathlib import Path

import pytest

from analyzer.apply.providers.machine.local import LocalHost


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
