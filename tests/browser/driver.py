"""Drives a headless browser by the messages of its developer tools, over a pipe."""

from __future__ import annotations

import json
import os
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from typing import Any

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--window-size=1400,900", "--remote-debugging-pipe",
    "--force-prefers-reduced-motion", "--hide-scrollbars",
)  # fmt: skip
# Seconds that a page may take for one thing, on a busy machine.
PATIENCE = 60.0


class Browser:
    """A page in a browser: scripts run in it, and its errors and requests are noted."""

    def __init__(self, write: int, read: int) -> None:
        self.write, self.read = write, read
        self.rest = b""
        self.number = 0
        self.session = ""
        self.errors: list[str] = []
        self.requests: list[str] = []

    def start(self) -> None:
        """Open a page, and listen to it."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **values: object) -> dict[str, Any]:
        """Return the answer to a command."""
        self.number += 1
        message: dict[str, object] = {"id": self.number, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            answer = self.receive(end)
            if answer.get("id") == self.number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result
        raise AssertionError(f"the browser does not answer {method}")

    def receive(self, end: float) -> dict[str, Any]:
        """Return the next message; note what it tells about the page."""
        while b"\0" not in self.rest:
            ready, _, _ = select([self.read], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser is silent"
            data = os.read(self.read, 1 << 20)
            assert data, "the browser has ended"
            self.rest += data
        text, _, self.rest = self.rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        values = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.errors.append(str(values["exceptionDetails"]))
            case "Log.entryAdded" if values["entry"]["level"] == "error":
                self.errors.append(str(values["entry"]))
            case "Runtime.consoleAPICalled" if values["type"] == "error":
                self.errors.append(str(values["args"]))
            case "Network.requestWillBeSent":
                self.requests.append(values["request"]["url"])
        return message

    def open(self, address: str) -> None:
        """Open an address, even if only its fragment is another one."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page."""
        values = {"returnByValue": True, "awaitPromise": True, "userGesture": True}
        answer = self.call("Runtime.evaluate", expression=script, **values)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, condition: str, seconds: float = PATIENCE) -> Any:
        """Return the value of an expression as soon as it is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.run(condition):
                return value
            time.sleep(0.05)
        raise AssertionError(f"not within {seconds} seconds: {condition}; {self.errors}")

    def picture(self, file: Path) -> None:
        """Write a picture of the page."""
        file.write_bytes(b64decode(self.call("Page.captureScreenshot")["data"]))


@contextmanager
def browsing(program: str, profile: Path, *flags: str) -> Iterator[Browser]:
    """Yield a browser, which ends after the block."""
    to_read, write = os.pipe()
    read, to_write = os.pipe()
    script = f'exec {program} "$@" 3<&{to_read} 4>&{to_write}'
    words = ["bash", "-c", script, program, *FLAGS, *flags, f"--user-data-dir={profile}"]
    process = subprocess.Popen(
        words, pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(to_read)
    os.close(to_write)
    try:
        browser = Browser(write, read)
        browser.start()
        yield browser
    finally:
        os.close(write)
        os.close(read)
        process.terminate()
        process.wait(20)
