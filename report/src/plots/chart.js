// One chart: curves over time by uPlot, a cursor at the page's time, and what it shows.
import uPlot from "uplot";
import { locate } from "../clock.js";
import { element, short, shortAlike } from "../dom.js";

const COLOURS = ["#3f7df0", "#ee8434", "#22a578", "#a66ddb", "#e5525e", "#1fa3ba", "#c99a1a", "#9a7b62", "#7da23c", "#cf5fa6"];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]]; // a run each

export class Chart {
  constructor(charts, names, { title = "", height, fixed = false }) {
    this.charts = charts;
    this.height = height;
    this.fixed = fixed;
    this.names = [];
    this.chips = element("div", { class: "chips" });
    this.body = element("div", { class: "curve" });
    this.cursor = element("div", { class: "cursor" });
    this.element = element("div", { class: "chart" }, title ? element("h3", {}, title) : null, this.chips, this.body);
    if (!fixed) this.addChooser();
    this.names = names;
    new ResizeObserver(() => this.fit()).observe(this.body);
    this.draw();
  }

  addChooser() {
    const about = { type: "text", list: "channels", placeholder: "add a channel …", "aria-label": "Add a channel", autocomplete: "off", spellcheck: "false" };
    this.input = element("input", { ...about, onchange: () => this.choose(), oninput: (event) => event.inputType === "insertReplacementText" && this.choose() });
    this.close = element("button", { type: "button", class: "quiet", title: "Remove this chart", "aria-label": "Remove this chart", onclick: () => this.charts.remove(this) }, "×");
  }

  choose() {
    const asked = this.input.value.trim();
    const matches = this.charts.names.filter((name) => name === asked || name.startsWith(`${asked}.`));
    const found = matches.includes(asked) ? [asked] : matches.length <= 3 ? matches : [];
    if (!found.length) return;
    this.input.value = "";
    this.names = [...new Set([...this.names, ...found])];
    this.draw();
    this.input.focus();
  }

  drop(name) {
    this.names = this.names.filter((other) => other !== name);
    this.draw();
  }

  /** A curve for each channel of each run that has it: colours tell channels, dashes runs. */
  curves() {
    return this.names.flatMap((name, k) =>
      this.charts.runs.flatMap(({ curves, label }, run) => {
        const values = curves.column(name);
        return values ? [{ name, label, run, values, time: curves.time, colour: COLOURS[k % COLOURS.length], unit: curves.unitOf(name) }] : [];
      }),
    );
  }

  draw() {
    this.plot?.destroy();
    this.shown = this.curves();
    this.drawChips();
    if (!this.shown.length) {
      this.body.replaceChildren(element("p", { class: "fine" }, "Choose a channel."));
      this.plot = null;
      return;
    }
    this.body.replaceChildren();
    const units = [...new Set(this.shown.map(({ unit }) => unit))];
    this.plot = new uPlot(this.options(units), this.table(), this.body);
    this.plot.over.append(this.cursor);
    this.plot.over.addEventListener("click", (event) => this.click(event));
    this.zoom();
    this.showTime();
  }

  /** Lists of curves with the same times. */
  byRun() {
    return this.charts.runs.map((_, run) => this.shown.filter((curve) => curve.run === run)).filter((of) => of.length);
  }

  table() {
    const numbers = ({ values }) => Array.from(values, (value) => (Number.isFinite(value) ? value : null));
    const columns = this.byRun().map((of) => [Array.from(of[0].time), ...of.map(numbers)]);
    return columns.length > 1 ? uPlot.join(columns) : columns[0];
  }

  options(units) {
    const { theme } = this.charts;
    const [ink, grid] = [theme.colour("ink-soft"), theme.colour("line")];
    const font = "11px system-ui, sans-serif";
    const look = { stroke: ink, font, labelFont: font, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 } };
    const side = (unit, k) => ({
      ...look, scale: unit, side: k === 0 ? 3 : 1, size: 62, label: `[${unit}]`, labelSize: 14, labelGap: 0,
      grid: { ...look.grid, show: k === 0 }, values: (_, ticks) => shortAlike(ticks),
    });
    const inOrder = this.byRun().flat();
    return {
      width: Math.max(this.body.clientWidth, 120),
      height: this.height,
      padding: [10, 12, 0, 0],
      pxAlign: 0,
      legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { size: 6 } },
      scales: { x: { time: false }, ...Object.fromEntries(units.map((unit) => [unit, { range }])) },
      series: [{}, ...inOrder.map(({ name, colour, run, unit }) => ({
        label: name, stroke: colour, width: 1.6, scale: unit, dash: DASHES[run % DASHES.length], points: { show: false },
      }))],
      axes: [{ ...look, size: 26, values: (_, ticks) => shortAlike(ticks) }, ...units.slice(0, 2).map(side)],
      hooks: { setSelect: [(plot) => this.select(plot)], setScale: [() => this.showTime()] },
    };
  }

  drawChips() {
    const chips = this.names.map((name, k) => {
      const dot = element("i", {});
      dot.style.background = COLOURS[k % COLOURS.length];
      const value = element("output", {});
      value.dataset.name = name;
      const drop = this.fixed ? null : element("button", { type: "button", "aria-label": `Remove ${name}`, onclick: () => this.drop(name) }, "×");
      return element("span", { class: "chip", title: this.charts.aboutOf(name) }, dot, this.fixed ? name.replace("energy.", "").replaceAll("_", " ") : name, value, drop);
    });
    this.chips.replaceChildren(...chips, ...(this.input ? [this.input, this.close] : []));
    this.values = [...this.chips.querySelectorAll("output")];
  }

  /** A drag chooses a stretch of time for all charts. */
  select(plot) {
    const { left, width } = plot.select;
    if (width < 3) return;
    this.dragged = true;
    this.charts.zoomTo([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")]);
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  }

  click(event) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    if (event.detail === 2) this.charts.zoomTo(null);
    else this.charts.clock.goTo(this.plot.posToVal(event.offsetX, "x"));
  }

  zoom() {
    if (!this.plot) return;
    const { begin, end } = this.charts.clock;
    const [min, max] = this.charts.span ?? [begin, end];
    this.plot.setScale("x", { min, max });
  }

  fit() {
    const width = this.body.clientWidth;
    if (this.plot && width > 0 && Math.abs(width - this.plot.width) > 1) {
      this.plot.setSize({ width, height: this.height });
      this.showTime();
    }
  }

  /** The cursor at the page's time, and the numbers there. */
  showTime() {
    if (!this.plot) return;
    const { time } = this.charts.clock;
    const x = this.plot.valToPos(time, "x");
    this.cursor.hidden = !(x >= 0 && x <= this.plot.over.clientWidth);
    this.cursor.style.translate = `${x}px 0`;
    for (const output of this.values) {
      const curves = this.shown.filter((curve) => curve.name === output.dataset.name);
      output.textContent = curves.map((curve) => sayAt(curve, time)).join(" | ");
    }
  }
}

/** Some room around a curve; a curve that is flat is seen as one. */
function range(_, low, high) {
  if (low === null) return [0, 1];
  const room = high > low ? 0.06 * (high - low) : 0.1 * Math.abs(low) || 1e-12;
  return [low - room, high + room];
}

function sayAt({ time, values, unit }, now) {
  const { frame, part } = locate(time, now);
  const next = values[Math.min(frame + 1, values.length - 1)];
  const value = values[frame] + (part > 0 ? part * (next - values[frame]) : 0);
  return Number.isFinite(value) ? `${short(value)} ${unit === "1" ? "" : unit}`.trim() : "–";
}
