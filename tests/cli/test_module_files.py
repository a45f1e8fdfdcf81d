"""Files of modules: what is found, and what the repository leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main

from .test_repository_shapes import write

pytestmark = pytest.mark.usefixtures("one_world")


@pytest.mark.parametrize(
    ("ignored", "count"),
    [
        ("", 1),
        ("# modules/secret/files\n/files/\n", 1),
        ("modules/secret/files\n!modules/secret/files/x\n", 1),
        ("/modules/secret/files/\n", 0),
        ("*.pem\nfiles\n", 0),
        ("/modules/*/files/x*\n", 0),
        # The module was installed here, with all that it has.
        ("/modules/\n", 1),
        ("/modules/secret/\n", 1),
    ],
)
def test_a_file_that_the_repository_leaves_out_may_exist(
    ignored: str, count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        ".gitignore": ignored,
        "environment.conf": "",
        "manifests/site.pp": "notify { 'x': message => file('secret/x') }\n",
        "modules/secret/manifests/init.pp": "class secret { }\n",
    }
    main(["lint", write(tmp_path, files)])
    out = capsys.readouterr().out
    assert out.count("error:") == count
    assert ("leaves it out by .gitignore" in out) == (count == 0)


@pytest.mark.parametrize(
    ("name", "text"),
    [("m/x", "the one with .epp"), ("m/y", None), ("m/x.epp", "the one with .epp")],
)
def test_a_template_of_a_module_has_the_ending_epp(
    name: str, text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "environment.conf": "",
        "manifests/site.pp": f"notify {{ 'a': message => epp('{name}') }}\n",
        "modules/m/templates/x": "the one without",
        "modules/m/templates/x.epp": "the one with .epp",
        "modules/m/templates/y": "the one without",
    }
    code = main(["compile", write(tmp_path, files), "--node", "default"])
    out, err = capsys.readouterr()
    assert (code, text or "") == (0 if text else 3, text if text and text in out else "")
    assert text or f"Could not find template '{name}.epp'" in err
