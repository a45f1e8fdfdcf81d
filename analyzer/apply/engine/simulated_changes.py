"""The changes that types make as far as a catalog tells: for simulations without a provider.

A resource may say of itself what happens: `outcome => ok|change|fail`, `was => VALUE` and
`refresh_outcome => ok|fail` are what types have that serve to study runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from analyzer.apply.engine.display import REDACTED, shown
from analyzer.apply.engine.events import Outcome
from analyzer.apply.provider import ABSENT, Note, PlannedChanges, PropertyChange, State, level_named
from analyzer.graph.lookup import as_list
from analyzer.model.resource import Resource, is_sensitive
from analyzer.model.types import NAMEVARS

METAPARAMETERS = frozenset(
    (
        *("alias", "audit", "before", "consume", "export", "loglevel", "noop", "notify"),
        *("require", "schedule", "stage", "subscribe", "tag"),
    )
)

# What is there of a type on a host that has nothing, where that is not plainly absent.
NOTHING: dict[str, State] = {
    "Exec": {"returns": "notrun"},
    # What dpkg says of a package that never was there.
    "Package": {"ensure": "purged"},
    "Service": {"ensure": "stopped", "enable": "false"},
}

# Types whose resources are, of an ensure that says so or says nothing.
ENSURABLE = dict.fromkeys(
    (
        *("Cron", "File_line", "Group", "Host", "Ini_setting", "Package", "Ssh_authorized_key"),
        "User",
    ),
    "present",
)

# Names of events that are not made of type and value (newvalue's option `event`).
EVENT_NAMES = {
    ("Service", "ensure", "running"): "service_started",
    ("Service", "ensure", "stopped"): "service_stopped",
    ("Service", "enable", "true"): "service_enabled",
    ("Service", "enable", "false"): "service_disabled",
    ("Package", "ensure", "present"): "package_installed",
    ("Package", "ensure", "absent"): "package_removed",
    ("Package", "ensure", "purged"): "package_purged",
    ("File", "ensure", "file"): "file_created",
    ("File", "ensure", "present"): "file_created",
    ("File", "ensure", "directory"): "directory_created",
    ("File", "ensure", "link"): "link_created",
}

# What is said of a change that must not be shown.
SECRETLY = f"changed {REDACTED} to {REDACTED}"

# Other words for the same (newvalue, aliasvalue).
SAME = {"installed": "present", "true": "running", "false": "stopped"}


def own_outcome(resource: Resource) -> Outcome:
    """Return the outcome that a resource declares."""
    parameters = resource.parameters
    if "outcome" not in parameters and "refresh_outcome" not in parameters:
        return Outcome()
    apply, refresh = parameters.get("outcome"), parameters.get("refresh_outcome")
    return Outcome(
        apply if apply in ("ok", "change", "fail") else "", refresh if refresh == "fail" else ""
    )


def nothing_of(resource: Resource) -> State:
    """Return the state of an absent resource."""
    if "outcome" in resource.parameters:
        return {"outcome": resource.parameters.get("was", "old")}
    return NOTHING.get(resource.type, {"ensure": ABSENT})


def does_nothing(resource: Resource) -> bool:
    """Return whether a resource's type has nothing to change on any host."""
    return PLANS.get(resource.type) is no_changes


def settles(resource: Resource) -> bool:
    """Return whether a resource has nothing to do once it was applied."""
    if resource.type == "Exec":
        return any(name in resource.parameters for name in ("creates", "onlyif", "unless"))
    return resource.type != "Notify"


def plan_of(
    resource: Resource, state: State, known: Collection[str] | None = None
) -> PlannedChanges:
    """Return the state after a resource's changes; `known` are its type's properties."""
    if "outcome" in resource.parameters:
        return PlannedChanges(tuple(outcome_changes(resource, state)))
    plan = PLANS.get(resource.type)
    changes = plan(resource, state) if plan else other_changes(resource, state, known)
    return PlannedChanges(tuple(changes))


def outcome_changes(resource: Resource, state: State) -> Iterable[PropertyChange]:
    """Yield the change of a resource that says of itself what happens."""
    old, new = state.get("outcome", "old"), resource.parameters["outcome"]
    if new != "ok":
        message = f"outcome changed {shown(old)} to {shown(new)}"
        yield PropertyChange("outcome", "outcome_changed", message, old, new)


def other_changes(
    resource: Resource, state: State, known: Collection[str] | None
) -> Iterable[PropertyChange]:
    """Yield the changes of a type that has no plan of its own: ensure, or else the properties.

    Where it is unknown which parameters are properties, they are those that the state tells of; of
    a resource that is not there, the first one stands for all.
    """
    wanted = wanted_ensure(resource)
    found = state.get("ensure", ABSENT if "ensure" in state or not state else None)
    if wanted is not None and found is not None and not same(found, wanted):
        yield change(resource, "ensure", found, SAME.get(text(wanted), text(wanted)))
        return
    if wanted == ABSENT:
        return
    for name in declared(resource):
        if known is not None and name not in known:
            continue
        if name in state and not same(state[name], resource.parameters[name]):
            yield change(resource, name, state[name], resource.parameters[name])
        elif name not in state and wanted is None and found == ABSENT:
            yield change(resource, name, ABSENT, resource.parameters[name])
            if known is None:
                return


def file_changes(resource: Resource, state: State) -> Iterable[PropertyChange]:
    """Yield the changes of a file, with checksums in place of its content.

    Without content, a file that nothing makes is not missed (ResourceHarness#perform_changes).
    """
    content = resource.parameters.get("content")
    for made in other_changes(resource, state, None):
        if made.property == "ensure":
            yield creation(resource, made, content)
        elif made.property == "content" and isinstance(content, str):
            old, new = checksum(made.old), checksum(content)
            message = made.message if made.sensitive else content_words(made.old, content)
            yield replace(made, old=old, new=new, message=message)
        elif made.old != ABSENT:
            yield made


def creation(resource: Resource, made: PropertyChange, content: object) -> PropertyChange:
    """Return the change of a file's ensure: it names the content, or hides it if that is secret."""
    if is_hidden(resource, "content"):
        return replace(made, sensitive=True, message=SECRETLY)
    if made.old == ABSENT and made.new in ("file", "present") and isinstance(content, str):
        return replace(made, message=content_words(ABSENT, content))
    return made


def wanted_ensure(resource: Resource) -> object:
    """Return the wanted `ensure`, or the present one; None if it is unknown."""
    parameters = resource.parameters
    if resource.type == "File":
        made = "file" if "content" in parameters or "source" in parameters else None
        return parameters.get("ensure", "link" if "target" in parameters else made)
    return parameters.get("ensure", ENSURABLE.get(resource.type))


def content_words(old: object, content: str) -> str:
    """Return the message about new content (Puppet::Type::File::Content#change_to_s)."""
    if old == ABSENT:
        return f"defined content as '{checksum(content)}'"
    return f"content changed '{checksum(old)}' to '{checksum(content)}'"


def checksum(content: object) -> str:
    """Return the checksum of a text; a checksum, or absent, is returned unchanged."""
    text_of_it = str(content)
    if content == ABSENT or text_of_it.startswith("{"):
        return text_of_it
    return "{sha256}" + sha256(text_of_it.encode("utf-8", "surrogatepass")).hexdigest()


def exec_changes(resource: Resource, _: State) -> Iterable[PropertyChange]:
    """Yield the run of a command, unless it only answers events."""
    if resource.parameters.get("refreshonly") not in (True, "true"):
        yield execution(resource)


def execution(resource: Resource) -> PropertyChange:
    """Return the run of a command."""
    returns = [str(code) for code in as_list(resource.parameters.get("returns", "0"))]
    return PropertyChange("returns", "executed_command", "executed successfully", "notrun", returns)


def message_changes(resource: Resource, _: State) -> Iterable[PropertyChange]:
    """Yield the message of a notify, which is news in every run."""
    yield change(resource, "message", ABSENT, resource.parameters.get("message", resource.title))


def no_changes(_: Resource, __: State) -> Iterable[PropertyChange]:
    """Yield nothing: types such as schedule and filebucket are only named by others."""
    return ()


PLANS: dict[str, Callable[[Resource, State], Iterable[PropertyChange]]] = {
    "Anchor": no_changes,
    "Concat_file": no_changes,
    "Concat_fragment": no_changes,
    "Exec": exec_changes,
    "File": file_changes,
    "Filebucket": no_changes,
    "Notify": message_changes,
    "Resources": no_changes,
    "Schedule": no_changes,
    "Stage": no_changes,
}


def made_up(resource: Resource) -> PropertyChange:
    """Return a change of a resource that has nothing to change, as it was told to."""
    if "outcome" in resource.parameters:
        old, new = resource.parameters.get("was", "old"), resource.parameters["outcome"]
        return change(resource, "outcome", old, new)
    if resource.type == "Exec":
        return execution(resource)
    from_nothing = plan_of(resource, nothing_of(resource)).changes
    if from_nothing:
        return from_nothing[0]
    for name in declared(resource):
        return change(resource, name, ABSENT, resource.parameters[name])
    return change(resource, "ensure", ABSENT, "present")


def said_by(resource: Resource, made: PropertyChange) -> Iterable[Note]:
    """Yield the log lines of a change."""
    if resource.type == "Notify" and made.property == "message":
        hidden = "Sensitive [value redacted]" if made.sensitive else made.new
        with_path = resource.parameters.get("withpath") in (True, "true")
        yield Note(level_of(resource), text(hidden), "message" if with_path else None)


def level_of(resource: Resource) -> str:
    """Return the log level of changes of a resource (metaparameter loglevel)."""
    return level_named(resource.parameters.get("loglevel"))


def declared(resource: Resource) -> list[str]:
    """Return the names of a resource's parameters that may be properties."""
    names = {NAMEVARS.get(resource.type, "name"), "name", "provider"}
    return [p for p in resource.parameters if p not in METAPARAMETERS and p not in names]


def change(resource: Resource, name: str, old: object, new: object) -> PropertyChange:
    """Return the change of a property in Puppet's words (Property#change_to_s, #event_name)."""
    hidden = is_hidden(resource, name)
    message = SECRETLY if hidden else words(name, old, new)
    event = event_name(resource, name, new)
    started = event == "service_started"
    return PropertyChange(name, event, message, old, new, hidden, drops_refreshes=started)


def is_hidden(resource: Resource, name: str) -> bool:
    """Return whether a parameter's value must not be shown."""
    return name in (resource.sensitive or ()) or is_sensitive(resource.parameters.get(name))


def words(name: str, old: object, new: object) -> str:
    """Return the message of a change."""
    if name == "ensure":
        if old == ABSENT:
            return "created"
        return "removed" if new == ABSENT else f"ensure changed {shown(old)} to {shown(new)}"
    if old == ABSENT:
        return f"defined '{name}' as {shown(new)}"
    if new in (ABSENT, [ABSENT]):
        return f"undefined '{name}' from {shown(old)}"
    return f"{name} changed {shown(old)} to {shown(new)}"


def event_name(resource: Resource, name: str, new: Any) -> str:
    """Return the name of a change's event."""
    special = EVENT_NAMES.get((resource.type, name, text(new)))
    if special is not None:
        return special
    if name != "ensure":
        return f"{name}_changed"
    return resource.type.lower() + {"present": "_created", ABSENT: "_removed"}.get(new, "_changed")


def same(found: object, wanted: object) -> bool:
    """Return whether two values mean the same: 1 and '1', present and installed."""
    one, other = text(found), text(wanted)
    if (one, other) == ("purged", ABSENT):
        return True
    return found == wanted or SAME.get(one, one) == SAME.get(other, other)


def text(value: Any) -> str:
    """Return a value as a text: true, 1, word."""
    return str(value).lower() if isinstance(value, bool) else str(value)
