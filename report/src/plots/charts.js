// All charts of the page: they share the clock, the stretch of time that is shown, and the names to choose from.
import { download, element } from "../dom.js";
import { Chart } from "./chart.js";
import { firstCharts } from "./choice.js";

const ENERGY = ["kinetic", "gravity", "strain", "stored", "work_loads", "work_drives", "dissipated", "numerical", "impacts", "friction"];
const CHARTS_AT_FIRST = 3;

export class Charts {
  constructor(runs, clock, theme, places) {
    this.runs = runs;
    this.clock = clock;
    this.theme = theme;
    this.all = [];
    this.span = null; // of time; null: all of it
    this.names = [...new Set(runs.flatMap((run) => run.curves.names))];
    this.buildPlots(places.plots);
    this.buildEnergy(places.energy);
    theme.listen(() => this.all.forEach((chart) => chart.draw()));
    clock.listen(() => this.all.forEach((chart) => chart.showTime()));
  }

  buildPlots(place) {
    const options = this.names.map((name) => element("option", { value: name, label: `[${this.unitOf(name)}]` }));
    this.list = element("div", { class: "chart-list" });
    const button = (label, title, pressed) => element("button", { type: "button", title, onclick: pressed }, label);
    const tools = element("div", { class: "tools", role: "toolbar", "aria-label": "Charts" },
      button("+ chart", "Another chart", () => this.add([]).input.focus()),
      element("span", { class: "gap" }),
      button("zoom in", "Half the time, about the cursor", () => this.zoomBy(0.5)),
      button("zoom out", "Twice the time", () => this.zoomBy(2)),
      button("all", "All of time (Z)", () => this.zoomTo(null)),
      button("csv", "Save the curves shown as CSV", () => this.save()));
    tools.lastChild.classList.add("last");
    place.append(element("datalist", { id: "channels" }, ...options), tools, this.list, element("p", { class: "fine" }, this.said()));
    for (const names of firstCharts(this.runs[0].curves).slice(0, CHARTS_AT_FIRST)) this.add(names);
    if (!this.all.length) this.add([]);
  }

  buildEnergy(place) {
    const { curves } = this.runs[0];
    const moving = ENERGY.map((name) => `energy.${name}`).filter((name) => curves.column(name)?.some((value) => Math.abs(value) > 0));
    if (!moving.length) {
      place.append(element("p", { class: "fine" }, "No audit was made: nothing moved in time."));
      return;
    }
    const fixed = (names, title) => {
      const chart = new Chart(this, names, { title, height: 200, fixed: true });
      place.append(chart.element);
      this.all.push(chart);
    };
    fixed(moving, "Accounts: what is stored, and what came in or went out since the start");
    fixed(["energy.residual"], "Residual: energy unaccounted for since the start; zero if nothing is lost or invented");
  }

  unitOf(name) {
    return this.runs.map((run) => run.curves.unitOf(name)).find((unit) => unit !== undefined) ?? "";
  }

  aboutOf(name) {
    const { curves } = this.runs.find((run) => run.curves.names.includes(name)) ?? {};
    return curves?.about[curves.names.indexOf(name)] ?? "";
  }

  add(names) {
    const chart = new Chart(this, names, { height: 168 });
    this.all.push(chart);
    this.list.append(chart.element);
    return chart;
  }

  remove(chart) {
    this.all = this.all.filter((other) => other !== chart);
    chart.element.remove();
  }

  /** Puts the name of a body or joint where a channel is chosen. */
  suggest(owner) {
    const chart = this.all.find((c) => !c.fixed) ?? this.add([]);
    chart.input.value = `${owner}.`;
    chart.input.focus();
  }

  zoomTo(span) {
    const { begin, end } = this.clock;
    this.span = span && span[1] - span[0] < end - begin ? [Math.max(span[0], begin), Math.min(span[1], end)] : null;
    for (const chart of this.all) chart.zoom();
  }

  zoomBy(factor) {
    const { begin, end, time } = this.clock;
    const [from, to] = this.span ?? [begin, end];
    const middle = time >= from && time <= to ? time : (from + to) / 2;
    const half = (factor * (to - from)) / 2;
    this.zoomTo([middle - half, middle + half]);
  }

  /** The chosen channels of all runs, as they stand in the page. */
  save() {
    const names = [...new Set(this.all.filter((chart) => !chart.fixed).flatMap((chart) => chart.names))];
    for (const { curves, label } of this.runs) {
      const known = names.filter((name) => curves.names.includes(name));
      const columns = known.map((name) => curves.column(name));
      const lines = [["time [s]", ...known.map((name) => `${name} [${curves.unitOf(name)}]`)].map(quoted).join(",")];
      for (let i = 0; i < curves.time.length; i++)
        lines.push([curves.time[i], ...columns.map((c) => (Number.isFinite(c[i]) ? Number(c[i].toPrecision(7)) : ""))].join(","));
      download(`${label.replaceAll(/[^\w-]+/g, "_")}.csv`, lines.join("\n") + "\n", "text/csv");
    }
  }

  said() {
    const { rows, samples, left_out, too_many } = this.runs[0].curves;
    const words = [
      rows === samples
        ? `Curves hold all ${rows} output times, to 7 digits.`
        : `Curves hold the least and greatest value of every ${Math.ceil((2 * rows) / samples)} of ${rows} output times, to 7 digits.`,
    ];
    if (left_out) words.push(`${left_out} channels of all nodes or elements are in the results file only.`);
    if (too_many) words.push(`${too_many} columns were too many for a page and are in the results file.`);
    return [...words, "Drag over a chart to zoom, click to go to a time, double-click for all."].join(" ");
  }
}

function quoted(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
