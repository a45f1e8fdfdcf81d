"""A small site with rules of its own, and what the lint finds with them."""

from __future__ import annotations

from pathlib import Path

from analyzer import lint
from analyzer.diagnostics import Finding

# Three profiles and a module, with a chain of collectors and a define.
SITE = {
    "manifests/site.pp": (
        "contain base, profile::a, profile::b, profile::c\n"
        "Class['profile::a'] -> Class['profile::b']\n"
    ),
    "modules/base/manifests/init.pp": (
        "class base {\n  package { 'chrony': }\n  base::unit { 'x': }\n}\n"
    ),
    "modules/base/manifests/unit.pp": (
        "define base::unit {\n  file { \"/etc/${title}\": }\n  file { '/etc/y': }\n}\n"
    ),
    "modules/profile/manifests/a.pp": (
        "class profile::a {\n  package { 'a': }\n  -> service { 'a': }\n}\n"
    ),
    "modules/profile/manifests/b.pp": (
        "class profile::b {\n"
        "  file { '/etc/b': require => Base::Unit['x'] }\n"
        "  ~> service { 'b': }\n"
        "}\n"
    ),
    "modules/profile/manifests/c.pp": (
        "class profile::c {\n  file { '/etc/c': before => Base::Unit['x'] }\n}\n"
    ),
}


def write(folder: Path, toml: str, files: dict[str, str] | None = None) -> Path:
    """Write a site with a configuration, and return its folder."""
    for name, text in {**SITE, **(files or {}), "catgraph.toml": toml}.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def found(folder: Path, toml: str, files: dict[str, str] | None = None) -> list[Finding]:
    """Return the findings of a configuration's rules in the site."""
    select = toml if "select" in toml else f'select = ["X"]\n{toml}'
    return lint([write(folder, select, files)])


def told(folder: Path, toml: str, files: dict[str, str] | None = None) -> list[str]:
    """Return place, severity and message of each finding."""
    rows = found(folder, toml, files)
    return [f"{name(f, folder)} {f.severity}: {f.message}" for f in rows]


def name(finding: Finding, folder: Path) -> str:
    """Return the file and line of a finding."""
    assert finding.span is not None
    return f"{Path(finding.span.file).relative_to(folder)}:{finding.span.line}"
