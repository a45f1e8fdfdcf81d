"""Missing targets in worlds of which something else is not known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main

DECLARES = '{"name": "x-app", "version": "1.0.0", "dependencies": [{"name": "x-absent"}]}'

# Where a server's version decides about an override only.
BESIDE = """class app {
  file { '/x': }
  if versioncmp($serverversion, '3.5') > 0 { File['/x'] { mode => '0644' } }
  notify { 'a': before => Notify['b'] }
  unless $facts['os']['family'] == 'RedHat' { notify { 'b': } }
}
"""

# Where the first world that Puppet accepts has a class of a module that is not installed.
HIDDEN = """class app(Boolean $repo = false) {
  if $repo {
    if $facts['os']['name'] == 'CentOS' { include absent }
  }
  if $facts['os']['family'] == 'RedHat' {
    unless $facts['os']['release']['major'] == '7' { fail('unknown release') }
  } else {
    notify { 'b': }
  }
  notify { 'a': before => Notify['b'] }
}
"""


@pytest.mark.parametrize(("code", "system"), [(BESIDE, "rocky-9"), (HIDDEN, "centos-7")])
def test_what_is_not_known_beside_it_does_not_hide_it(
    code: str, system: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Puppet says in the witness: Could not find resource 'Notify[b]' in parameter 'before'
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/init.pp").write_text(code)
    (tmp_path / "metadata.json").write_text(DECLARES)
    assert main(["explore", str(tmp_path), "--class", "app", "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["nodes"][0]["findings"]
    assert finding["kind"] == "missing target"
    assert finding["condition"] == [{"input": "facts.os.family", "op": "is", "value": "RedHat"}]
    assert finding["witness"] == {"system": system}
