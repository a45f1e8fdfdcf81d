"""Releases of Puppet and OpenVox, and the table of what differs between them.

A release is a number, its major version, so that code compares it as one; what began or ended
within a major version, or in one of the two products, is a row of `DIFFERENCES`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import inf

from analyzer.pattern import pattern

PUPPET, OPENVOX = "puppet", "openvox"
OLDEST = 4
# The newest major version of each product.
NEWEST = {PUPPET: 8, OPENVOX: 9}
# OpenVox continues Puppet from this version on.
FORK = 8
# The major version that counts where nothing names one.
ASSUMED = 8

_TEXT = pattern(r"(?:(puppet|openvox)-?)?(\d+)?(?:\.(\d+))?(?:\.(\d+))?\Z")

Number = tuple[float, float, float]


class Release(int):
    """A version of Puppet or OpenVox: `7`, `8.9`, `openvox-8.28`; by itself its major version.

    `product` is empty if only a major version is named, which both have. Parts that are not named
    are the newest.
    """

    product: str
    number: Number

    @classmethod
    def parse(cls, text: str) -> Release:
        """Read a version.

        Raises:
            ValueError: there is none of this name.
        """
        match = _TEXT.match(text)
        product = match[1] or "" if match else ""
        if match is None or not (match[2] or (product == OPENVOX and "." not in text)):
            raise ValueError(text)
        major = int(match[2] or NEWEST[product])
        if not product and match[3]:
            product = PUPPET
        least = FORK if product == OPENVOX else OLDEST
        if not least <= major <= NEWEST[product or PUPPET]:
            raise ValueError(text)
        made = cls(major)
        made.product = product
        minor, patch = (inf if part is None else int(part) for part in match.groups()[2:])
        made.number = (major, minor, patch)
        return made

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Release):
            return (self.product, self.number) == (other.product, other.number)
        return int(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return int.__hash__(self)

    def __str__(self) -> str:
        parts = [str(part) for part in self.number if part != inf]
        return f"{self.product}-{'.'.join(parts)}" if self.product == OPENVOX else ".".join(parts)

    __repr__ = __str__

    def __reduce__(self) -> tuple[object, ...]:
        return Release.parse, (str(self),)


def release_of(version: int) -> Release:
    """Return a release; a number is the major version of both products."""
    return version if isinstance(version, Release) else _of_major(int(version))


@cache
def _of_major(version: int) -> Release:
    return Release.parse(str(version))


def title_of(release: Release) -> str:
    """Return a release as a sentence names it."""
    name = "OpenVox" if release.product == OPENVOX else "Puppet"
    return f"{name} {str(release).removeprefix('openvox-')}"


# From and before which releases something holds; None: always, or never ends.
Span = tuple[Number | None, Number | None]


@dataclass(frozen=True, slots=True)
class ReleaseDifference:
    """A thing in which releases differ: a name, words, and the spans in which it holds.

    `source` names the file of Puppet's, `case` the recorded program that shows it.
    """

    name: str
    what: str
    puppet: tuple[Span, ...]
    openvox: tuple[Span, ...]
    source: str
    case: str = ""

    def holds_in(self, product: str, number: Number) -> bool:
        """Return whether it holds in a release of a product."""
        spans = self.openvox if product == OPENVOX else self.puppet
        return any(
            (start is None or number >= start) and (end is None or number < end)
            for start, end in spans
        )


ALWAYS: tuple[Span, ...] = ((None, None),)
NEVER: tuple[Span, ...] = ()


def since(*number: int) -> tuple[Span, ...]:
    """Return the span from a release on."""
    return (((number[0], number[1], number[2]), None),)


def before(*number: int) -> tuple[Span, ...]:
    """Return the span before a release."""
    return ((None, (number[0], number[1], number[2])),)


STRICT = "strict"
MARKED_NODE_NAMES = "marked_node_names"
LOST_NODE_BLOCKS = "lost_node_blocks"
IMPLEMENTATION = "implementation"
IMPLEMENTATION_FACT = "implementation_fact"
NO_ENCODING = "no_encoding"
REGSUBST_SECRETS = "regsubst_secrets"
SPLIT_SECRETS = "split_secrets"
ORDERED_VERSIONS = "ordered_versions"
RESOLVES_FIRST = "preprocess_deferred"

DIFFERENCES = (
    ReleaseDifference(
        STRICT,
        "the settings strict and strict_variables are on: unknown variables are errors",
        since(8, 0, 0),
        ALWAYS,
        "defaults.rb",
        "var: unknown",
    ),
    ReleaseDifference(
        MARKED_NODE_NAMES,
        "names of node blocks tell groups of regular expressions apart",
        since(8, 9, 0),
        ALWAYS,
        "resource/type.rb",
        "node /(?<!a)sync/ { } node /async/ { } node default {say('D')}",
    ),
    ReleaseDifference(
        LOST_NODE_BLOCKS,
        "a node block whose regular expression has a group such as (?:...) may not be found",
        since(8, 9, 0),
        before(8, 28, 1),
        "resource/type.rb",
        "node /^(?:web)/ { say('W') } node default {say('D')}",
    ),
    ReleaseDifference(
        IMPLEMENTATION_FACT,
        "the agent adds the fact implementation",
        NEVER,
        since(8, 19, 0),
        "node/facts.rb",
        "the fact of the implementation",
    ),
    ReleaseDifference(
        IMPLEMENTATION,
        "the server adds the variable $serverimplementation",
        NEVER,
        since(8, 19, 2),
        "node/server_facts.rb",
        "the variable of the implementation",
    ),
    ReleaseDifference(
        NO_ENCODING,
        "regsubst takes no encoding",
        NEVER,
        since(9, 0, 0),
        "functions/regsubst.rb",
        "regsubst with an encoding",
    ),
    ReleaseDifference(
        SPLIT_SECRETS,
        "split takes a Sensitive text",
        (((7, 27, 0), (8, 0, 0)), *since(8, 3, 0)),
        ALWAYS,
        "functions/split.rb",
        "split of a secret",
    ),
    ReleaseDifference(
        REGSUBST_SECRETS,
        "regsubst takes Sensitive texts",
        since(8, 11, 0),
        since(8, 26, 0),
        "functions/regsubst.rb",
        "regsubst of a secret",
    ),
    ReleaseDifference(
        ORDERED_VERSIONS,
        "max and min compare versions and times as such, not as texts",
        since(8, 0, 0),
        ALWAYS,
        "functions/max.rb",
        "max of versions",
    ),
    ReleaseDifference(
        "legacy_facts",
        "agents send legacy facts by default",
        before(8, 0, 0),
        NEVER,
        "defaults.rb",
    ),
    ReleaseDifference(
        "undefined_interpolation",
        "an unknown variable in Hiera data is an error",
        since(8, 0, 0),
        ALWAYS,
        "pops/lookup/interpolation.rb",
    ),
    ReleaseDifference(
        RESOLVES_FIRST,
        "the agent resolves Deferred values before it applies the catalog",
        before(8, 0, 0),
        since(9, 0, 0),
        "defaults.rb",
    ),
    ReleaseDifference(
        "checksum_content",
        "the content of a file that looks like a checksum is one, and no text",
        ALWAYS,
        before(9, 0, 0),
        "type/file/content.rb",
    ),
    ReleaseDifference(
        "zone_core",
        "the agent has the type zone",
        ALWAYS,
        before(9, 0, 0),
        "packaged modules",
    ),
    ReleaseDifference(
        "reports_store",
        "the server stores reports by default",
        ALWAYS,
        before(9, 0, 0),
        "defaults.rb",
    ),
    ReleaseDifference(
        "data_binding_terminus",
        "the settings data_binding_terminus and hiera's indirection exist",
        ALWAYS,
        before(9, 0, 0),
        "defaults.rb",
    ),
)
_BY_NAME = {row.name: row for row in DIFFERENCES}


def has(version: int, name: str) -> bool:
    """Return whether a difference holds in a release; of a major version alone: in both products.

    There is no Puppet after 8, and no OpenVox before.
    """
    release = release_of(version)
    return _has(release.product, release.number, name)


@cache
def _has(product: str, number: Number, name: str) -> bool:
    row, major = _BY_NAME[name], number[0]
    return all(
        row.holds_in(one, number)
        for one in (PUPPET, OPENVOX)
        if product in ("", one) and (major <= NEWEST[one] if one == PUPPET else major >= FORK)
    )
