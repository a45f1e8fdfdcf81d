"""The code reads a legacy fact, which agents of Puppet 8 do not send.

Why: from Puppet 8 on, agents send no legacy facts unless `include_legacy_facts` is set. Then
`$facts['osfamily']` is undef, and `$osfamily` is an error. The structured facts that replace them
exist in Puppet 7, too. `catgraph upgrade` reports legacy facts of templates and data as well.

Evidence: the text of one manifest. A variable is a fact if the class or define, its parents, and
the manifests of the site set no variable of its name. The rule is off by default: a server may
still have its agents send legacy facts.

Bad:

```puppet
class web {
  if $facts['osfamily'] == 'Debian' { # <--
    package { 'apache2': }
  }
}
```

```puppet
class web {
  notify { "on ${::hostname}": } # <--
}
```

Good:

```puppet
class web {
  if $facts['os']['family'] == 'Debian' {
    package { 'apache2': }
  }
}
```

Silent:

```puppet
define web::site (String $domain = 'example.com') {
  notify { "${domain} ${title}": }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.legacy_names import reads_of
from analyzer.linter.puppet.subjects import Manifest
from analyzer.linter.rule import Problem, rule


@rule("CG114", on=Manifest, severity="note", default=False)
def check(manifest: Manifest) -> Iterator[Problem]:
    """Check each variable, and each fact that is read by its name."""
    for read in reads_of(manifest):
        yield Problem(read.message, manifest.span_at(read.start), proposals=read.proposals)
