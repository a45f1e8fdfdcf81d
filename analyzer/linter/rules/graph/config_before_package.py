"""A configuration file is not ordered after its package.

Why: if the file is written before the package is installed, its folder may be missing, or the
package may replace the file or ask about it. Without a relationship, the order depends on the
position in the manifest. (It is a note if the file stands in /etc itself and root owns it.)

Evidence: names and folders, and no order in the graph. It is a warning if writing fails without the
package: its folder, owner or group comes with the package. An order that somebody chose silences
it: before a package, after one of the same program, or a folder that the code manages.

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

Silent:

```puppet
file { '/etc/grub/answers':
  content => 'yes',
  before  => Package['grub'],
}
package { 'grub': }
```

```puppet
package { 'ntp': }
file { '/etc/logrotate.d/ntp': content => 'weekly' }
```

```puppet
package { 'dsh': }
file { '/etc/dsh': ensure => directory }
file { '/etc/dsh/machines': content => 'web1' }
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
    names_of,
    stem,
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
    managed = paths(compiled)
    for file, path in config_files(compiled):
        folder = path.rpartition("/")[0]
        provided = folder in managed and folder != "/etc"
        needs = needs_package(compiled, file, provided or folder == "/etc")
        if (provided and not needs) or is_decided(compiled, packages, file, path):
            continue
        for package in packages.of_config(path, module(compiled, file)):
            yield Problem(
                f"{file} is not ordered after {package}, which it configures",
                file.span,
                (str(file), str(package)),
                (Step(f"{package} is declared here", package.span, (str(package),)),),
                proposals=add_reference(compiled, file, "require", package),
                severity=None if needs else "note",
            )
            break


def is_decided(compiled: Compiled, packages: RelatedResources, file: Resource, path: str) -> bool:
    """Return whether somebody ordered the file: after a package of the program, or before any.

    A file before a package is a preseed, a repository, or an answer for the installer. A package
    that is named but not declared was meant to come first.
    """
    word = stem(path.split("/")[2])
    for package in packages.resources:
        alike = any(stem(name).startswith(word) for name in names_of(package))
        if compiled.is_before(file, package) or (alike and compiled.is_before(package, file)):
            return True
    candidates = packages.of_config(path, module(compiled, file))
    if any(compiled.is_before(one, file) for one in candidates):
        return True
    given = [file.parameters.get(name) for name in ("require", "subscribe")]
    return any("Package[" in str(value) for value in given)


def needs_package(compiled: Compiled, file: Resource, has_folder: bool) -> bool:
    """Return whether writing the file fails before the package is there.

    It does if its folder comes with the package, or its owner or group.
    """
    if not has_folder:
        return True
    owners = {"owner": "User", "group": "Group"}
    for attribute, kind in owners.items():
        name = file.parameters.get(attribute)
        known = {name_of(one) for one in compiled.by_type.get(kind, ())}
        if isinstance(name, str) and name not in (*BASE, *known) and not name.isdecimal():
            return True
    return False
