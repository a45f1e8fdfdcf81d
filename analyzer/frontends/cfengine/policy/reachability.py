"""Computes the earliest possible moment of each promise, class, handle and variable.

The agent's walk - the bundles of the sequence, three passes, calls - with every outcome and every
condition that is not known taken for the better. What is not reached so is reached in no run; what
is reached in a pass is reached in no earlier one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.bodies import CALLS, named
from analyzer.frontends.cfengine.policy.evaluator import scalars
from analyzer.frontends.cfengine.policy.normal_order import PASSES, in_order
from analyzer.frontends.cfengine.policy.possible_classes import (
    CONDITIONS,
    Blocker,
    FirstMoments,
    Frame,
    Guards,
    Moment,
    wanted_names,
)
from analyzer.frontends.cfengine.policy.possible_values import SETTING, WILD, may_equal
from analyzer.frontends.cfengine.policy.sites import Site, Sites
from analyzer.frontends.cfengine.syntax.ast import Bundle, Call, ListValue, Scalar, Value

WARNINGS = tuple(Scalar(text, symbol) for text in ("warn", "nop") for symbol in (False, True))
ROUNDS, DEEPEST_CALL = 8, 50
# Where an outcome is given: bundle, type, line, iteration.
Place = tuple[str, str, int, int]
NOTHING_GIVEN: Mapping[Place, Collection[str]] = {}


class Reach(Guards):
    """Computes reachability. `begun` has the first moment of each promise that may run, `stops` the
    obstacles of the others.

    `late` are those of them whose guard could hold after the last pass, with the moment of the
    class. `called` are the bundles that some run evaluates, by id; `handles` those that are ever
    there. `defined` are classes that are set from the start.
    """

    def __init__(
        self,
        sites: Sites,
        bundles: list[str] | None,
        defined: frozenset[str] = frozenset(),
        outcomes: Mapping[Place, Collection[str]] = NOTHING_GIVEN,
    ) -> None:
        super().__init__(sites, defined)
        self.policy = sites.policy
        self.outcomes = outcomes
        self.begun: dict[Site, Moment] = {}
        self.stops: dict[Site, Blocker] = {}
        self.late: dict[Site, Moment] = {}
        self.called: set[int] = set()
        self.handles, self.variables = FirstMoments(), FirstMoments()
        self.serial = self.version = 0
        self.entered: dict[int, int] = {}
        self.running: set[int] = set()
        self.settle()
        if bundles is not None:
            self.follow(bundles)
        for bundle in self.policy.bundles.values():
            settled = bundle.type == "common" and bundles is not None
            if id(bundle) not in self.called and not settled:
                self.passes(Frame(bundle, alone=True))

    def settle(self) -> None:
        """Evaluate variables, and the classes of common bundles: file by file, then all at once.

        Where names of inputs are variables, further rounds come between, until nothing is new.
        """
        bundles = [bundle for tree in self.policy.files for bundle in tree.bundles]
        rounds = [list(tree.bundles) for tree in self.policy.files]
        rounds += [bundles] * (ROUNDS if has_open_inputs(self.policy) else 1)
        for current in rounds:
            ordered = [b for b in current if b.type == "common"]
            ordered += [b for b in current if b.type != "common"]
            for bundle in ordered:
                frame = Frame(bundle)
                kinds = [*SETTING, "classes", *SETTING] if bundle.type == "common" else SETTING
                for kind in kinds:
                    self.section(frame, kind)
        for bundle in bundles:
            for site in self.sites.of(bundle).get("classes", ()) if bundle.type == "common" else ():
                if site not in self.begun:
                    self.note_late(site, Frame(bundle))

    def follow(self, bundles: list[str]) -> None:
        """Evaluate the bundles of the sequence."""
        for name in bundles:
            for bundle in self.meant(name, "default", ("agent", "common")):
                self.call(Frame(bundle))
        for site, stop in self.stops.items():
            if site not in self.begun and stop.reason != "depends_on" and site not in self.late:
                self.note_late(site, Frame(site.bundle))

    def meant(self, name: str, space: str, kinds: tuple[str, ...]) -> list[Bundle]:
        """Return the bundles that a name, with WILD in it or not, may mean."""
        if WILD not in name:
            found = self.policy.bundle(name, space, *kinds)
            return [found] if found else []
        return [
            bundle
            for (kind, other, plain), bundle in self.policy.bundles.items()
            if kind in kinds and (may_equal(name, plain) or may_equal(name, f"{other}:{plain}"))
        ]

    # ---- bundles

    def call(self, frame: Frame) -> None:
        """Run the passes over a bundle, unless nothing changed since the last time."""
        place = id(frame.bundle)
        known = self.entered.get(place) == self.version and frame.inherits is None
        if place in self.running or known or frame.depth > DEEPEST_CALL:
            return
        self.running.add(place)
        self.called.add(place)
        self.entered[place] = self.version
        for kind in SETTING:
            self.section(frame, kind)
        self.passes(frame)
        self.running.discard(place)

    def passes(self, frame: Frame) -> None:
        """Run the three passes over a bundle."""
        bundle, own = frame.bundle, self.sites.of(frame.bundle)
        kinds = in_order(bundle.type, [s.type for s in bundle.sections if s.promises])
        for number in range(1, PASSES + 1):
            frame.number = number
            for kind in kinds:
                self.section(frame, kind)
                if kind == "classes":
                    for again in SETTING:
                        self.section(frame, again)
        for promises in own.values():
            for site in promises:
                stop = self.stops.get(site)
                if site not in self.begun and stop and stop.reason != "depends_on":
                    self.note_late(site, frame)

    def note_late(self, site: Site, frame: Frame) -> None:
        """Record a promise that would run in a further pass."""
        moments = [self.moment(name, frame) for name, wanted in wanted_names(site) if wanted]
        found = [moment for moment in moments if moment is not None]
        holds = site.type != "classes" or self.can_set(site, frame)
        if found and holds and self.stopped(site, frame) is None:
            self.late[site] = max(found, key=lambda moment: moment.serial)

    def section(self, frame: Frame, kind: str) -> None:
        """Evaluate the promises of one type."""
        for site in self.sites.of(frame.bundle).get(kind, ()):
            self.serial += 1
            stop = self.stopped(site, frame)
            if stop is None:
                self.begin(site, frame)
            else:
                self.stops[site] = stop

    # ---- promises

    def stopped(self, site: Site, frame: Frame) -> Blocker | None:
        """Return the obstacle that surely stops a promise."""
        if not self.can(site.promise.guard, frame):
            return Blocker("guard", site.promise.guard)
        for name in CONDITIONS:
            for value in site.all(name):
                if not self.can_hold(value, frame):
                    return Blocker(name, shown(value))
        for value in site.all("unless"):
            if not self.can_hold(value, frame, wanted=False):
                return Blocker("unless", shown(value))
        for handle in self.sites.dependencies(site):
            if not self.is_there(handle, frame):
                return Blocker("depends_on", handle)
        return None

    def is_there(self, handle: str, frame: Frame) -> bool:
        """Return whether a handle may be done."""
        if frame.alone or WILD in handle:
            return True
        return self.handles.find("", handle) is not None

    def begin(self, site: Site, frame: Frame) -> None:
        """Add the classes and variables that a promise may set, and the bundles it may call."""
        moment = Moment(self.serial, frame.number, site)
        if site.type == "classes" and not self.can_set(site, frame):
            # A classes promise that does not set its class counts as kept.
            self.add_handles(site, frame, moment)
            self.stops[site] = Blocker("expression", "")
            return
        new = site not in self.begun
        self.begun.setdefault(site, moment)
        if site.type in SETTING and new:
            self.add_variable(site, moment)
        for setting in self.sites.settings(site):
            if not self.is_possible(site, setting.outcome):
                continue
            known = self.classes if setting.shared and not frame.alone else frame.private
            if known.add(setting.namespace, setting.name, moment) and setting.shared:
                self.version += 1
        self.add_handles(site, frame, moment)
        # What may well be begun later than at best calls its bundle anew, when more is known.
        sure = frame.sure and is_sure(site)
        if not frame.alone and (new or not sure or has_variables(site)):
            for bundle, inherits in self.callees(site):
                inherited = frame if inherits else None
                self.call(Frame(bundle, inherits=inherited, depth=frame.depth + 1, sure=sure))

    def add_handles(self, site: Site, frame: Frame, moment: Moment) -> None:
        """Record that a promise may be done; a command that is only warned of never is."""
        if site.type == "commands" and only_warns(site):
            return
        for handle in self.sites.handles(site) if not frame.alone else ():
            self.version += self.handles.add("", handle, moment)

    def is_possible(self, site: Site, outcome: str) -> bool:
        """Return whether a promise may have an outcome; the user's outcome excludes all others."""
        bundle, promise = site.bundle, site.promise
        if outcome in ("kept", "repaired") and site.type == "commands" and only_warns(site):
            return False
        given = self.outcomes.get((bundle.name, site.type, promise.line, 1))
        return not given or not outcome or outcome in given

    def add_variable(self, site: Site, moment: Moment) -> None:
        """Record that a variable may have a value."""
        name = site.promise.promiser.partition("[")[0]
        if "$" in name:
            name = WILD
        self.variables.add(f"{site.bundle.namespace}:{site.bundle.name}", name, moment)

    def callees(self, site: Site) -> list[tuple[Bundle, bool]]:
        """Return the bundles that a promise may call, and whether they inherit its classes."""
        found: list[tuple[Bundle, bool]] = []
        inherits = any(v != Scalar("false") for v in site.all("inherit"))
        for attribute, kinds in CALLS.get(site.type, ()):
            for name in called_names(self.sites, site, attribute):
                bundles = self.meant(name, site.bundle.namespace, kinds)
                found += [(bundle, inherits) for bundle in bundles]
        return found


def has_open_inputs(policy: Policy) -> bool:
    """Return whether the names in a list of inputs depend on variables."""
    for tree in policy.files:
        for body in tree.bodies if len(policy.files) > 1 else ():
            for attribute in body.attributes:
                if attribute.name == "inputs" and not isinstance(attribute.value, ListValue):
                    return True
                if attribute.name == "inputs" and any("$" in t for t in scalars(attribute.value)):
                    return True
    return False


def called_names(sites: Sites, site: Site, attribute: str) -> list[str]:
    """Return the names of bundles that an attribute of a promise may give."""
    values = list(site.all(attribute))
    if not values and (site.type, attribute) == ("methods", "usebundle"):
        values = [Scalar(site.promise.promiser)]
    if not values and (site.type, attribute) == ("services", "service_bundle"):
        values = [Scalar("standard_services")]
    names = (Scalar(named(value)[0]) for value in values)
    return [text for name in names for text in sites.values.items(name, site.bundle) if text]


def is_sure(site: Site) -> bool:
    """Return whether a promise runs in each evaluation."""
    conditions = (*CONDITIONS, "unless", "depends_on")
    return site.promise.guard == "any" and all(site.get(name) is None for name in conditions)


def only_warns(site: Site) -> bool:
    """Return whether a promise is only warned of, and not kept, on any machine."""
    values = list(site.all("action_policy"))
    return bool(values) and all(value in WARNINGS for value in values)


def has_variables(site: Site) -> bool:
    """Return whether a promise may differ between evaluations."""
    return "$" in site.promise.promiser or any(
        "$" in repr(v) or "@" in repr(v) for _, v in site.rows
    )


def shown(value: Value) -> str:
    """Return the source text of a condition, for messages."""
    if isinstance(value, Call):
        return f"{value.name}({', '.join(map(shown, value.arguments))})"
    return value.text if isinstance(value, Scalar) else "{ ... }"
