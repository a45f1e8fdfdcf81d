"""A class or define reads a variable that it does not set.

Why: a class can read its own variables and those of its parent, the node and the top scope. A
misspelled name, or a variable of another class without its namespace, is undef in Puppet 7 and an
error in Puppet 8. Write `$::name` for a top-scope variable, and `$facts['name']` for a fact.

Evidence: the text of one class, the variables that the manifests of the site set or the paths of
its Hiera configuration use, and the custom facts of its modules. It is a note, because a node
classifier may set the variable. In a folder of modules without metadata whose site is elsewhere,
only names that resemble a known name, or share the prefix of several others, are reported. A
comment for puppet-lint (`lint:ignore:variable_scope`) accepts the variable too, and so does a
comment that describes it. A variable is also accepted if the code checks whether it is set, or if a
class without parameters uses it alone as a condition.

Bad:

```puppet
class web (Boolean $service_manage = true) {
  if $manage_service {  # <--
    service { 'nginx': }
  }
}
```

Good:

```puppet
class web (Boolean $service_manage = true) {
  if $service_manage {
    service { 'nginx': }
  }
}
```

Silent:

```puppet
class web inherits web::params {
  package { $packages: }
}
```

```puppet
define web::site {
  [80, 443].each |$port| { notify { "${title} ${port} ${osfamily} ${::role}": } }
}
```

```puppet
class backup {
  $target = $backup_target ? { '' => '/srv', default => $backup_target }
  if $use_nagios {
    notify { "checks ${target}": }
  }
}
```

```puppet
# [*smart_host*] must be set by the node classifier.
class mail (Array $relays = []) {
  notify { "${smart_host} ${relays}": }
}
```

```puppet
class legacy {
  notify { $from_the_node: } # lint:ignore:variable_scope
}
```
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from functools import cache

from analyzer.frontends.puppet.node.legacy_facts import MEGABYTES, MOVED, PARTS
from analyzer.frontends.puppet.node.typical import typical_facts
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.graph.labels import METAPARAMETERS
from analyzer.linter.puppet.ancestors import Ancestors
from analyzer.linter.puppet.legacy_names import set_by
from analyzer.linter.puppet.site_texts import (
    facts_beside,
    facts_of_site,
    lacks_site,
    set_in,
    site_of,
    texts_around,
    texts_of_site,
    used_by_hiera,
)
from analyzer.linter.puppet.subjects import Manifest
from analyzer.linter.rule import Problem, rule

DEFINITIONS = (
    a.HostClassDefinition,
    a.ResourceTypeDefinition,
    a.NodeDefinition,
    a.FunctionDefinition,
    a.PlanDefinition,
)

# Expressions that combine conditions.
CONNECTIVES = (a.AndExpression, a.OrExpression, a.NotExpression, a.ParenthesizedExpression)

# If that many variables of a class share a prefix, other names with it belong to the class too.
SIBLINGS = 3

Definition = a.HostClassDefinition | a.ResourceTypeDefinition

# Variables that Puppet itself sets, and metaparameters, which are variables of a define.
GIVEN = frozenset(
    {
        *("title", "name", "module_name", "caller_module_name", "environment"),
        *("facts", "trusted", "server_facts", "settings", "clientcert", "clientversion"),
        *("clientnoop", "servername", "serverip", "serverversion"),
        *(name for name, _ in METAPARAMETERS),
        *("alias", "audit", "consume", "export", "loglevel", "noop", "schedule", "stage", "tag"),
    }
)
# Legacy names of facts that combine several facts, and the server in `puppet://$server/modules`.
OLD = frozenset({"interfaces", "ps", "is_virtual", "timezone", "server"})
# Folders of modules with manifests that only show how to use them.
SHOWN = frozenset({"examples", "tests"})
# Prefixes of legacy facts about parts of the system: `ipaddress_eth0`.
OF_PARTS = tuple({*(name.partition("{}")[0] for name in PARTS), "sp_", "lsb", "ec2_", "gce"})


@rule("CG111", on=Manifest, severity="note")
def check(manifest: Manifest) -> Iterator[Problem]:
    """Compare the variables that each class and define reads with those that it sets."""
    if SHOWN.intersection(manifest.file.split("/")[-5:]):
        return
    read: dict[Definition, dict[str, Node]] = {}
    known: dict[Definition, set[str]] = {}
    asked: dict[Definition, set[str]] = {}
    beside = set_beside(manifest)
    kinds = (a.VariableExpression, a.AssignmentExpression, a.Parameter)
    for node, around in manifest.nodes(*kinds):
        home = next((one for one in reversed(around) if isinstance(one, DEFINITIONS)), None)
        if not isinstance(home, Definition) or getattr(home, "parent_class", None):
            continue
        if isinstance(node, a.VariableExpression):
            read.setdefault(home, {}).setdefault(name_of(node), node)
            if may_be_unset(node, around) or (not home.parameters and is_condition(node, around)):
                asked.setdefault(home, set()).add(name_of(node))
        else:
            known.setdefault(home, set()).update(set_by(node))
    for home, names in read.items():
        own = known.get(home, set())
        for name, node in names.items():
            if name in own | asked.get(home, set()) | beside or not is_local(name):
                continue
            if is_set_elsewhere(manifest.file, name, own) or is_accepted(
                manifest, name, node, near_to(name, own)
            ):
                continue
            yield Problem(message(name, home, near_to(name, own)), manifest.span(node))


def set_beside(manifest: Manifest) -> set[str]:
    """Return the variables that code outside of definitions sets; modules must not have any."""
    assigned = manifest.nodes(a.AssignmentExpression)
    outside = (n for n, around in assigned if not any(isinstance(x, DEFINITIONS) for x in around))
    return {name for node in outside for name in set_by(node)}


def is_set_elsewhere(file: str, name: str, own: Collection[str]) -> bool:
    """Return whether a site sets a variable or has a fact of that name, or may do so unseen.

    A name that resembles one of `own`, the variables of the class or define, belongs to the class.
    """
    site = site_of(file)
    set_there = set_by_site(site) if site else set_in(texts_around(file))
    if name in set_there | used_by_hiera(site) | facts_beside(file) | facts_of_site(site):
        return True
    return not (near_to(name, own) or is_of(name, own)) and lacks_site(file)


def may_be_unset(node: a.VariableExpression, around: Ancestors) -> bool:
    """Return whether code checks if a variable is set, or skips its value if it is not.

    Of several sources of a file, Puppet uses the first that exists.
    """
    above = around[-1]
    if isinstance(above, a.SelectorExpression) and above.left_expr is node:
        return any(is_unset(one.matching_expr) for one in above.selectors)
    if isinstance(above, a.CaseExpression) and above.test is node:
        return any(is_unset(value) for one in above.options for value in one.values)
    if isinstance(above, a.ComparisonExpression):
        return is_unset(above.left_expr) or is_unset(above.right_expr)
    listed = any(isinstance(one, a.LiteralList) for one in around)
    return listed and any(getattr(one, "attribute_name", "") == "source" for one in around)


def is_unset(node: object) -> bool:
    """Return whether a value is `undef`, or the empty string that Puppet 3 used instead."""
    return isinstance(node, a.LiteralUndef) or getattr(node, "value", None) == ""


def is_condition(node: a.VariableExpression, around: Ancestors) -> bool:
    """Return whether a variable by itself is a condition, for which unset is the same as false.

    It may be combined with others, or negated.
    """
    below: Node = node
    for above in reversed(around):
        if not isinstance(above, CONNECTIVES):
            return isinstance(above, (a.IfExpression, a.UnlessExpression)) and above.test is below
        below = above
    return False


def set_by_site(folder: str) -> frozenset[str]:
    """Return the variables that the manifests of a site set, for all nodes or for some."""
    return set_in(texts_of_site(folder))


def is_accepted(manifest: Manifest, name: str, node: Node, near: str) -> bool:
    """Return whether a comment accepts a variable for puppet-lint, or says that others set it.

    A comment that is an assignment is code that was taken out. A name that resembles one of the
    class's own, `near`, is misspelled in either place.
    """
    line = manifest.text.split("\n")[manifest.span(node).line - 1]
    described = rf"^\s*#.*(?:\[\*(?:::)?{name}\*\]|\$(?:::)?{name}\b(?!\s*=))"
    return "lint:ignore:variable_scope" in line or (
        not near and re.search(described, manifest.text, re.MULTILINE) is not None
    )


def name_of(node: a.VariableExpression) -> str:
    """Return the name of a variable as written, or an empty string for a match variable (`$1`)."""
    name = getattr(node.expr, "value", "")
    return name if isinstance(name, str) else ""


def is_local(name: str) -> bool:
    """Return whether a name can only belong to a variable of the class, as far as is known.

    Puppet refuses a name that begins with a capital (CG200).
    """
    elsewhere = name in GIVEN or name in facts() or name.startswith(OF_PARTS)
    return name.isidentifier() and not name[0].isupper() and not elsewhere


@cache
def facts() -> frozenset[str]:
    """Return the names of facts, including legacy facts."""
    return frozenset({*MOVED, *MEGABYTES, *OLD, *typical_facts("debian-12")})


def near_to(name: str, known: Collection[str]) -> str:
    """Return the variable or fact that a name resembles, or an empty string."""
    close = get_close_matches(name, known, 1, 0.8) or get_close_matches(name, facts(), 1, 0.9)
    return close[0] if close else ""


def is_of(name: str, known: Collection[str]) -> bool:
    """Return whether a class or define has several other variables with the prefix of a name."""
    prefix, found, _ = name.partition("_")
    return bool(found) and sum(one.startswith(f"{prefix}_") for one in known) >= SIBLINGS


def message(name: str, home: Definition, near: str) -> str:
    """Return the message about a variable, with a suggestion if there is one."""
    kind = "class" if isinstance(home, a.HostClassDefinition) else "define"
    hint = f"; did you mean '${near}'?" if near else ""
    return f"the {kind} does not set '${name}'{hint}"
