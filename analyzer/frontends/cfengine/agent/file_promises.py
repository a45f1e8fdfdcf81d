"""What a files promise makes of its file, as far as that is known.

Facts: verify_files.c of 3.21, measured.
"""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.frontends.cfengine.agent.buffers import Buffer
from analyzer.frontends.cfengine.agent.events import KEPT, NOT_KEPT, REPAIRED
from analyzer.frontends.cfengine.agent.setting import Setting
from analyzer.frontends.cfengine.policy.host_files import UNREAD_TEXT, File
from analyzer.frontends.cfengine.policy.unknown import NoResult, Unknown

TRUE = ("true", "yes", "on")
# Attributes by which a file gets a content that is not computed here.
FILLED = ("source", "edit_template", "edit_template_string", "edit_xml", "transformer", "newname")
EDITS = ("edit_line", "edit_xml")


@dataclass(slots=True)
class Effect:
    """A file before and after a promise; `outcome` is None where nobody knows it."""

    before: File | Unknown | None
    after: File | Unknown | None
    outcome: str | None = None

    @property
    def created(self) -> bool | None:
        """Return whether the promise creates the file; None if that is not known."""
        if isinstance(self.before, Unknown):
            return None
        return self.before is None and isinstance(self.after, File)


class FilePromises(Setting):
    """The files promises of a run."""

    __slots__ = ()

    def enabled(self, name: str) -> bool:
        """Return whether an attribute enables something."""
        value = self.values.get(name)
        return value is not None and self.evaluator.known(value) in TRUE

    def effect(self) -> Effect:
        """Return the effect on the file, before its content is edited."""
        before = self.agent.files.find(self.promiser)
        known = not isinstance(before, Unknown)
        names = {attribute.name for attribute in self.plan.promise.attributes}
        if "delete" in names:
            outcome = (REPAIRED if before is not None else KEPT) if known else None
            return Effect(before, None, outcome)
        if "link_from" in names:
            return Effect(before, File("link"))
        if self.enabled("create") or self.enabled("touch") or "content" in names:
            return self.made(before)
        if any(name in self.values for name in FILLED):
            return Effect(before, File())
        if before is None and any(name in names for name in EDITS):
            return Effect(before, None, NOT_KEPT)
        return Effect(before, before, KEPT if known and "perms" not in names else None)

    def made(self, before: File | Unknown | None) -> Effect:
        """Return a file that is there afterwards."""
        kind = "directory" if self.promiser.endswith("/.") else "file"
        old = before.text if isinstance(before, File) else "" if before is None else UNREAD_TEXT
        outcome = REPAIRED if before is None else None if isinstance(before, Unknown) else KEPT
        text: str | Unknown = old
        if "content" in self.values:
            found = self.evaluator.known(self.values["content"])
            text = found if isinstance(found, str) else UNREAD_TEXT
        elif any(name in self.values for name in FILLED):
            text = self.templated()
        if isinstance(text, str) and isinstance(old, str) and text != old:
            outcome = REPAIRED
        if self.enabled("touch"):
            outcome = REPAIRED
        if isinstance(before, File) and before.kind != "file":
            kind = before.kind
        return Effect(before, File(kind, text), outcome)

    def templated(self) -> str | Unknown:
        """Return the text of a template in the language Mustache that is filled in."""
        from analyzer.frontends.cfengine.policy.data_functions import mustache

        known, values = self.evaluator.known, self.values
        given = [name for name in FILLED if name in values]
        method = known(values["template_method"]) if "template_method" in values else ""
        template: object = None
        if method == "inline_mustache" and given == ["edit_template_string"]:
            template = known(values["edit_template_string"])
        elif method == "mustache" and given == ["edit_template"]:
            file = self.agent.files.find(str(known(values["edit_template"])))
            template = file.text if isinstance(file, File) else None
        data = (known(values["template_data"]),) if "template_data" in values else ()
        if not isinstance(template, str) or not all(isinstance(d, dict | list) for d in data):
            return UNREAD_TEXT
        try:
            return mustache(self.evaluator, template, *data)
        except NoResult:
            return UNREAD_TEXT

    def put_file(self, found: File | Unknown | None) -> None:
        """Record a file that the promise makes, changes or removes."""
        if self.agent.recording:
            self.agent.files.put(self.promiser, self.agent.doubt or found)

    def buffer_of(self, effect: Effect) -> Buffer:
        """Return the lines with which an edit bundle begins."""
        if self.enabled("empty_file_before_editing"):
            return Buffer([])
        text = effect.after.text if isinstance(effect.after, File) else None
        return Buffer(text.splitlines() if isinstance(text, str) else None)
