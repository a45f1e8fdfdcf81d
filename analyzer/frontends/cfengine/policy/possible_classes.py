"""Decides whether a class expression may hold at a moment; unknown parts are assumed to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from analyzer.frontends.cfengine.policy.possible_values import WILD, may_equal
from analyzer.frontends.cfengine.policy.sites import Site, Sites
from analyzer.frontends.cfengine.policy.system_classes import comes_from_outside
from analyzer.frontends.cfengine.syntax.ast import Bundle, Call, ListValue, Scalar, Value
from analyzer.frontends.cfengine.syntax.class_expressions import (
    And,
    Expression,
    Name,
    Not,
    names,
    operands,
    parsed,
)

# Between passes, and when a bundle is entered.
BEFORE = 0
CONDITIONS = ("if", "ifvarclass")
EXPRESSIONS = ("expression", "and", "or", "xor", "not")


@dataclass(frozen=True, slots=True)
class Moment:
    """The first moment of something: a running number, the pass, and the promise that causes it."""

    serial: int
    number: int
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class Blocker:
    """The condition that stops a promise: guard, if, unless or depends_on, with its text."""

    reason: str
    detail: str


class FirstMoments:
    """Moments by namespace and name; names may contain WILD."""

    def __init__(self) -> None:
        self.plain: dict[tuple[str, str], Moment] = {}
        self.wild: dict[tuple[str, str], Moment] = {}

    def add(self, space: str, name: str, moment: Moment) -> bool:
        """Add a moment; return whether it is the first one."""
        table = self.wild if WILD in name else self.plain
        if (space, name) in table:
            return False
        table[space, name] = moment
        return True

    def find(self, space: str, name: str) -> Moment | None:
        """Return the first moment of a name."""
        found = [self.plain[space, name]] if (space, name) in self.plain else []
        if self.wild or WILD in name:
            tables = (self.wild, self.plain) if WILD in name else (self.wild,)
            found += [
                moment
                for table in tables
                for (other, text), moment in table.items()
                if other == space and may_equal(text, name)
            ]
        return min(found, key=lambda moment: moment.serial, default=None)


@dataclass(slots=True)
class Frame:
    """One call of a bundle: its own classes, and the frames from which it inherits.

    `alone`: nothing is known of what was before, and no bundle is called. `sure`: it comes as soon
    as it may.
    """

    bundle: Bundle
    private: FirstMoments = field(default_factory=FirstMoments)
    inherits: Frame | None = None
    number: int = BEFORE
    alone: bool = False
    depth: int = 1
    sure: bool = True

    def chain(self) -> Iterator[Frame]:
        """Yield the frames whose private classes are visible, the own one first."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.inherits


class Guards:
    """The classes of a policy: the promises that may set them, and the moment from which they may
    be set."""

    def __init__(self, sites: Sites, defined: frozenset[str]) -> None:
        self.sites = sites
        self.defined = defined
        self.classes = FirstMoments()
        self.setters: dict[tuple[str, str], list[tuple[Site, bool]]] = {}
        self.wild_setters: list[tuple[str, str, Site, bool]] = []
        # Classes that may be set from the start, by an earlier run or by the user.
        self.lasting = {("default", one.name) for one in sites.policy.augments.classes}
        self.index()

    def index(self) -> None:
        """Record the promises that may set classes, in any bundle."""
        for site in self.sites.all:
            for setting in self.sites.settings(site):
                key = (setting.namespace, setting.name)
                if WILD in setting.name:
                    self.wild_setters.append((*key, site, setting.shared))
                else:
                    self.setters.setdefault(key, []).append((site, setting.shared))
                if setting.persistent or is_switch(site):
                    self.lasting.add(key)

    def can_set(self, site: Site, frame: Frame) -> bool:
        """Return whether the expression of a classes promise may hold."""
        for name, combine in (("expression", all), ("and", all), ("or", any)):
            for value in site.all(name):
                items = value.items if isinstance(value, ListValue) else (value,)
                if not combine(self.can_hold(item, frame) for item in items):
                    return False
        return all(self.can_hold(value, frame, wanted=False) for value in site.all("not"))

    def can_hold(self, value: Value, frame: Frame, *, wanted: bool = True) -> bool:
        """Return whether a condition may hold, or may not; results of functions are unknown."""
        match value:
            case Scalar(text) if "$" not in text and "@" not in text:
                return self.can(text, frame, wanted=wanted)
            case Call("not", (argument,)):
                return self.can_hold(argument, frame, wanted=not wanted)
            case Call("and" | "or", arguments):
                every = (value.name == "and") is wanted
                held = [self.can_hold(one, frame, wanted=wanted) for one in arguments]
                return all(held) if every else any(held)
            case _:
                return True

    def can(self, text: str, frame: Frame, *, wanted: bool = True) -> bool:
        """Return whether a class expression may hold, or may not."""
        expression = None if "$" in text or "@" in text else parsed(text)
        return expression is None or self.truth(expression, frame, wanted=wanted)

    def truth(self, expression: Expression, frame: Frame, *, wanted: bool) -> bool:
        """Return whether a parsed expression may be true, or false."""
        if isinstance(expression, Name):
            name = expression.text
            if name in ("true", "false") or name in self.defined or is_any(name):
                return (name == "false") is not wanted
            return not wanted or self.moment(name, frame) is not None or self.open(name, frame)
        if isinstance(expression, Not):
            return self.truth(expression.operand, frame, wanted=not wanted)
        combine = all if isinstance(expression, And) is wanted else any
        return combine(self.truth(one, frame, wanted=wanted) for one in operands(expression))

    def moment(self, name: str, frame: Frame) -> Moment | None:
        """Return when a class may be set first, as seen from a call of a bundle."""
        space, plain = key_of(name, frame.bundle)
        # Of a bundle's own classes the agent does not look at the namespace.
        found = [one.private.find(one.bundle.namespace, plain) for one in frame.chain()]
        found.append(self.classes.find(space, plain))
        return min((m for m in found if m), key=lambda m: m.serial, default=None)

    def open(self, name: str, frame: Frame) -> bool:
        """Return whether a class may be set from outside of the policy, or before the run."""
        key = key_of(name, frame.bundle)
        if key in self.lasting or comes_from_outside(key[1]):
            return True
        seen = {id(one.bundle) for one in frame.chain()}
        # A name that consists of variables only matches too much.
        setters = self.setters.get(key, [])
        if frame.alone and any(shared and id(s.bundle) not in seen for s, shared in setters):
            return True
        return not any(shared or id(site.bundle) in seen for site, shared in setters)

    def setters_of(self, space: str, name: str) -> Iterator[tuple[Site, bool]]:
        """Yield the promises that may set a class, and whether other bundles see it."""
        yield from self.setters.get((space, name), ())
        for other, text, site, shared in self.wild_setters:
            if other == space and may_equal(text, name):
                yield site, shared


def is_switch(site: Site) -> bool:
    """Return whether a classes promise never holds (`!any`), so that users may set its class."""
    texts = [v.text for n in ("expression", "or", "and") for v in site.all(n) if type(v) is Scalar]
    lists = [v for n in ("or", "and") for v in site.all(n) if type(v) is ListValue]
    texts += [item.text for value in lists for item in value.items if type(item) is Scalar]
    return site.type == "classes" and bool(texts) and all(t in ("!any", "false") for t in texts)


def is_any(name: str) -> bool:
    """Return whether a name is that of the class `any`, in any namespace."""
    return name.rpartition(":")[2] == "any"


def key_of(name: str, bundle: Bundle) -> tuple[str, str]:
    """Return the namespace and the plain name of a class."""
    space, colon, plain = name.rpartition(":")
    return (space if colon else bundle.namespace), plain


def wanted_names(site: Site) -> list[tuple[str, bool]]:
    """Return the classes in the conditions of a promise, and whether it needs them to be set."""
    texts: list[tuple[str, bool]] = [(site.promise.guard, True)]
    for key, value in site.rows:
        wanted_here = (*CONDITIONS, "unless", *(EXPRESSIONS if site.type == "classes" else ()))
        if key in wanted_here:
            items = value.items if isinstance(value, ListValue) else (value,)
            positive = key not in ("unless", "not")
            texts += [(item.text, positive) for item in items if isinstance(item, Scalar)]
    found: list[tuple[str, bool]] = []
    for text, positive in texts:
        expression = None if "$" in text or "@" in text else parsed(text)
        if expression is not None:
            found += [(name, wanted is positive) for name, wanted in names(expression)]
    return found
