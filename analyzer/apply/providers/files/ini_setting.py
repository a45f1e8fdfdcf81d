"""The type ini_setting: one setting of an INI file (module inifile)."""

from __future__ import annotations

from collections.abc import Sequence

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
from analyzer.apply.providers.files.ini_file import IniFile, IniStyle
from analyzer.apply.providers.machine.paths import followed, ruby_error
from analyzer.apply.providers.parameters import Parameters
from analyzer.apply.providers.properties import WantedValue, plan_properties
from analyzer.model.resource import Resource

_HIDDEN = "[redacted sensitive information]"


class IniSettingProvider(Provider):
    """Manages settings; with `refreshonly` they are made when an event comes."""

    refreshable = True

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return the value of the setting."""
        setting = _Setting(resource, host)
        if not setting.is_there():
            return {"ensure": ABSENT, "_kept": setting.is_not_to_be_made()}
        value = setting.file.value(setting.section, setting.name) if setting.name else None
        return {"ensure": "present", "value": ABSENT if value is None else value}

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the plan to add, change or remove the setting."""
        parameters = Parameters(resource)
        if parameters.flag("refreshonly") or state.get("_kept"):
            return PlannedChanges()
        value = _value(parameters)
        wanted = [] if value is None else [WantedValue("value", value, show=lambda _: _HIDDEN)]
        return plan_properties(parameters, state, wanted, _ensure(parameters))

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Write the file with the setting, or without it."""
        _Setting(resource, host).write(remove=change.new == ABSENT)
        return ()

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        """Make the change that waited for the event."""
        parameters = Parameters(resource)
        if parameters.flag("refreshonly"):
            _Setting(resource, host).write(remove=_ensure(parameters) == ABSENT)
        return ()


class _Setting:
    """A setting and its file."""

    def __init__(self, resource: Resource, host: Host) -> None:
        self.host = host
        self.parameters = parameters = Parameters(resource)
        self.section = parameters.text("section", "") or ""
        written = parameters.text("setting")
        self.name = None if written is None else written.strip()
        path = parameters.text("path") or ""
        if not path.startswith("/"):
            raise ProviderError(
                f"Parameter path failed on {resource}: "
                f"File paths must be fully qualified, not '{path}'"
            )
        self.style = IniStyle(
            parameters.text("key_val_separator", " = ") or " = ",
            parameters.text("section_prefix", "[") or "[",
            parameters.text("section_suffix", "]") or "]",
            parameters.text("indent_char", " ") or " ",
            int(parameters.number("indent_width", 0)) if "indent_width" in parameters else None,
        )
        self.path = path
        self.file = IniFile(self._read(), self.style)

    def is_there(self) -> bool:
        """Return whether the setting (or the section, if no setting is named) is there."""
        if self.name is None:
            return self.section in self.file.sections
        return self.file.value(self.section, self.name) is not None

    def is_not_to_be_made(self) -> bool:
        """Return whether the section is missing and must not be made."""
        force = self.parameters.flag("force_new_section_creation", True)
        return not force and self.section not in self.file.sections

    def write(self, *, remove: bool) -> None:
        """Change the file."""
        if not remove:
            self.file.set(self.section, self.name, _value(self.parameters))
        elif self.section in self.file.sections:
            self.file.remove(self.section, self.name)
        data = self.file.text().encode("utf-8", "surrogateescape")
        try:
            self.host.write(followed(self.host, self.path), data)
        except OSError as error:
            raise ProviderError(ruby_error(error)) from None

    def _read(self) -> str:
        try:
            data = self.host.read(followed(self.host, self.path))
        except OSError:
            return ""
        return data.decode("utf-8", "surrogateescape")


def _ensure(parameters: Parameters) -> str:
    choices = {"present": "present", ABSENT: ABSENT}
    return parameters.choice("ensure", choices, "present") or "present"


def _value(parameters: Parameters) -> str | None:
    text = parameters.text("value")
    return None if text is None else text.strip()
