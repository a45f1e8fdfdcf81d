"""Compares refusals: the words of an error, without what is around them."""

from __future__ import annotations

from analyzer.pattern import pattern

# What Puppet puts around a message: what was going on, the place, the node, addresses of objects.
AROUND = pattern(
    r"\A(?:[A-Z]\w*(?:::\w+)*: |Could not parse for environment \w+: |Evaluation Error: "
    r"|Error while evaluating an? [^,]+?, |Puppet::Parser::Compiler failed with error \w+: )"
    r"| on node \S+\Z| by #<Puppet::Resource::Type:0x[0-9a-f]+>"
    r"|(?: \((?:file: [^)]*?, )?line: \d+(?:, column: \d+)?\))+\Z"
)
# Puppet's own code fails, in the words of Ruby.
FAILURE = pattern(
    r"undefined method |uninitialized constant |no implicit conversion "
    r"|wrong number of arguments \(given"
)
A_FAILURE = "a failure of Puppet itself"
# The parts in which messages with one cause differ.
NAMES = pattern(r"'[^']*'|\"[^\"]*\"|[\w:]+\[[^]]*\]|\$\w+|(?<=::)\w+|\d+")
# As much of a message as tells its cause.
LONGEST = 70


def words(message: str) -> str:
    """Return the message of an error of Puppet without its place and the moment."""
    before = ""
    while before != message:
        before, message = message, AROUND.sub("", message)
    return A_FAILURE if FAILURE.match(message) else message


def nameless(message: str) -> str:
    """Return the beginning of a message without names, so that others have the same."""
    return NAMES.sub("...", " ".join(message.split()))[:LONGEST]


def is_alike(ours: str, theirs: str) -> bool:
    """Return whether two refusals have the same words; nobody words Puppet's own failures."""
    return theirs in (ours, A_FAILURE)
