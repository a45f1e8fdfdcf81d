"""Helpers of the rules about policies: places, names, similar names, and edits."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from analyzer.diagnostics import Edit, Step
from analyzer.linter.rule import Proposal
from analyzer.model.names import capitalize_type
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.possible_classes import Moment
    from analyzer.frontends.cfengine.policy.sites import Site
    from analyzer.frontends.cfengine.syntax.ast import Bundle
    from analyzer.linter.policies import PolicyRun

Node = TypeVar("Node", bound=Hashable)

LONGEST = 60
# A guard that begins with a promise type: class names contain no spaces.
SWALLOWED = re.compile(r"([a-z_]\w*):[ \t]+\S")
# The minimum similarity, and the minimum length, of names that may be confused.
ALIKE, SHORTEST = 0.85, 4


def ref_of(site: Site) -> str:
    """Return the name of a promise, as `catgraph order` and `why` print it."""
    words = " ".join(site.promise.promiser.split())
    short = words if len(words) <= LONGEST else f"{words[: LONGEST - 3]}..."
    return f"{capitalize_type(site.type)}[{site.bundle.name}:{short}]"


def place_of(site: Site, *names: str) -> Span:
    """Return the place of an attribute of a promise, or of the promise if it has none."""
    for attribute in site.promise.attributes:
        if attribute.name in names and attribute.line:
            return attribute.span
    return site.promise.span


def step_of(site: Site, what: str) -> Step:
    """Return a step of a finding about a promise."""
    return Step(f"{ref_of(site)} {what}", site.promise.span, (ref_of(site),))


def in_pass(moment: Moment) -> str:
    """Return `in pass 2`, or `before the first pass`."""
    return f"in pass {moment.number}" if moment.number else "before the first pass"


def when_done(site: Site, moment: Moment) -> str:
    """Return when a promise is done that another one waits for, in words."""
    owner = moment.site
    if owner is not None and owner.bundle is not site.bundle:
        return f"in the bundle '{bundle_name(owner.bundle)}', which comes later"
    return f"in pass {moment.number}, after the last evaluation of this promise"


def near(name: str, known: Iterable[str]) -> str:
    """Return the known name that is most similar to a name, or an empty string."""
    if len(name) < SHORTEST:
        return ""
    # Much longer or shorter names are not similar.
    most, least = len(name) * (2 / ALIKE - 1), len(name) / (2 / ALIKE - 1)
    close = (one for one in known if one != name and least <= len(one) <= most)
    plain = {one.lower().replace("-", "_"): one for one in close}
    found = get_close_matches(name.lower().replace("-", "_"), plain, 1, ALIKE)
    return plain[found[0]] if found else ""


def hint(name: str) -> str:
    """Return the question "did you mean", or an empty string without a name."""
    return f"; did you mean '{name}'?" if name else ""


def words_of(text: str, start: int, end: int, name: str) -> Iterator[tuple[int, int]]:
    """Yield the places of a name as a whole word in a part of a text."""
    for found in re.finditer(rf"(?<![\w:-]){re.escape(name)}(?![\w:-])", text[start:end]):
        yield start + found.start(), start + found.end()


def offset_of(text: str, span: Span) -> int:
    """Return the offset of a place in a text."""
    return line_starts(text)[span.line - 1] + span.column - 1


@lru_cache(maxsize=16)
def line_starts(text: str) -> list[int]:
    """Return the offsets at which the lines of a text begin, and one after its end."""
    starts = [0]
    while (end := text.find("\n", starts[-1])) >= 0:
        starts.append(end + 1)
    return [*starts, len(text) + 1]


def extent(text: str, site: Site) -> tuple[int, int]:
    """Return the start of a promise, and the end of its last attribute's line."""
    last = max([site.promise.line, *(a.line for a in site.promise.attributes)])
    starts = line_starts(text)
    return offset_of(text, site.promise.span), starts[min(last, len(starts) - 1)] - 1


def renamed(run: PolicyRun, site: Site, names: tuple[str, ...], old: str, new: str) -> Proposal:
    """Return the proposal to replace a name in some attributes of a promise."""
    file = site.promise.span.file
    text = run.text_of(file) or ""
    _, end = extent(text, site)
    starts = sorted(offset_of(text, a.span) for a in site.promise.attributes)
    edits = []
    for attribute in site.promise.attributes:
        if attribute.name in names and attribute.line:
            start = offset_of(text, attribute.span)
            last = next((s for s in starts if s > start), end)
            edits += [Edit(file, *at, new) for at in words_of(text, start, last, old)]
    return guess(old, new, edits)


def guess(old: str, new: str, edits: Iterable[Edit]) -> Proposal:
    """Return the unsafe proposal to replace a name with a similar one."""
    return Proposal(f"replace '{old}' with '{new}'", tuple(edits), unsafe=True)


def guard_place(run: PolicyRun, site: Site) -> Span:
    """Return the place of the guard over a promise, or of the promise if it is not found."""
    text = run.text_of(site.promise.span.file)
    found = guard_offset(text, site) if text is not None else -1
    if text is None or found < 0:
        return site.promise.span
    line = bisect_right(line_starts(text), found)
    return Span(site.promise.span.file, line, found - line_starts(text)[line - 1] + 1)


def swallowed_type(guard: str) -> str:
    """Return the promise type at the start of a guard, or an empty string."""
    found = SWALLOWED.match(guard)
    return found[1] if found else ""


def guard_offset(text: str, site: Site) -> int:
    """Return the offset of the guard over a promise, or -1 if it is not found."""
    guard, found = site.promise.guard, offset_of(text, site.promise.span)
    whole = re.compile(rf"(?<![\w.|&!()]){re.escape(guard)}[ \t]*::")
    while (found := text.rfind(guard, 0, found)) >= 0:
        if whole.match(text, found):
            return found
        found += len(guard) - 1
    return -1


def renamed_in_guard(run: PolicyRun, site: Site, old: str, new: str) -> Proposal | None:
    """Return the proposal to replace a class in the guard over a promise."""
    file = site.promise.span.file
    text = run.text_of(file)
    start = guard_offset(text, site) if text is not None else -1
    if text is None or start < 0:
        return None
    places = words_of(text, start, start + len(site.promise.guard), old)
    return guess(old, new, (Edit(file, *at, new) for at in places))


def bundle_name(bundle: Bundle) -> str:
    """Return the name of a bundle, with its namespace unless that is the default."""
    space = "" if bundle.namespace == "default" else f"{bundle.namespace}:"
    return space + bundle.name


def shortest_loop(start: Node, edges: Callable[[Node], Iterable[tuple[Site, Node]]]) -> list[Site]:
    """Return the promises on a shortest path from a node back to it, or none.

    `edges` returns the promises that lead on from a node, with the nodes that they lead to.
    """
    before: dict[Node, tuple[Node, Site]] = {}
    pending = deque([start])
    while pending:
        node = pending.popleft()
        for site, following in edges(node):
            if following == start:
                loop = [site]
                while node != start:
                    node, earlier = before[node]
                    loop.append(earlier)
                return loop[::-1]
            if following not in before:
                before[following] = (node, site)
                pending.append(following)
    return []
