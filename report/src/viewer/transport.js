// Play, scrub, speed.
import { element, toggle } from "../dom.js";

const STEPS = 10000; // of the slider

export class Transport {
  constructor(place, clock, runs) {
    this.clock = clock;
    this.times = runs[0].animation?.time ?? runs[0].curves.time;
    const button = (label, title, pressed) => element("button", { type: "button", title, onclick: pressed }, label);
    this.playButton = element("button", { type: "button", class: "play", onclick: () => clock.play() });
    this.slider = element("input", { type: "range", min: 0, max: STEPS, step: 1, value: 0, "aria-label": "Time", oninput: () => this.scrub() });
    this.readout = element("output", { class: "time", "aria-live": "off" });
    this.speed = element("select", { "aria-label": "Speed", onchange: () => clock.setSpeed(Number(this.speed.value)) });
    this.speed.append(...clock.speeds().map((s) => element("option", { value: s }, sayPace(s))));
    const loop = toggle("loop", "Begin again at the end", true, (on) => (clock.loops = on));
    this.marks = element("div", { class: "marks", "aria-hidden": "true" });
    const track = element("div", { class: "track" }, this.marks, this.slider);
    place.append(
      element("div", { class: "transport", role: "group", "aria-label": "Playback" },
        button("|◂", "Start (Home)", () => clock.goTo(clock.begin)), button("◂", "Frame before (←)", () => this.step(this.times, -1)),
        this.playButton, button("▸", "Next frame (→)", () => this.step(this.times, 1)),
        track, this.readout, this.speed, loop),
    );
    this.markEvents(runs);
    clock.listen(() => this.show());
    this.show();
  }

  markEvents(runs) {
    const { begin, end } = this.clock;
    for (const { name, time } of runs.flatMap((run) => run.events)) {
      const mark = element("i", { title: name });
      mark.style.left = `${(100 * (time - begin)) / (end - begin || 1)}%`;
      this.marks.append(mark);
    }
  }

  scrub() {
    const { begin, end } = this.clock;
    this.clock.play(false);
    this.clock.goTo(begin + ((end - begin) * this.slider.value) / STEPS);
  }

  /** To an output time some frames away. */
  step(times, count) {
    const { clock } = this;
    clock.play(false);
    const tiny = 1e-9 * (clock.end - clock.begin);
    let k = count > 0 ? times.findLastIndex((t) => t <= clock.time + tiny) : times.findIndex((t) => t >= clock.time - tiny);
    if (k < 0) k = count > 0 ? 0 : times.length - 1;
    clock.goTo(times[Math.min(Math.max(k + count, 0), times.length - 1)]);
  }

  show() {
    const { begin, end, time, playing, speed } = this.clock;
    const span = end - begin;
    this.slider.value = span > 0 ? Math.round((STEPS * (time - begin)) / span) : 0;
    const digits = Math.max(0, 3 - Math.floor(Math.log10(span || 1)));
    this.readout.textContent = `${time.toFixed(Math.min(digits, 9))} s`;
    this.slider.setAttribute("aria-valuetext", this.readout.textContent);
    this.playButton.textContent = playing ? "❚❚" : "▶";
    this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.playButton.title = playing ? "Pause (Space)" : "Play (Space)";
    if (Number(this.speed.value) !== speed) this.speed.value = String(speed);
  }
}

function sayPace(speed) {
  return speed >= 1 ? `${Number(speed.toPrecision(3))}×` : `1/${Math.round(1 / speed).toLocaleString("en").replaceAll(",", " ")}×`;
}
