"""The page in a real browser: it plays, scrubs, picks, answers keys, and the console stays silent.

Without a Chromium (named in TAPESPRING_BROWSER, or on the path) these tests are skipped, loudly.
"""

import json
import warnings

import numpy as np
import pytest
from drawn_runs import everything, hardly_moved, poisoned, traveller
from headless import MOVING, Browser, browser_path

import tapespring as ts
from tapespring.results.report.document import document

if browser_path() is None:
    warnings.warn("no Chromium here: the report page is NOT tested in a browser", stacklevel=1)
    pytest.skip("no Chromium: apt-get install chromium", allow_module_level=True)


@pytest.fixture(scope="module")
def browser():
    made = Browser(browser_path(), width=900, height=640)
    yield made
    made.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def page(browser, folder):
    """One page of a good run, opened; tests leave it as they like."""
    browser.open(everything().report(folder / "good.html"))
    return browser


def test_it_opens_without_complaints_and_shows_something(page):
    assert page.run("document.documentElement.dataset.ready") == "yes"
    assert page.run("document.title") == "Everything"
    colours = page.run(
        """(async () => {
            const { viewer } = tapespring;
            viewer.draw();
            const gl = viewer.renderer.getContext();
            const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
            const pixels = new Uint8Array(4 * w * h);
            gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
            const seen = new Set();
            for (let i = 0; i < pixels.length; i += 4) seen.add(pixels.subarray(i, i + 3).join());
            return seen.size;
        })()"""
    )
    assert colours > 200
    assert page.complaints() == []


def test_parts_are_where_the_results_say(page):
    """Positions unpacked and drawn by the page beside those that were packed."""
    run = everything()
    for time in (0.0, 0.75, 2.0):
        page.run(f"tapespring.clock.goTo({time})")
        row = int(np.argmin(abs(run.time - time)))
        drawn = page.run("tapespring.viewer.casts[0].where({body: 'bob', at: [0, 0, 0]}).toArray()")
        assert drawn == pytest.approx(run["bob.position"].values[row], abs=1e-4)
        corner = page.run("tapespring.viewer.casts[0].where({body: 'crank', at: [0.2, 0.05, 0.05]}).toArray()")
        angle = np.pi * time
        x, z = 0.2 * np.cos(angle) + 0.05 * np.sin(angle), -0.2 * np.sin(angle) + 0.05 * np.cos(angle)
        assert corner == pytest.approx([0.5 + x, 0.3 + 0.05, z], abs=1e-3)
        for body in ("strap", "sheet"):
            nodes = page.run(f"Array.from(tapespring.viewer.casts[0].flexible.get('{body}').nodes)")
            assert nodes == pytest.approx(run[f"{body}.positions"].values[row], abs=1e-4)
    assert page.run("tapespring.runs[0].curves.column('hinge.angle')[20]") == pytest.approx(np.pi * run.time[20])


def test_contact_arrows_show_while_it_touches(page):
    arrow = "tapespring.viewer.casts[0].children.find((c) => c.userData.layer === 'contacts')"
    page.run("tapespring.clock.goTo(0.5)")
    assert page.run(f"{arrow}.visible") is False
    page.run("tapespring.clock.goTo(1.0)")
    assert page.run(f"{arrow}.visible") is True
    assert page.run(f"{arrow}.position.toArray()") == pytest.approx([0.5, 0.3, -0.2])


def test_it_plays_and_pauses(page):
    page.run("tapespring.clock.goTo(0)")
    page.click(".transport .play")
    page.wait("tapespring.clock.time > 0.05")
    page.click(".transport .play")
    stopped = page.run("tapespring.clock.time")
    assert page.run("tapespring.clock.playing") is False
    assert page.run("new Promise((done) => setTimeout(() => done(tapespring.clock.time), 150))") == stopped
    assert page.run("document.querySelector('.time').textContent").endswith(" s")


def test_it_scrubs_and_everything_follows(page):
    page.run(
        """(() => { const slider = document.querySelector('.track input'); slider.value = 2500;
        slider.dispatchEvent(new Event('input')); })()"""
    )
    assert page.run("tapespring.clock.time") == pytest.approx(0.5)
    shown = page.run("document.querySelector('.time').textContent")
    assert float(shown.split()[0]) == pytest.approx(0.5)
    at = page.run("(({charts}) => charts.all[0].plot.valToPos(0.5, 'x'))(tapespring)")
    cursor = page.run("document.querySelector('.cursor').style.translate")
    assert float(cursor.split("px")[0]) == pytest.approx(at, abs=0.1)


def test_a_channel_is_picked_and_dropped(page):
    count = "tapespring.charts.all[0].names.length"
    before = page.run(count)
    page.run("document.querySelector('.chips input').focus()")
    page.ask("Input.insertText", text="sheet.strain_energy")
    page.press("Enter", "\r")
    assert page.run(count) == before + 1
    assert page.run("tapespring.charts.all[0].plot.series.length") == before + 2
    page.run("tapespring.clock.goTo(2)")
    value = page.run(
        "[...document.querySelectorAll('.chip output')].find((o) => o.dataset.name === 'sheet.strain_energy')"
        ".textContent"
    )
    assert float(value.split()[0]) == pytest.approx((2 * np.pi) ** 2, rel=1e-3)
    page.click("[aria-label='Remove sheet.strain_energy']")
    assert page.run(count) == before


def test_charts_zoom_together_and_back(page):
    page.run("tapespring.charts.zoomTo([0.5, 1.0])")
    spans = page.run(
        "tapespring.charts.all.filter((c) => c.plot).map((c) => [c.plot.scales.x.min, c.plot.scales.x.max])"
    )
    assert spans
    assert all(span == pytest.approx([0.5, 1.0]) for span in spans)
    page.run("document.activeElement.blur()")
    page.press("z")
    assert page.run("tapespring.charts.all[0].plot.scales.x.max") == pytest.approx(2.0)


def test_everything_by_keyboard(page):
    page.run("document.activeElement.blur(); tapespring.clock.goTo(0)")
    page.press("ArrowRight")
    assert page.run("tapespring.clock.time") == pytest.approx(2.0 / 80)
    page.press("End")
    assert page.run("tapespring.clock.time") == 2.0
    page.press(" ", " ")
    assert page.run("tapespring.clock.playing") is True
    page.press(" ", " ")
    before = page.run("tapespring.viewer.eye.camera.position.toArray()")
    page.press("4")
    above = page.run("tapespring.viewer.eye.camera.position.toArray()")
    assert above != before
    page.press("a")
    assert page.run("tapespring.viewer.eye.camera.position.toArray()") != above
    page.press("g")
    assert page.run("tapespring.viewer.ghosts[0].visible") is True
    page.press("c")
    assert page.run("document.querySelector('.legend').hidden") is False
    dark = page.run("tapespring.theme.dark")
    page.press("t")
    assert page.run("tapespring.theme.dark") is not dark
    page.press("?")
    assert page.run("document.querySelector('dialog').open") is True
    page.press("?")
    focusable = page.run(
        "[...document.querySelectorAll('button, select, input, a, .screen canvas')].every((e) => e.tabIndex >= 0)"
    )
    assert focusable
    assert page.complaints() == []


def test_colours_follow_numbers(page):
    """The moment is the same along the strap and grows with time: its colour goes from end to end of the scale."""
    page.run(
        """(({viewer}) => { const k = viewer.scales.findIndex((s) => s.name === 'bending moment of beams');
        viewer.colours.selectedIndex = k + 1; viewer.colourBy(k); })(tapespring)"""
    )
    colour = (
        "Array.from(tapespring.viewer.casts[0].flexible.get('strap').mesh.geometry.attributes.color.array.slice(0, 3))"
    )
    page.run("tapespring.clock.goTo(0)")
    low = page.run(colour)
    page.run("tapespring.clock.goTo(2)")
    high = page.run(colour)
    assert low[2] > low[1]  # violet
    assert high[1] > 0.5  # yellow
    assert high[2] < 0.2
    assert page.run("tapespring.viewer.legend.textContent").startswith("bending moment of beams [N m]0")


def test_a_sheet_is_coloured_by_its_energy(page):
    """Its elements hold more from the first to the last; so do the nodes between them."""
    names = page.run("[...document.querySelectorAll('#colour-by option')].map((o) => o.textContent)")
    assert {"parts", "membrane force, von Mises", "strain energy per area", "speed"} <= set(names)
    page.run(
        f"tapespring.viewer.colours.selectedIndex = {names.index('strain energy per area')};"
        "tapespring.viewer.colourBy(tapespring.viewer.colours.value); tapespring.clock.goTo(2)"
    )
    colours = "Array.from(tapespring.viewer.casts[0].flexible.get('sheet').mesh.geometry.attributes.color.array)"
    colours = np.reshape(page.run(colours), (-1, 3))
    assert colours[0, 2] > colours[0, 1]  # violet
    assert colours[-1, 1] > 0.5  # yellow
    assert page.run("tapespring.viewer.legend.textContent") == "strain energy per area [J/m^2]035"


def test_curves_are_saved_as_csv(page):
    text = page.run(
        """(async () => { let saved; const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { saved = blob; return make.call(URL, blob); };
        HTMLAnchorElement.prototype.click = () => {};
        tapespring.charts.save(); URL.createObjectURL = make; return saved.text(); })()"""
    )
    lines = text.splitlines()
    assert lines[0].startswith("time [s],")
    assert len(lines) == 82
    assert page.run("tapespring.charts.all[0].names[0]") in lines[0]


def test_one_pass_is_saved_as_a_film(page):
    page.run(
        """(() => { const make = URL.createObjectURL; window.film = null; HTMLAnchorElement.prototype.click = () => {};
        URL.createObjectURL = (blob) => { window.film = blob; return make.call(URL, blob); };
        tapespring.clock.setSpeed(5); tapespring.viewer.filming.click(); })()"""
    )
    page.wait("window.film !== null")
    assert page.run("film.size") > 1000
    assert page.run("film.type").startswith("video/webm")
    assert page.run("tapespring.clock.time") == 2.0
    assert page.run("tapespring.clock.loops") is True
    assert page.run("tapespring.viewer.filming.getAttribute('aria-pressed')") == "false"


def test_events_are_places_to_go_to(page):
    page.click("#events button")
    assert page.run("tapespring.clock.time") == pytest.approx(0.9)


def test_bad_trust_is_red_and_first(browser, folder):
    browser.open(everything(bad=True).report(folder / "bad.html"))
    assert browser.run("document.querySelector('main').firstElementChild.id") == "trust"
    colour = browser.run("getComputedStyle(document.querySelector('#trust h2')).color")
    red, green, blue = (int(part) for part in colour[4:-1].split(","))
    assert red > 150 > max(green, blue)
    assert browser.run("document.querySelector('#trust').getBoundingClientRect().top") < 150
    assert "Do not trust" in browser.run("document.querySelector('#trust h2').textContent")
    assert browser.complaints() == []


def test_two_runs_on_one_page_in_the_dark(browser, folder):
    slow, fast = everything(name="slow"), everything(name="fast", speed=1.5, times=61)
    browser.open(slow.report(folder / "two.html", fast), dark=True)
    assert browser.run("tapespring.theme.dark") is True
    assert browser.run("tapespring.viewer.casts.length") == 2
    assert browser.run("tapespring.charts.all[0].plot.series.length - 1") == 2 * browser.run(
        "tapespring.charts.all[0].names.length"
    )
    labels = json.loads(
        browser.run("JSON.stringify([...document.querySelectorAll('.run-name')].map((e) => e.textContent))")
    )
    assert {"slow", "fast"} <= set(labels)
    browser.run("tapespring.clock.goTo(1.0)")
    angle = browser.run("tapespring.viewer.casts.map((c) => c.where({body: 'bob', at: [0, 0, 0]}).x)")
    assert angle == pytest.approx([np.sin(np.pi), np.sin(1.5 * np.pi)], abs=1e-3)
    assert browser.complaints() == []


def test_small_displacements_are_drawn_larger_and_it_is_said(browser, folder):
    """A micrometre on a metre: × 200 000 as told, smooth, and as it is at the press of a key."""
    browser.open(hardly_moved().report(folder / "small.html"))
    factor = browser.run("tapespring.viewer.enlargement")
    assert factor == 200_000
    assert "200 000 times" in browser.run("document.querySelector('.view-note').textContent")
    browser.run("tapespring.clock.goTo(0.5)")
    nodes = "Array.from(tapespring.viewer.casts[0].flexible.get('sheet').nodes)"
    assert browser.run(nodes)[5] == pytest.approx(-0.5e-6 * factor, rel=1e-3)
    browser.press("x")
    assert browser.run(nodes)[5] == pytest.approx(-0.5e-6, rel=1e-3)
    assert "times as large" not in browser.run("document.querySelector('.view-note').textContent")
    assert browser.complaints() == []


def test_first_charts_show_what_changes(browser, folder):
    """Curves far apart are not squeezed into one chart, and rounding is no curve; axes have digits enough."""
    browser.open(hardly_moved().report(folder / "small.html"))
    names = browser.run("tapespring.charts.all.flatMap((chart) => chart.names)")
    assert [name for name in names if name.endswith("position.z")] == ["sheet.edge.position.z"]
    assert not [name for name in names if name.startswith("clamp")]
    column = "tapespring.charts.runs[0].curves.column('sheet.corner.position.z')"
    ends = browser.run(f"[0, 10].map((k) => {column}[k])")
    assert ends[0] - ends[1] == pytest.approx(1e-6, rel=1e-6)


def test_the_view_goes_along_with_what_travels_far(browser, folder):
    browser.open(traveller().report(folder / "far.html"))
    target = "tapespring.viewer.eye.controls.target.toArray()"
    for time in (0.0, 0.5, 1.0):
        browser.run(f"tapespring.clock.goTo({time})")
        assert browser.run(target) == pytest.approx([10.0 * time, 0.05, 0.0], abs=1e-3)
        assert browser.run("tapespring.viewer.eye.camera.position.distanceTo(tapespring.viewer.eye.centre)") < 1.0
    browser.press("f")
    browser.run("tapespring.clock.goTo(0)")
    assert browser.run(target)[0] == pytest.approx(10.0, abs=1e-3)
    assert browser.complaints() == []


def test_without_geometry_there_are_still_curves(browser, folder):
    run = everything()
    run._scene = {}
    browser.open(run.report(folder / "plain.html"))
    assert "no geometry" in browser.run("document.querySelector('.nothing').textContent")
    browser.run("tapespring.clock.goTo(1.0)")
    assert browser.run("tapespring.charts.all.length") >= 2
    assert browser.complaints() == []


@pytest.mark.slow
def test_twenty_thousand_triangles_play(browser, folder):
    big = everything(times=500, cells=100, nodes=201)
    browser.open(big.report(folder / "big.html"))
    assert browser.run("tapespring.viewer.animations[0].time.length") == 500
    assert browser.run("tapespring.viewer.casts[0].flexible.get('sheet').part.triangles.length") == 3 * 20_000
    browser.run("tapespring.clock.play(true)")
    browser.wait("tapespring.clock.time > 0.5")
    browser.run("tapespring.clock.play(false)")
    browser.run("tapespring.clock.goTo(1.0)")
    row = int(np.argmin(abs(big.time - 1.0)))
    nodes = browser.run("Array.from(tapespring.viewer.casts[0].flexible.get('sheet').nodes)")
    places = big["sheet.positions"].values
    part = (1.0 - big.time[row - 1]) / (big.time[row] - big.time[row - 1]) if big.time[row] > 1.0 else None
    expected = places[row] if part is None else places[row - 1] + part * (places[row] - places[row - 1])
    assert nodes == pytest.approx(expected, abs=1e-3)
    assert browser.run(MOVING) < 8.0  # ms: half of what sixty pictures a second leave
    assert browser.complaints() == []


def test_a_sample_of_a_study_tells_its_numbers(browser, folder):
    uniform = {"distribution": {"kind": "uniform", "low": 0, "high": 1}}
    study = {"parameters": {"a": uniform, "b": uniform}, "responses": {"y": {"value": "y", "unit": "N"}},
             "sampling": {"kind": "sobol", "samples": 32}}  # fmt: skip
    found = ts.study(study, lambda a, b: {"y": a + 2 * b}, workers=1)
    browser.open(found.report(folder / "study.html"))
    assert browser.run("document.getElementById('picked').hidden")
    browser.click("circle")
    told = browser.run("document.getElementById('picked').innerText").split()
    sample = int(told[1])
    shown = dict(zip(told[2::2], told[3::2], strict=False))
    assert float(shown["a"]) == pytest.approx(found["a"][sample], rel=1e-6)
    assert float(shown["b"]) == pytest.approx(found["b"][sample], rel=1e-6)
    assert float(shown["y"]) == pytest.approx(found["y"][sample], rel=1e-6)
    assert f"study.play({sample})" in told
    marked = browser.run("[...document.querySelectorAll('circle.picked title')].map((title) => title.textContent)")
    assert set(marked) == {f"sample {sample}"}
    assert len(marked) == 8  # over two parameters, and in six cells of the matrix
    assert browser.complaints() == []


HOSTILE = "\"'><img src=x onerror=window.hacked=1><script>window.hacked=1</script>"


def test_a_run_of_texts_that_are_markup_runs_nothing(browser, folder):
    """Escaped, every one of them: the browser has nothing to complain about."""
    browser.open(poisoned(HOSTILE).report(folder / "poisoned.html"))
    assert browser.run("document.documentElement.dataset.ready") == "yes"
    assert browser.run("document.querySelectorAll('img, svg script, main script').length") == 0
    assert browser.run("document.querySelector('#contacts td').textContent") == HOSTILE
    assert browser.run("window.hacked === undefined")
    assert browser.complaints() == []


def test_markup_that_slips_through_runs_nothing(browser, folder):
    """The browser runs no script and no attribute of which the page does not give the hash, and loads nothing."""
    ways = [
        "<script>window.hacked=1</script>", "<img src=x onerror=window.hacked=1>", "<svg onload=window.hacked=1></svg>",
        "<iframe srcdoc='<script>parent.hacked=1</script>'></iframe>", "<p style='color: rgb(1, 2, 3)'>styled</p>",
        "<a id='way' href='javascript:window.hacked=1'>here</a>", "<base href='https://example.com/'>",
        "<script src='data:text/javascript,window.hacked=1'></script>",
    ]  # fmt: skip
    program = "document.documentElement.dataset.ready = 'yes';"
    page = folder / "slipped.html"
    page.write_text(document("slipped", ways, style="p { color: rgb(9, 9, 9) }", program=program), encoding="utf-8")
    browser.open(page)
    assert browser.run("document.documentElement.dataset.ready") == "yes"
    browser.run("document.getElementById('way').click()")
    assert browser.run("new Promise((done) => setTimeout(() => done(window.hacked === undefined), 200))")
    assert browser.run("getComputedStyle(document.querySelector('p')).color") == "rgb(9, 9, 9)"
    assert browser.run("document.baseURI").startswith("file:")
    assert browser.complaints()
