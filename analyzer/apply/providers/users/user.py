"""The type user: accounts, with useradd and its like (provider useradd)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from analyzer.apply.host import Host
from analyzer.apply.provider import (
    ABSENT,
    Note,
    PlannedChanges,
    PropertyChange,
    Provider,
    ProviderError,
    State,
)
from analyzer.apply.providers.machine.account_files import account, group, groups_of, shadow
from analyzer.apply.providers.machine.paths import stat_followed
from analyzer.apply.providers.machine.programs import attempt, needed, run_or_fail
from analyzer.apply.providers.parameters import REDACTED, Parameters, display
from analyzer.apply.providers.properties import WantedValue, plan_properties
from analyzer.model.resource import Resource

_PROGRAMS = ("useradd", "userdel", "usermod", "chage", "chpasswd")
# Properties in Puppet's order, with the flags that set them.
_FLAGS = {"home": "-d", "uid": "-u", "gid": "-g", "comment": "-c", "shell": "-s"}
_AGES = {
    "password_min_age": ("-m", "min"),
    "password_max_age": ("-M", "max"),
    "password_warn_days": ("-W", "warn"),
}
_EPOCH = date(1970, 1, 1)
_EVENTS = {"present": "user_created", ABSENT: "user_removed"}


class UserProvider(Provider):
    """Manages users."""

    def announce(
        self, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        """Return the keys that may log in as the user and are in no catalog, absent."""
        from analyzer.apply.providers.users.keys_of_users import unknown_keys

        return unknown_keys(Parameters(resource), resource, host, others)

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return the entries of the user in passwd, group and shadow."""
        parameters = _checked(resource)
        needed(host, "useradd", _PROGRAMS)
        found = account(host, parameters.name)
        if not found:
            return {"ensure": ABSENT}
        secret = shadow(host, parameters.name)
        state: dict[str, object] = {"ensure": "present", "_gids": _gids(parameters, host)}
        state |= {name: found[name] for name in ("home", "comment", "shell")}
        state |= {"uid": int(found["uid"]), "gid": int(found["gid"])}
        state["groups"] = groups_of(host, parameters.name)
        state["password"] = secret.get("password", ABSENT)
        for name, (_, field) in _AGES.items():
            text = secret.get(field, "")
            state[name] = int(text) if text else -1 if secret else ABSENT
        expiry = secret.get("expiry", "")
        state["expiry"] = str(_EPOCH + timedelta(int(expiry))) if expiry else ABSENT
        return state

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the plan to create, remove or change the user, property by property."""
        parameters = _checked(resource)
        wanted = _wanted(parameters, state)
        plan = plan_properties(parameters, state, wanted, _ensure(parameters))
        return PlannedChanges(tuple(map(_with_list, plan.changes)), plan.notes)

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Call the program that makes the change."""
        user = _User(_checked(resource), host)
        if change.property != "ensure":
            user.set(change.property)
        elif change.new == ABSENT:
            user.delete()
        else:
            user.create()
        return ()


class _User:
    """A user that is made or changed."""

    def __init__(self, parameters: Parameters, host: Host) -> None:
        self.parameters = parameters
        self.host = host
        self.name = parameters.name

    def create(self) -> None:
        """Make the user, then set ages and password."""
        parameters = self.parameters
        self.check_shell()
        words = ["useradd"]
        if "gid" not in parameters and group(self.host, self.name):
            words += ["-g", self.name]
        words += self.flags()
        words += ["-o"] if parameters.flag("allowdupe") else []
        words.append("-m" if parameters.flag("managehome") else "-M")
        words += ["-r"] if parameters.flag("system") else []
        what = f"Could not create user {self.name}"
        run_or_fail(self.host, [*words, self.name], what)
        ages = [
            part
            for name, (flag, _) in _AGES.items()
            if name in parameters
            for part in (flag, parameters.text(name) or "")
        ]
        if ages:
            run_or_fail(self.host, ["chage", *ages, self.name], what)
        if "password" in parameters:
            self.set_password()

    def flags(self) -> list[str]:
        """Return the flags of all properties, in the order of their names."""
        parameters = self.parameters
        made: list[str] = []
        for name in ("comment", "expiry", "gid", "groups", "home", "shell", "uid"):
            if name == "groups":
                value = ",".join(sorted(set(parameters.texts(name))))
            else:
                value = parameters.text(name) or ""
            if name == "expiry" and value:
                made += ["-e", "" if value == ABSENT else value]
            elif value:
                made += [{"groups": "-G"}.get(name) or _FLAGS[name], value]
        return made

    def delete(self) -> None:
        """Remove the user, and the home if that is managed."""
        home = ["-r"] if self.parameters.flag("managehome") else []
        words = ["userdel", *home, self.name]
        run_or_fail(self.host, words, f"Could not delete user {self.name}")

    def set(self, property: str) -> None:
        """Set one property."""
        parameters = self.parameters
        if property == "password":
            self.set_password()
            return
        if property == "shell":
            self.check_shell()
        what = f"Could not set {property} on user[{self.name}]"
        if property in _AGES:
            words = ["chage", _AGES[property][0], parameters.text(property) or ""]
        elif property == "groups":
            words = ["usermod", "-G", self.groups()]
        elif property == "expiry":
            value = parameters.text(property) or ""
            words = ["usermod", "-e", "" if value == ABSENT else value]
        elif property == "gid":
            words = ["usermod", "-g", str(self.gid())]
        else:
            words = ["usermod", _FLAGS[property], parameters.text(property) or ""]
        dup = ["-o"] if property == "uid" and parameters.flag("allowdupe") else []
        run_or_fail(self.host, [*words, *dup, self.name], what)

    def groups(self) -> str:
        """Return the groups that there should be."""
        return ",".join(_groups(self.parameters, groups_of(self.host, self.name)))

    def gid(self) -> int:
        """Return the number of the first group that there is."""
        found = _gids(self.parameters, self.host)
        if not found:
            written = ",".join(self.parameters.texts("gid"))
            raise ProviderError(f"Could not find group(s) {written}")
        return found[0]

    def set_password(self) -> None:
        """Set the password, which is encrypted already; it is on no command line."""
        password = self.parameters.text("password") or ""
        data = f"{self.name}:{password}\n".encode()
        output = attempt(self.host, ["chpasswd", "-e"], stdin=data)
        if output.text:
            message = output.text.replace(password, REDACTED) if password else output.text
            raise ProviderError(f"chpasswd said {message}")

    def check_shell(self) -> None:
        """See that the shell can be used."""
        shell = self.parameters.text("shell")
        if not shell:
            return
        found = stat_followed(self.host, shell)
        if not found:
            raise ProviderError(f"Shell {shell} must exist")
        if not found.mode & 0o111:
            raise ProviderError(f"Shell {shell} must be executable")


def _checked(resource: Resource) -> Parameters:
    parameters = Parameters(resource)
    parameters.secret.add("password")
    for name in ("home", "comment", "shell"):
        value = parameters.text(name)
        if value and ("\n" in value or ":" in value):
            raise parameters.invalid(name, "It can hold no colon and no line feed.")
    if ":" in (parameters.text("password") or ""):
        raise ProviderError(
            f"Parameter password failed on {resource}: Passwords cannot include ':'"
        )
    for text in parameters.texts("groups"):
        if not text or "," in text or text.isdecimal():
            raise parameters.invalid("groups", "Group names must be provided as an array.")
    return parameters


def _ensure(parameters: Parameters) -> str:
    choices = {"present": "present", ABSENT: ABSENT}
    return parameters.choice("ensure", choices, "present") or "present"


def _gids(parameters: Parameters, host: Host) -> list[int]:
    """Return the numbers of the groups of `gid` that there are."""
    numbers = (host.group_id(text) for text in parameters.texts("gid"))
    return [number for number in numbers if number is not None]


def _groups(parameters: Parameters, current: Sequence[str]) -> list[str]:
    should = set(parameters.texts("groups"))
    if parameters.text("membership") != "inclusive":
        should |= set(current)
    return sorted(should)


def _wanted(parameters: Parameters, state: State) -> list[WantedValue]:
    """Return the wanted properties, in Puppet's order."""
    made = []
    for name in ("home", "uid", "gid", "comment", "shell", "password", *_AGES):
        if name in parameters:
            made.append(_plain(parameters, name, state))
    if parameters["groups"] is not None:
        made.append(_membership(parameters, state))
    if "expiry" in parameters:
        made.append(WantedValue("expiry", parameters.text("expiry")))
    return made


def _plain(parameters: Parameters, name: str, state: State) -> WantedValue:
    text = parameters.text(name) or ""
    value = int(text) if text.isdecimal() and name in {"uid", "gid", *_AGES} else text
    if name == "gid":
        good = state.get("_gids", ())
        return WantedValue(name, value, matches=lambda current: current in good)
    return WantedValue(name, value)


def _membership(parameters: Parameters, state: State) -> WantedValue:
    should = _groups(parameters, state.get("groups", ()))

    def show(value: Any) -> str:
        return display(",".join(value)) if value is should else ",".join(value)

    def matches(current: Any) -> bool:
        return sorted(current) == should

    return WantedValue("groups", should, matches=matches, show=show)


def _with_list(change: PropertyChange) -> PropertyChange:
    """Return a change of groups as Puppet words it once it is made: the new ones as a list."""
    if change.property != "groups" or change.sensitive or not change.shown:
        return change
    message = f"groups changed {change.shown[0]} to {display(change.new)}"
    return replace(change, message=message)
