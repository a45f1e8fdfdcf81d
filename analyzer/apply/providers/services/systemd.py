"""Services of systemd, through systemctl (provider systemd)."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.apply.host import Host
from analyzer.apply.provider import Note, ProviderError
from analyzer.apply.providers.machine.programs import attempt, execute
from analyzer.apply.providers.services.base import BaseService, enabled_by_links

_FIRST_PROCESS = "/proc/1/comm"
_LOG = ["journalctl", "-n", "50", "--since", "5 minutes ago", "-u"]


class Systemd(BaseService):
    """A unit of systemd."""

    can_enable = True
    _known: tuple[str, int] | None = None

    @classmethod
    def is_suitable(cls, host: Host) -> bool:
        """Return whether systemd runs the host; of a mere folder, whether it has systemctl."""
        if not host.which("systemctl"):
            return False
        try:
            return b"systemd" in host.read(_FIRST_PROCESS)
        except OSError:
            return True

    def commands(self, action: str) -> list[str] | None:
        """Return the call of systemctl."""
        verb = {"status": "is-active"}.get(action, action)
        return ["systemctl", verb, "--", self.name]

    def start(self) -> Sequence[Note]:
        """Start the unit; its file is read anew if it has changed, a mask is taken off."""
        return self._told("start", reload=True)

    def stop(self) -> Sequence[Note]:
        """Stop the unit."""
        return self._told("stop", reload=False)

    def restart(self) -> Sequence[Note]:
        """Restart the unit."""
        return self._told("restart", reload=True)

    def enabled(self, wanted: str) -> str:
        """Return whether the unit is enabled."""
        state, code = self._state()
        if wanted == "mask" and state == "masked":
            return "mask"
        if state == "indirect":
            return "false"
        if code == 0:
            return "true"
        if not state and self.host.which("/usr/sbin/invoke-rc.d"):
            return enabled_by_links(self.host, self.name)
        return "false"

    def is_fixed(self, wanted: str) -> bool:
        """Return whether the unit is static or indirect."""
        state, _ = self._state()
        return state == "indirect" or (state == "static" and wanted != "mask")

    def set_enabled(self, wanted: str) -> None:
        """Enable, disable or mask the unit."""
        if wanted == "true":
            self._change("unmask")
            self._change("enable")
        elif wanted == "mask":
            if attempt(self.host, ["systemctl", "cat", "--", self.name]).code == 0:
                self._change("disable")
            self._change("mask")
        else:
            self._change("disable")

    def _state(self) -> tuple[str, int]:
        if self._known is None:
            output = attempt(self.host, ["systemctl", "is-enabled", "--", self.name])
            self._known = output.text.removesuffix("\n"), output.code
        return self._known

    def _change(self, action: str) -> None:
        self._known = None
        try:
            execute(self.host, ["systemctl", action, "--", self.name])
        except ProviderError:
            raise ProviderError(f"Could not {action} {self.name}: ") from None

    def _told(self, action: str, *, reload: bool) -> Sequence[Note]:
        try:
            if reload:
                self._reload()
            if action == "start" and not self.parameters.text("start"):
                self._change("unmask")
            self.act(action)
        except ProviderError:
            raise ProviderError(self._failure(action)) from None
        return ()

    def _reload(self) -> None:
        shown = attempt(
            self.host, ["systemctl", "show", "--property=NeedDaemonReload", "--", self.name]
        )
        if shown.text.strip().endswith("=yes"):
            attempt(self.host, ["systemctl", "daemon-reload"])

    def _failure(self, action: str) -> str:
        """Return the message of a failure of systemd, with the end of its log."""
        log = ""
        if self.host.which("journalctl"):
            log = attempt(self.host, [*_LOG, self.name, "--no-pager"]).text
        return f"Systemd {action} for {self.name} failed!\njournalctl log for {self.name}:\n{log}"
