"""Writes the page of the playground, which runs no script but its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from analyzer.cli.play.answers import FACTS
from analyzer.cli.play.programs import samples
from analyzer.export.page import html_page
from analyzer.frontends.puppet.node.systems import MARK, SYSTEMS
from analyzer.version import VERSION

# The page's script consists of these, in this order and in one scope.
SCRIPTS = ("highlight.js", "program.js", "engine.js", "editor.js", "results.js", "play.js")
SLOT = re.compile(r"\{\{(\w+)\}\}")
# Versions that the page offers besides Puppet 8.
VERSIONS = {
    "openvox-8": "OpenVox 8",
    "openvox-9": "OpenVox 9",
    "7": "Puppet 7",
    "6": "Puppet 6",
    "5": "Puppet 5",
}
# The system that a sample without facts of its own is opened with.
USUAL = "@debian-12"


def render(more: Mapping[str, object], sources: Sequence[str] = ()) -> str:
    """Return the page; `more` are settings, and `sources` those that its policy admits too."""
    script = f'(() => {{\n"use strict";\n{"".join(map(template, SCRIPTS))}}})();\n'
    style = template("play.css")
    slots = {
        "policy": policy(script, style, sources),
        "style": style,
        "script": script,
        "parts": "",
        "settings": html_page.embedded({**common(), **more}),
    }
    return SLOT.sub(lambda match: slots[match[1]], template("play.html"))


def policy(script: str, style: str, sources: Sequence[str]) -> str:
    """Return the policy: the page's own script and that of the graph, which it shows in a frame."""
    scripts, styles = (script, html_page.script_text()), (style, html_page.template("page.css"))
    base = html_page.policy(scripts, styles)
    for source in sources:
        name, _, values = source.partition(" ")
        base = (
            base.replace(f"{name} ", f"{name} {values} ", 1)
            if f"; {name} " in base
            else f"{base}; {source}"
        )
    return base


def common() -> dict[str, object]:
    """Return the settings of every page."""
    return {
        "catgraph": VERSION,
        "systems": [f"{MARK}{name}" for name in SYSTEMS],
        "versions": [["", "Puppet 8"], *map(list, VERSIONS.items())],
        "samples": [
            {**one, "system": "" if FACTS in one["files"] else USUAL}
            for one in samples(sample_folder())
        ],
    }


def sample_folder() -> Path:
    """Return the folder of the samples: a wheel has them with the terminal screens."""
    root = Path(__file__).parents[3]
    inside = root / "tui" / "samples"
    return inside if inside.is_dir() else root / "sample_catalogs"


def template(name: str) -> str:
    """Return a file of the page."""
    return files("analyzer.cli.play.assets").joinpath(name).read_text(encoding="utf-8")
