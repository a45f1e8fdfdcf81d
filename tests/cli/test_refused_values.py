"""Values that Puppet's types refuse stop a run before its start, in Puppet 7's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

CASES = [
    (
        "file { '/tmp/z': content => 1 }",
        "Parameter content failed on File[/tmp/z]: Munging failed for value 1 in class content: "
        "no implicit conversion of Integer into String",
    ),
    (
        "exec { '/bin/true': environment => [1] }",
        "Parameter environment failed on Exec[/bin/true]: Invalid environment setting '1'",
    ),
    (
        "exec { '/bin/true': cwd => 1 }",
        "Parameter cwd failed on Exec[/bin/true]: cwd must be a fully qualified path",
    ),
    (
        "package { 'z': install_options => 1 }",
        "Parameter install_options failed on Package[z]: "
        "Expected either a string or hash of options",
    ),
    (
        "file { '/tmp/z': backup => 1 }",
        "Parameter backup failed on File[/tmp/z]: Invalid backup type 1",
    ),
]


@pytest.mark.parametrize(("code", "said"), CASES)
def test_a_refused_value(run: Run, tmp_path: Path, code: str, said: str) -> None:
    path = tmp_path / "site.pp"
    path.write_text(code)
    done = run("apply", path)
    assert (done.code, done.out) == (1, f"the run fails: {said} (file: {path}, line: 1)\n")
    path.write_text(code.replace("1 }", "'/a=1' }").replace("[1]", "['a=1']"))
    assert "failed on" not in run("apply", path).out
