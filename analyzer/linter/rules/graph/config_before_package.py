"""A configuration file is not ordered after its package.

Why: if the file is written before the package is installed, its folder may be missing, or the
package may replace the file or ask about it. Without a relationship, the order depends on the
position in the manifest. (If a relationship puts the file first, this is only a note.)

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
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule


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
            first = compiled.is_before(file, package)
            how = "comes before" if first else "is not ordered after"
            yield Problem(
                f"{file} {how} {package}, which it configures",
                file.span,
                (str(file), str(package)),
                (Step(f"{package} is declared here", package.span, (str(package),)),),
                proposals=add_reference(compiled, file, "require", package),
                severity="note" if first else None,
            )
            break
