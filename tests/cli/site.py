"""A small control repo for the lint's tests: one finding of each severity, and what to change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Tree = dict[str, str]

# Findings: CG101 (a note) in line 5 of site.pp, CG108 (a warning) in line 2 of init.pp, CG301 (an
# error) in line 4 of it.
SITE: Tree = {
    "environment.conf": "modulepath = modules\n",
    "manifests/site.pp": (
        "node default {\n"
        "  include web\n"
        "  package { 'curl': }\n"
        "  file { '/srv/curl': }\n"
        "  File['/srv/curl'] <- Package['curl']\n"
        "}\n"
    ),
    "modules/web/manifests/init.pp": (
        "class web {\n"
        "  include web::install\n"
        "  file { '/srv/web': ensure => directory }\n"
        "  service { 'web': require => Class['web'] }\n"
        "}\n"
    ),
    "modules/web/manifests/install.pp": "class web::install {\n  package { 'web': }\n}\n",
}

FOUND = [
    "manifests/site.pp:5:21 CG101",
    "modules/web/manifests/init.pp:2:3 CG108",
    "modules/web/manifests/init.pp:4:20 CG301",
]

CLEAN: Tree = {"site.pp": "package { 'a': }\n-> service { 'a': ensure => running }\n"}

Write = Callable[[Tree], Path]


def write(folder: Path, tree: Tree) -> Path:
    """Write files, and return the folder."""
    for name, text in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder
