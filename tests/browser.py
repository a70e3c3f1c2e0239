"""A real browser for tests of pages: headless Chromium, driven through its debugging pipe.

    with Browser(program, profile) as browser:
        browser.open(path, width=390)
        assert browser.run("document.title") == "..."

The browser records console messages, exceptions and network requests of a page. If a page does not answer within a
minute, the test fails, so that the run goes on.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["Browser", "find_chromium"]

_LIMIT_S = 60.0  # a page answers in milliseconds, but the machine may be busy

# The browser reads commands from descriptor 3 and writes answers to 4.
_START = (
    "import os, sys; [os.dup2(int(end), to) for end, to in zip(sys.argv[1:3], (3, 4))]; "
    "os.execv(sys.argv[3], sys.argv[3:])"
)


def find_chromium() -> str | None:
    """Returns the path of the program, or None if it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One window. It is a context manager.

    Args:
        program: the path of Chromium.
        profile: an empty folder.

    Attributes:
        complaints: exceptions, and errors and warnings on the console, since the page was opened.
        requests: addresses requested since then, without the page itself.
    """

    def __init__(self, program: str, profile: Path) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._number = 0
        self._session = ""
        self._events: list[dict[str, Any]] = []
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += ["--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        theirs_in, ours_out = _pipe()
        ours_in, theirs_out = _pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(theirs_in), str(theirs_out), *command],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._out, self._in = os.fdopen(ours_out, "wb"), os.fdopen(ours_in, "rb")
        self._rest = b""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")

    def open(self, path: Path, *, fragment: str = "", width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Loads a file in a window of this size, and waits until its scripts have run."""
        self._call(
            "Page.navigate", url="about:blank"
        )  # so that the page is loaded anew even if only the fragment differs
        self._wait_for("Page.loadEventFired")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        self.complaints, self.requests, self._events = [], [], []
        self._call("Page.navigate", url=path.as_uri() + fragment)
        self._wait_for("Page.loadEventFired")

    def run(self, script: str) -> Any:
        """Returns the value of a JavaScript expression; a promise is awaited.

        Raises:
            AssertionError: the expression throws.
        """
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Presses a key as a person does; a character or a name such as ``Tab``."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        codes = {"Tab": 9, "Enter": 13, "ArrowLeft": 37, "ArrowRight": 39}
        more = {"windowsVirtualKeyCode": codes[key]} if key in codes else {}
        self._call("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **more)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Writes the visible part, or the whole page, as a PNG."""
        answer = self._call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(answer["data"]))

    def close(self) -> None:
        """Ends the browser."""
        with contextlib.suppress(BrokenPipeError):  # the browser has ended already
            self._out.close()
        self._in.close()
        self._process.kill()  # a page with an endless script would not obey a request
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        self._out.flush()
        while (answer := self._read()).get("id") != self._number:
            self._note(answer)
        assert "error" not in answer, f"{method}: {answer['error']}"
        result: dict[str, Any] = answer["result"]
        return result

    def _wait_for(self, event: str) -> None:
        while not any(noted["method"] == event for noted in self._events):
            self._note(self._read())
        self._events = [noted for noted in self._events if noted["method"] != event]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], _LIMIT_S)
            assert ready, f"the page did not answer within {_LIMIT_S:.0f} s"
            part = self._in.read1(1 << 20)
            assert part, "the browser is gone"
            self._rest += part
        line, self._rest = self._rest.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        return message

    def _note(self, event: dict[str, Any]) -> None:
        self._events.append(event)
        parameters = event["params"]
        match event["method"]:
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(parameters["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if parameters["type"] in ("error", "warning", "assert"):
                self.complaints.append(json.dumps(parameters["args"]))
            case "Log.entryAdded" if parameters["entry"]["level"] in ("error", "warning"):
                self.complaints.append(parameters["entry"]["text"])
            case "Network.requestWillBeSent" if parameters["type"] != "Document" or parameters.get("redirectResponse"):
                self.requests.append(parameters["request"]["url"])


def _pipe() -> tuple[int, int]:
    """Makes a pipe; both ends lie above the two descriptors that they will replace."""
    ends = [(end, fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)) for end in os.pipe()]
    for low, _ in ends:
        os.close(low)
    return ends[0][1], ends[1][1]
