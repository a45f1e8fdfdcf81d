"""Which files a level of a hierarchy may have, in linear time whatever is written."""

import pytest

from analyzer.lsp.languages.hierarchy import read_levels

TEXT = """\
version: 5
hierarchy:
  - {name: a, path: "nodes/%{facts.fqdn}.yaml"}
  - {name: b, glob: "x/**/*.yaml"}
  - name: c
    datadir: "/etc/code/environments/%{environment}/hieradata"
    paths: [c.yaml, "%{a}/d.yaml"]
"""


@pytest.mark.parametrize(
    ("path", "has"),
    [
        ("/r/data/nodes/a.b.yaml", [0]),
        ("/r/data/nodes/a.json", []),
        ("/r/data/x/y/z.yaml", [1]),
        ("/r/hieradata/c.yaml", [2]),
        ("/r/hieradata/site/d.yaml", [3]),
        ("/q/hieradata/c.yaml", []),
        ("/r/data/nodes/" + "a" * 5000, []),
    ],
)
def test_levels(path: str, has: list[int]) -> None:
    levels = read_levels(TEXT, "/r")
    assert [number for number, one in enumerate(levels) if one.has(path)] == has
    assert [one.constant for one in levels] == [False, False, True, False]
