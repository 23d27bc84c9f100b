"""A browser without a window, driven through two pipes: DevTools messages are JSON ended by a zero byte."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--mute-audio", "--hide-scrollbars",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--remote-debugging-pipe",
    "--disable-dev-shm-usage", "--force-device-scale-factor=1",
)  # fmt: skip
# the browser reads from descriptor 3 and writes to 4; what is there may be one of the two
LAUNCHER = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(text), fcntl.F_DUPFD, 10) for text in sys.argv[1:3]]
for number, pipe in zip((3, 4), pipes):
    os.dup2(pipe, number)
os.execv(sys.argv[3], sys.argv[3:])
"""
# ms of the page's own work for a frame, pictures apart: the best of some rounds, for machines do other things as well
MOVING = """(() => {
    const { clock } = tapespring, frames = 5;
    let best = Infinity;
    for (let round = 0; round < 80; round++) {
        const began = performance.now();
        for (let k = 0; k < frames; k++) clock.goTo((clock.end * ((7 * (k + round)) % 83)) / 83);
        best = Math.min(best, (performance.now() - began) / frames);
    }
    return best;
})()"""


def browser_path() -> str | None:
    """Of a Chromium, if there is one."""
    return os.environ.get("TAPESPRING_BROWSER") or next(
        (found for name in NAMES if (found := shutil.which(name))), None
    )


class Browser:
    """Opens pages, runs expressions in them, presses keys, and remembers what the console said."""

    def __init__(self, path: str, *, width: int = 1440, height: int = 960, patience: float = 60.0) -> None:
        self.patience, self.width, self.height = patience, width, height
        self.profile = tempfile.mkdtemp(prefix="tapespring-browser-")
        to_browser, self.out = os.pipe()
        self.incoming, from_browser = os.pipe()
        command = [path, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"]
        launcher = [sys.executable, "-c", LAUNCHER, str(to_browser), str(from_browser), *command]
        self.process = subprocess.Popen(
            launcher, pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        self.messages: list[dict[str, Any]] = []

    def close(self) -> None:
        for descriptor in (self.out, self.incoming):
            os.close(descriptor)
        try:
            self.process.wait(timeout=5.0)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=10.0)
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """One command and its answer."""
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        mine = self.number
        while (answer := self.receive()).get("id") != mine:
            self.messages.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def receive(self) -> dict[str, Any]:
        until = time.monotonic() + self.patience
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.incoming], [], [], max(until - time.monotonic(), 0.0))
            piece = os.read(self.incoming, 1 << 16) if ready else b""
            if not piece:
                raise TimeoutError("the browser does not answer")
            self.buffer += piece
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def open(self, page: Path, dark: bool = False) -> None:
        """A page from disk, in a tab of its own, once it says that it is ready."""
        self.session = None
        self.messages = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        size = {"width": self.width, "height": self.height, "deviceScaleFactor": 1, "mobile": False}
        self.ask("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.ask("Page.navigate", url=page.resolve().as_uri())
        self.wait("document.documentElement?.dataset.ready")

    def run(self, expression: str) -> Any:
        """Value of an expression in the page; promises are waited for."""
        done = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        return done["result"].get("value")

    def wait(self, expression: str) -> Any:
        """Until an expression is true."""
        until = time.monotonic() + self.patience
        while not (value := self.run(expression)):
            if time.monotonic() > until:
                raise TimeoutError(f"never true: {expression}")
            time.sleep(0.03)
        return value

    def press(self, key: str, text: str = "") -> None:
        """A key as a person presses it."""
        for kind in ("keyDown", "keyUp"):
            said = {"text": text} if text and kind == "keyDown" else {}
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, **said)

    def click(self, selector: str) -> None:
        """The middle of an element."""
        find = f"document.querySelector({json.dumps(selector)})"
        self.run(f"{find}.scrollIntoView({{block: 'center'}})")
        box = self.run(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({find}.getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def picture(self, path: Path, whole: bool = False) -> None:
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, exceptions, and everything that was asked of a network."""
        self.run("1")
        found = []
        for message in self.messages:
            method, params = message.get("method"), message.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append(f"{params['type']}: " + " ".join(str(a.get("value", a)) for a in params["args"]))
            elif method == "Log.entryAdded" and is_serious(params["entry"]):
                found.append(params["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(
                ("file:", "data:", "blob:", "about:")
            ):
                found.append(f"asks the network for {params['request']['url']}")
        return found


def is_serious(entry: dict[str, Any]) -> bool:
    """A driver that finds pictures of the screen slow is right, and nobody's fault."""
    return entry["level"] in ("error", "warning") and "GL Driver Message (OpenGL, Performance" not in entry["text"]
