"""A gem or pip package is not ordered after the package that provides gem or pip.

Why: Puppet does not relate a package to the program that installs it. On a new machine the provider
is missing, and the package fails.

Evidence: a package of the catalog provides the program of the `provider`, and the graph does not
order the two. A package with its own `command` needs no other package, nor does Puppet's own Ruby
(`puppet_gem`). Likewise for the version control system that fetches a source such as `git+https:`.

Bad:

```puppet
package { 'python3-pip': }
package { 'requests': provider => 'pip3' }  # <--
```

```puppet
package { 'subversion': }
package { 'tool': provider => 'pip3', source => 'svn+https://example.com/tool' }  # <--
```

Good:

```puppet
package { 'python3-pip': }
package { 'requests': provider => 'pip3', require => Package['python3-pip'] }
```

Silent:

```puppet
package { 'subversion': }
package { 'tool': provider => 'pip3', source => 'https://example.com/svn/tool.whl' }
```

```puppet
package { 'ruby': }
package { 'hiera-eyaml': provider => 'puppet_gem' }
```

```puppet
package { 'requests': provider => 'pip3' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.needs.packages import installer_and_package
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule


@rule("CG329", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each package whose provider comes with another package."""
    for pair in installer_and_package(compiled):
        message = f"{pair.second} is not ordered after {pair.first}, which provides {pair.thing}"
        found = unordered(compiled, pair, message)
        if found:
            yield found
