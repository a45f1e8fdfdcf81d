"""Programs with Ruby in them, and what Puppet makes of them."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.puppet.compiler.cases import blocks
from tests.oracle.facts import debian_11
from tests.oracle.harness import Question

HERE = Path(__file__).parent
MODULES = HERE / "modules"
HIERA = HERE / "hiera.yaml"
PROGRAMS, RECORDED = HERE / "programs.txt", HERE / "recorded.txt"


def questions() -> list[Question]:
    """What Puppet and we are asked."""
    common = {
        "modulepath": [str(MODULES)],
        "facts": debian_11(),
        "settings": {"hiera_config": str(HIERA)},
    }
    return [{"id": name, "code": code, **common} for name, code in blocks(PROGRAMS).items()]


def portable(text: str) -> str:
    """A text without what is this machine's."""
    return text.replace(str(MODULES), "<modules>")
