"""The manifests do not compile for a node.

Why: the agent gets no catalog and changes nothing until you fix the error. The message is Puppet's.

Evidence: the compilation of a node ended with this error. If a class is compiled by itself, only
names count that its own module, or another installed module, would have to define. Names of
declared modules that are not installed are reported as one error at the Puppetfile. Modules that
the repository neither has nor declares are one warning: the server may have them. A statement
that reads a custom fact which you did not provide is not reported: the completeness statement names
the fact. Also not reported are names that may come from a folder of the modulepath that was not
searched or from a module of Puppet Enterprise, Hiera values if the site's hiera.yaml has version 3,
which only the global configuration may have, and calls of `fail` for the node `default`, which has
no real name.

Bad:

```puppet
class web(Integer $port) { }
class { 'web': port => 'http' }  # <--
```

Good:

```puppet
class web(Integer $port) { }
class { 'web': port => 80 }
```

Silent:

```puppet
class web(Integer $port = 80) { }
include web
```

```puppet
node 'web1' { }
node default { fail('unknown node') }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.frontends.puppet.refusals import NOT_LISTED
from analyzer.linter.puppet.site_texts import is_in_site, is_unproven
from analyzer.linter.puppet.subjects import MISSING_IN_MODULE, Refusal
from analyzer.linter.rule import Problem, rule
from analyzer.linter.rules.catalog.duplicate_declaration import is_duplicate

ADD = (
    "the checkout has no such module, and no list of modules names it: add it to the list and run"
    " `catgraph modules --install`, or give --modulepath DIRS"
)


@rule("CG200", on=Refusal, severity="error")
def check(refusal: Refusal) -> Iterator[Problem]:
    """Check the error that ended a compilation.

    A class of a module that is compiled by itself may only need other parameters.
    """
    error = refusal.error
    certain = error.code == MISSING_IN_MODULE and not is_in_site(error)
    if (certain or not refusal.partial) and not is_duplicate(refusal) and not is_unproven(error):
        # Only this message names the node; without it the message is the same for every node.
        message = re.sub(r"(Could not find class \S+) for [^\s;]+", r"\1", error.message)
        if error.code == NOT_LISTED:
            yield Problem(message, error.span, notes=(ADD,), severity="warning")
        else:
            yield Problem(message, error.span)
