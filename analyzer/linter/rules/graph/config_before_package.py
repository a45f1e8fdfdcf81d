"""A configuration file is not ordered after its package.

Why: if the file is written before the package is installed, its folder may be missing, or the
package may replace the file or ask about it. Without a relationship, the order depends on the
position in the manifest. (It is a note if the folder and the owner of the file are there anyway.)

Bad:

```puppet
package { 'ntp': }
file { '/etc/ntp.conf': content => 'server pool.ntp.org' }  # <--
```

```puppet
class nginx {
  package { 'nginx': }
}
include nginx
file { '/etc/nginx/site.conf': content => 'server { }' }  # <--
```

Good:

```puppet
package { 'ntp': }
file { '/etc/ntp.conf':
  content => 'server pool.ntp.org',
  require => Package['ntp'],
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.edits import add_reference
from analyzer.linter.puppet.related_resources import (
    RelatedResources,
    config_files,
    is_present,
    module,
    name_of,
)
from analyzer.linter.puppet.shared_targets import paths
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource

# Users and groups that every system has.
BASE = ("root", "wheel", "bin", "daemon", "sys", "adm", "mail", "nobody", "nogroup", "ssl-cert")


@rule("CG310", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each file below /etc and the packages that it may be for."""
    packages = RelatedResources(
        compiled, (p for p in compiled.by_type.get("Package", ()) if is_present(p))
    )
    for file, path in config_files(compiled):
        for package in packages.of_config(path, module(compiled, file)):
            if compiled.is_before(package, file):
                break
            if compiled.is_before(file, package):
                # Somebody decided so: a preseed, a repository, an answer for the installer.
                break
            yield Problem(
                f"{file} is not ordered after {package}, which it configures",
                file.span,
                (str(file), str(package)),
                (Step(f"{package} is declared here", package.span, (str(package),)),),
                proposals=add_reference(compiled, file, "require", package),
                severity=None if needs_package(compiled, file, path) else "note",
            )
            break


def needs_package(compiled: Compiled, file: Resource, path: str) -> bool:
    """Return whether writing the file fails before the package is there.

    It does if its folder comes with the package, or its owner or group.
    """
    folder = path.rpartition("/")[0]
    if folder != "/etc" and folder not in paths(compiled):
        return True
    owners = {"owner": "User", "group": "Group"}
    for attribute, kind in owners.items():
        name = file.parameters.get(attribute)
        known = {name_of(one) for one in compiled.by_type.get(kind, ())}
        if isinstance(name, str) and name not in (*BASE, *known) and not name.isdecimal():
            return True
    return False
