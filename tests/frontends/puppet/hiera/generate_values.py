"""Values, keys and broken files for environments made at random."""

from __future__ import annotations

import re
from random import Random
from typing import Any

FACTS: dict[str, Any] = {
    "role": "web",
    "os": {"family": "Debian", "name": "Debian", "release": {"major": "12"}},
    "list": ["one", "two"],
    "num": 5,
    "flag": False,
    "empty": "",
    "nested": "%{role}",
    "loop": "%{loop}",
    "calls": "%{lookup('k1')}",
}
KEYS = ["k1", "k2", "k3", "k4", "list", "list2", "h", "h2", "d.x", "a::p", "a::h", "b::q", "::g"]
SCALARS: list[Any] = [
    "x",
    "y",
    "--x",
    "--",
    "",
    1,
    2,
    1.5,
    1.0,
    True,
    False,
    None,
    "a b",
    "é\n",
    1e20,
]
EXPRESSIONS = [
    "%{role}",
    "%{::role}",
    "%{facts.os.family}",
    "%{facts.os}",
    "%{facts.list}",
    "%{facts.list.1}",
    "%{facts.list.x}",
    "%{num}-%{flag}-%{empty}",
    "%{nope}",
    "%{nope.x}",
    "%{nested}",
    "%{loop}",
    "%{calls}",
    "%{lookup('k1')}",
    "%{hiera('k2')}",
    "<%{lookup('h.x')}>",
    "%{alias('k3')}",
    "%{alias('list')}",
    "x%{alias('k3')}",
    "%{alias('h.x')}",
    "%{scope('role')}",
    "%{literal('%')}{role}",
    "%{lookup('a::p')}",
    "%{lookup('none')}",
    "%{lookup(\"k4\")} and %{lookup('list')}",
    "%{}",
    "%{::}",
    "% {x} %{ role }",
    "%{nosuch('x')}",
    "%{lookup('bad.')}",
    "%{lookup('lookup_options')}",
    "%{role.x}",
    "%{num.x}",
    "%{'role'}",
    '%{"os".family}',
    "%{trusted.certname}",
    "%{environment}",
    "%{lookup('k1')}%{lookup('k1')}",
    "%{lookup('h2')}",
    "%{facts.'os'.name}",
    "%{a b}",
    "%{lookup(k1)}",
    "%{x",
]
GOOD = [
    text for text in EXPRESSIONS[:31] if not {"loop", "x%", "bad"} & set(re.findall(r"\w+%?", text))
]
BROKEN_DATA = [
    "a: [\n",
    "a: b: c\n",
    "- 1\n",
    "",
    "text\n",
    "a: 2001-01-01\n",
    "k1: !ruby/object:X {}\n",
    "a: *b\n",
    "k1: :sym\n",
    "1: 2\nk1: 3\n",
    "k1: {1: {2: 3}}\n",
    ":k1: sym\n",
    "\t- x\n",
]
BROKEN_CONFIGS = [
    "a: [\n",
    "",
    "- 1\n",
    "version: 6\n",
    "version: 3\n",
    "version: 5\nhierarchy: x\n",
    "version: 5\nhierarchy: [{}]\n",
    "version: 5\nhierarchy: [{name: 1}]\n",
    "version: 5\nhierarchy: [{name: x, path: a, paths: [b]}]\n",
    "version: 5\nhierarchy: [{name: x, foo: 1, paths: []}]\n",
    "version: 5\nhierarchy:\n  - name: x\n    path: a\n  - name: x # x\n    path: b\n",
    "version: 5\ndefault_hierarchy: []\n",
    "version: 5\ndefaults: {datadir: d}\nhierarchy: [{name: x}]\n",
    "version: 5\nhierarchy: [{name: x}]\n",
    "version: 5\nhierarchy: [{name: x, uri: 'http://x/%{role}'}]\n",
    "version: 5\nhierarchy: [{name: x, data_hash: nosuch, path: common.yaml}]\n",
    "version: 5\nhierarchy: [{name: x, options: {path: 1}}]\n",
    "version: 5\nhierarchy: [{name: x, options: {_a: 1}}]\n",
    "version: 5\nhierarchy: [{name: x, path: \"%{lookup('k1')}\"}]\n",
    "version: 5\nhierarchy: [{name: x, path: '%{loop}'}]\n",
    "version: 5\nhierarchy: [{name: x, path: '%{role..x}'}]\n",
    "version: 5\nhierarchy: [{name: x, mapped_paths: [a, b]}]\n",
    "version: 5\nhierarchy: [{name: x, hiera3_backend: yaml}]\n",
    "version: 5\ndefaults: {data_hash: a, lookup_key: b}\n",
]
LEAVES = ["x", "y", "0", "z.y", "deep.a.0", "'x'", "n"]
ODD_KEYS = [
    "none", "d.x", "'d.x'", "\"k1\"", "k1.", "", "k1..x", "lookup_options", "lookup_options.k1",
    "nomod::x", "a::none", "::g", "h.1", "list.-1", "list.9", "k1.'", "h. x", "a::h.x.y",
]  # fmt: skip


class Values:
    """Makes values that fit the keys, mostly."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def key(self) -> str:
        """A key to look up."""
        chance = self.random.random()
        if chance < 0.65:
            return self.random.choice(KEYS)
        if chance < 0.88:
            name = self.random.choice(["h", "h2", "list", "a::h", "k1", "k2"])
            return f"{name}.{self.random.choice(LEAVES)}"
        return self.random.choice(ODD_KEYS)

    def value(self, key: str) -> Any:
        """A value for a key: hashes for `h`, arrays for `list`."""
        if self.random.random() < 0.06:
            return self._any(2)
        if key.endswith(("h", "h2")):
            return self._hash(3)
        if key.startswith("list"):
            return self._list(2)
        return self._any(1)

    def _any(self, depth: int) -> Any:
        chance = self.random.random()
        if depth and chance < 0.15:
            return self._list(depth)
        if depth and chance < 0.3:
            return self._hash(depth)
        return self._scalar()

    def _scalar(self) -> Any:
        if self.random.random() < 0.35:
            return self.random.choice(EXPRESSIONS if self.random.random() < 0.3 else GOOD)
        return self.random.choice(SCALARS)

    def _list(self, depth: int) -> list[Any]:
        return [self._any(depth - 1) for _ in range(self.random.randint(0, 4))]

    def _hash(self, depth: int) -> dict[str, Any]:
        names = self.random.sample(["x", "y", "z", "--x", "deep", "%{role}", "0", "n"], 4)
        return {name: self._any(depth - 1) for name in names[: self.random.randint(0, 4)]}
