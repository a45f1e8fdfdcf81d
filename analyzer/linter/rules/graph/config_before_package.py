"""A configuration file is not ordered after its package.

Why: if the file is written before the package is installed, its folder may be missing, or the
package may replace the file or ask whether to keep it. Without a relationship, the order depends on
the position in the manifest. (It is a note if the file is directly in /etc and root owns it.)

Evidence: names and folders, and no order in the graph. It is a warning if writing fails without the
package, because the package creates the folder, the owner or the group, or the file of which a
resource changes a line. Nothing is reported if the
order is explicit (before a package, or after one of the same program), or if the code manages the
folder.

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

```puppet
define file_line($path, $line) { notify { $title: } }
package { 'ntp': }
file_line { 'pool': path => '/etc/ntp.conf', line => 'server pool.ntp.org' }  # <--
```

```puppet
define ini_setting($path, $setting) { notify { $title: } }
package { 'puppetdb': }
ini_setting { 'port': path => '/etc/puppetdb/jetty.ini', setting => 'port' }  # <--
```

```puppet
package { 'puppetdb': }
augeas { 'port':  # <--
  context => '/files/etc/puppetdb/jetty.ini',
  changes => 'set jetty/port 8080',
}
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
define file_line($path, $line) { notify { $title: } }
package { 'snmp': }
file_line { 'community': path => '/etc/snmp/snmpd.conf', line => 'rocommunity public' }
```

```puppet
define file_line($path, $line) { notify { $title: } }
package { 'ntp': }
file { '/etc/ntp.conf': content => 'server pool.ntp.org', require => Package['ntp'] }
-> file_line { 'pool': path => '/etc/ntp.conf', line => 'server pool.ntp.org' }
```

```puppet
define ini_setting($path, $setting) { notify { $title: } }
ini_setting { 'port': path => '/etc/puppetdb/jetty.ini', setting => 'port' }
-> package { 'puppetdb': }
```

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
package { 'iptables': }
exec { '/sbin/iptables-save > /etc/iptables.rules': }
file { '/etc/iptables.rules': mode => '0600' }
```

```puppet
package { 'dsh': }
file { '/etc/dsh': ensure => directory }
file { '/etc/dsh/machines': content => 'web1' }
```
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from analyzer.diagnostics import Step
from analyzer.linter.puppet.edits import add_reference
from analyzer.linter.puppet.related_resources import (
    ELSEWHERE,
    RelatedResources,
    accounts,
    config_files,
    has_content,
    module,
    names_of,
    stem,
    to_install,
)
from analyzer.linter.puppet.shared_targets import made_by, paths
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource

# Types that fail if the file does not exist, and the attribute that names it.
EDITORS = (("File_line", "path"), ("Augeas", "incl"))
# Types that create the file, which then is in the package's way.
CREATORS = (("Ini_setting", "path"), ("Ini_subsetting", "path"), ("Augeas", "context"))

# A file in the tree of Augeas.
TREE = re.compile(r"/files(?P<path>/etc(?:/[\w.-]+)+)/?\Z")

# Users and groups that every system has.
BASE = ("root", "wheel", "bin", "daemon", "sys", "adm", "mail", "nobody", "nogroup", "ssl-cert")


@rule("CG310", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each file below /etc and the packages that it may configure."""
    packages = RelatedResources(compiled, to_install(compiled))
    managed, known, chosen = paths(compiled), accounts(compiled), ChosenOrder(compiled, packages)
    made = {path for one in compiled.by_type.get("Exec", ()) for path in made_by(one)}
    for file, path in config_files(compiled):
        if path in made and not has_content(file):
            continue
        folder = path.rpartition("/")[0]
        provided = folder in managed and folder != "/etc"
        needs = needs_package(known, file, provided or folder == "/etc")
        if (provided and not needs) or chosen.has(file, path):
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
    yield from edits(compiled, packages, chosen, managed)


def edits(
    compiled: Compiled,
    packages: RelatedResources,
    chosen: ChosenOrder,
    managed: Container[str],
) -> Iterator[Problem]:
    """Check each resource that changes a line of a file that a package creates."""
    for kind, attribute in (*EDITORS, *CREATORS):
        for resource in compiled.by_type.get(kind, ()):
            path = edited(resource, attribute)
            if not path.startswith("/etc/") or ELSEWHERE.match(path) or path in managed:
                continue
            found = packages.of_config(path, module(compiled, resource))
            if found and not chosen.has(resource, path):
                yield Problem(
                    f"{resource} is not ordered after {found[0]}, which creates {path}",
                    resource.span,
                    (str(resource), str(found[0])),
                    (Step(f"{found[0]} is declared here", found[0].span, (str(found[0]),)),),
                    proposals=add_reference(compiled, resource, "require", found[0]),
                    severity="note" if is_writable(kind, attribute, path) else None,
                )


def edited(resource: Resource, attribute: str) -> str:
    """Return the file that an attribute names, empty if there is none."""
    given = resource.parameters
    if attribute != "context":
        return str(given.get(attribute, ""))
    match = TREE.match(str(given.get("context", "")))
    return "" if match is None or given.get("incl") else match["path"]


def is_writable(kind: str, attribute: str, path: str) -> bool:
    """Return whether a resource can write a file without the package's folder."""
    return (kind, attribute) in CREATORS and path.count("/") == len(("etc", "file"))


class ChosenOrder:
    """The explicit orders of files and packages.

    A file that is ordered before any package is a preseed, a repository, or an answer for the
    installer. A file that is ordered after a package with the name of its folder is ordered after
    the package that it needs.
    """

    def __init__(self, compiled: Compiled, packages: RelatedResources) -> None:
        self.compiled = compiled
        self.packages = packages
        self.before = self.reached(packages.resources, compiled.graph.predecessors())
        self.by_prefix: dict[str, list[Resource]] = {}
        self.after: dict[str, set[int]] = {}
        for package in packages.resources:
            stems = {stem(name) for name in names_of(package)}
            for beginning in {one[:length] for one in stems for length in range(len(one) + 1)}:
                self.by_prefix.setdefault(beginning, []).append(package)

    def has(self, file: Resource, path: str) -> bool:
        """Return whether a file is ordered before any package, or after one with its name."""
        word, node = stem(path.split("/")[2]), self.compiled.number(file)
        if word not in self.after:
            alike = self.by_prefix.get(word, ())
            self.after[word] = self.reached(alike, self.compiled.graph.successors)
        if node in self.before or node in self.after[word]:
            return True
        candidates = self.packages.of_config(path, module(self.compiled, file))
        if any(self.compiled.is_before(one, file) for one in candidates):
            return True
        # A package that is named but not declared is also meant to come first.
        given = [file.parameters.get(name) for name in ("require", "subscribe")]
        return any("Package[" in str(value) for value in given)

    def reached(self, packages: Iterable[Resource], edges: Sequence[Iterable[int]]) -> set[int]:
        """Return the nodes that can be reached from packages."""
        numbers = map(self.compiled.number, packages)
        pending = [number for number in numbers if number is not None]
        found: set[int] = set()
        while pending:
            new = set(edges[pending.pop()]) - found
            found |= new
            pending += new
        return found


def needs_package(known: dict[str, set[str]], file: Resource, has_folder: bool) -> bool:
    """Return whether writing the file fails before the package is installed.

    It fails if the package creates the folder, the owner or the group.
    """
    if not has_folder:
        return True
    for attribute, kind in (("owner", "User"), ("group", "Group")):
        name = file.parameters.get(attribute)
        # Of a list, the first that exists is the owner.
        if isinstance(name, str) and name not in known[kind].union(BASE) and not name.isdecimal():
            return True
    return False
