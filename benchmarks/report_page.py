"""Whether a page stays smooth: 20 000 triangles, 500 frames, in a headless Chromium that draws by software.

    .venv/bin/python benchmarks/report_page.py

`moving` is the page's own work for a frame: places and normals of all nodes, colours, cursors of the charts. `drawing`
is the picture after it, which a graphics card makes in next to no time and software does not; the page leaves shadows,
then pixels, until pictures come fast enough.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests" / "report"))
from drawn_runs import everything
from headless import MOVING, Browser, browser_path

DRAWING = """(() => {
    const { viewer, clock } = tapespring, gl = viewer.renderer.getContext(), pixel = new Uint8Array(4);
    let best = Infinity;
    for (let k = 0; k < 10; k++) {
        clock.goTo(clock.end * k / 10);
        const began = performance.now();
        viewer.renderer.render(viewer.stage, viewer.eye.camera);
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        best = Math.min(best, performance.now() - began);
    }
    return best;
})()"""
PACE = """new Promise((done) => {
    const { viewer, clock } = tapespring, draw = viewer.draw.bind(viewer);
    let pictures = 0;
    viewer.draw = () => { pictures++; draw(); };
    clock.play(true);
    setTimeout(() => { pictures = 0; setTimeout(() => { clock.play(false); done(pictures / 4); }, 4000); }, 6000);
})"""


def main() -> None:
    path = browser_path()
    if path is None:
        sys.exit("no Chromium on the path; install one, or name it in TAPESPRING_BROWSER")
    with tempfile.TemporaryDirectory() as folder:
        page = everything(times=500, cells=100, nodes=201).report(Path(folder) / "big.html")
        browser = Browser(path)
        try:
            began = time.perf_counter()
            browser.open(page)
            print(f"page     {page.stat().st_size / 1e6:.2f} MB, opened in {time.perf_counter() - began:.1f} s")
            print(f"moving   {browser.run(MOVING):.2f} ms a frame; coloured ", end="")
            browser.run("tapespring.viewer.colourBy('1')")
            print(f"{browser.run(MOVING):.2f} ms")
            print(f"drawing  {browser.run(DRAWING):.0f} ms by software, with shadows; ", end="")
            browser.run("tapespring.viewer.leaveShadows()")
            print(f"{browser.run(DRAWING):.0f} ms without")
            print(f"playing  {browser.run(PACE):.1f} pictures a second by software")
        finally:
            browser.close()


if __name__ == "__main__":
    main()
