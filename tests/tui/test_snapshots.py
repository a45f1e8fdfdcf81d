"""What the screens show, as text, at two sizes; `--update` writes it anew."""

from pathlib import Path

import pytest

from .dsl import snapshot

HERE = Path(__file__).parent / "snapshots"
SIZES = {"80x24": (80, 24), "120x40": (120, 40)}

SHOWN = {
    "run_at_the_beginning": "open sample healthy_web_stack",
    "run_with_a_failure": """
        open sample healthy_web_stack
        select Package[postgresql]
        do inject
        press enter
        do continue
        do run-back-to
        do break
        do step
        do next-tab
        do next-tab
    """,
    "run_that_cannot_begin": "open sample layered_20x7",
    "run_recorded": """
        with catalog tests/apply/report/recorded/catalog.json
        open tests/apply/report/recorded/second.yaml
        do continue
    """,
    "policy": """
        open tests/frontends/cfengine/runs/methods_late.cf
        do step
        do step
        do step
        do step
        select Reports[main:after]
    """,
    "why": """
        open sample healthy_web_stack
        select Service[nginx]
        do why
    """,
    "compare": """
        open sample healthy_web_stack
        do continue
        do restart
        select Service[postgresql]
        do inject
        press enter
        do compare
    """,
    "nodes": """
        open sample_catalogs/control_repos/roles_in_site
        press n down down
    """,
    "welcome": "",
    "tour": "do tour",
    "help": """
        open sample healthy_web_stack
        do help
    """,
    "breakpoint": """
        open sample healthy_web_stack
        do breakpoints
        press enter
    """,
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SHOWN)
def test_screen(name: str, size: str, update: bool, tmp_path: Path) -> None:
    found = snapshot(SHOWN[name], tmp_path, SIZES[size]) + "\n"
    path = HERE / f"{name}.{size}.txt"
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")
