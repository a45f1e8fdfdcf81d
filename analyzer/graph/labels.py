"""The words for edges, as small integers in Puppet's order (Type.relationship_params)."""

from __future__ import annotations

REQUIRE, SUBSCRIBE, BEFORE, NOTIFY = range(4)
AUTOREQUIRE, AUTOSUBSCRIBE, AUTOBEFORE, AUTONOTIFY = range(4, 8)
CONTAINMENT = 8

NAMES = (
    "require",
    "subscribe",
    "before",
    "notify",
    "autorequire",
    "autosubscribe",
    "autobefore",
    "autonotify",
    "containment",
)

METAPARAMETERS = (
    ("require", REQUIRE),
    ("subscribe", SUBSCRIBE),
    ("before", BEFORE),
    ("notify", NOTIFY),
)

# Here the declaring resource is the target of the edge, and the named resource is its source.
INWARD = frozenset({REQUIRE, SUBSCRIBE, AUTOREQUIRE, AUTOSUBSCRIBE})
EVENTFUL = frozenset({SUBSCRIBE, NOTIFY, AUTOSUBSCRIBE, AUTONOTIFY, CONTAINMENT})
