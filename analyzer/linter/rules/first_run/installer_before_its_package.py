"""A package of gem or pip is not ordered after the package of that program.

Why: Puppet does not relate a package to the program that installs it. On a new machine the provider
is missing, and the package fails.

Evidence: the attribute `provider` and a package of the catalog that provides its program, and the
graph does not order the two. A custom `command`, and Puppet's own Ruby (puppet_gem), need no
package.

Bad:

```puppet
package { 'python3-pip': }
package { 'requests': provider => 'pip3' }  # <--
```

Good:

```puppet
package { 'python3-pip': }
package { 'requests': provider => 'pip3', require => Package['python3-pip'] }
```

Silent:

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
    """Check each package of such a provider."""
    for pair in installer_and_package(compiled):
        message = f"{pair.second} is not ordered after {pair.first}, which provides {pair.thing}"
        found = unordered(compiled, pair, message)
        if found:
            yield found
