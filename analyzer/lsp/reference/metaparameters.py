"""The metaparameters of all resources (Puppet::Type.newmetaparam), with values and descriptions."""

from __future__ import annotations

MEANINGS = {
    "alias": "Another name for this resource, for use in references",
    "audit": "Attributes whose changes are logged, or `all`",
    "before": "Apply this resource before those named",
    "loglevel": "The level at which changes are logged",
    "noop": "Log changes without making them",
    "notify": "Apply this resource before those named, and refresh them when it changes",
    "require": "Apply this resource after those named",
    "schedule": "The schedule that determines when this resource may be applied",
    "stage": "The run stage of a class; valid only for classes",
    "subscribe": "Apply this resource after those named, and refresh it when they change",
    "tag": "Tags of this resource, for collectors and `--tags`",
}

VALUES = {
    "loglevel": ("debug", "info", "notice", "warning", "err", "alert", "emerg", "crit", "verbose"),
    "noop": ("true", "false"),
}

# The metaparameters whose values are references to other resources.
RELATIONSHIPS = frozenset({"before", "notify", "require", "subscribe"})
