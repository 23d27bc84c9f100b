// The page of a report: unpacks the runs, then builds the viewer and the charts around one clock.
import "./style.css";
import { Clock } from "./clock.js";
import { installKeys } from "./keys.js";
import { Charts } from "./plots/charts.js";
import { installTheme } from "./theme.js";
import { unpackRun } from "./unpack.js";
import { Viewer } from "./viewer/viewer.js";
import { Transport } from "./viewer/transport.js";

async function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const runs = await Promise.all(data.runs.map(unpackRun));
  const times = runs.map((run) => run.curves.time);
  const clock = new Clock(Math.min(...times.map((t) => t[0])), Math.max(...times.map((t) => t.at(-1))));
  const theme = installTheme(document.getElementById("page-tools"));
  const charts = new Charts(runs, clock, theme, {
    plots: document.getElementById("plots"),
    energy: document.getElementById("energy-charts"),
  });
  const place = document.getElementById("viewer");
  const viewer = Viewer.possible(runs) ? new Viewer(place, runs, clock, theme) : sayNothingToDraw(place);
  if (viewer) viewer.onPick = (name) => charts.suggest(name);
  const transport = new Transport(place, clock, runs);
  installKeys(document.getElementById("page-tools"), { clock, viewer, charts, theme, transport });
  for (const button of document.querySelectorAll("[data-time]"))
    button.addEventListener("click", () => clock.goTo(Number(button.dataset.time)));
  window.tapespring = { clock, viewer, charts, runs, theme };
  document.documentElement.dataset.ready = "yes";
}

function sayNothingToDraw(place) {
  const note = document.createElement("p");
  note.className = "nothing";
  note.textContent = Viewer.hasGraphics()
    ? "These results hold no geometry to draw. Run the model again with this version to see it move."
    : "This browser offers no 3-D graphics (WebGL), so there is no animation; curves and words are all here.";
  place.append(note);
  return null;
}

start().catch((error) => {
  document.documentElement.dataset.ready = "failed";
  console.error(error);
});
