// Everything by keyboard, and a page that says how.
import { element } from "./dom.js";

export function installKeys(place, { clock, viewer, charts, theme, transport }) {
  const frames = viewer?.frameTimes ?? charts.runs[0].curves.time;
  const step = (count) => {
    clock.play(false);
    transport.step(frames, count);
  };
  const speed = (count) => {
    const all = clock.speeds();
    const here = all.findIndex((s) => s >= clock.speed * 0.999);
    clock.setSpeed(all[Math.min(Math.max(here + count, 0), all.length - 1)]);
  };
  const keys = [
    [" ", "Space", "play or pause", () => clock.play()],
    ["ArrowRight", "→", "next frame (with Shift: ten)", (event) => step(event.shiftKey ? 10 : 1)],
    ["ArrowLeft", "←", "frame before (with Shift: ten)", (event) => step(event.shiftKey ? -10 : -1)],
    ["Home", "Home", "start", () => clock.goTo(clock.begin)],
    ["End", "End", "end", () => clock.goTo(clock.end)],
    ["+", "+", "faster", () => speed(1)],
    ["-", "−", "slower", () => speed(-1)],
    ["1", "1 2 3 4", "views: oblique, front, side, top", () => viewer?.look("oblique")],
    ["2", "", "", () => viewer?.look("front")],
    ["3", "", "", () => viewer?.look("side")],
    ["4", "", "", () => viewer?.look("top")],
    ["w", "W A S D", "orbit", () => viewer?.orbit(0, -1)],
    ["s", "", "", () => viewer?.orbit(0, 1)],
    ["a", "", "", () => viewer?.orbit(-1, 0)],
    ["d", "", "", () => viewer?.orbit(1, 0)],
    ["e", "E Q", "nearer, farther", () => viewer?.zoom(0.85)],
    ["q", "", "", () => viewer?.zoom(1 / 0.85)],
    ["c", "C", "colour by the next quantity", () => viewer?.nextColour()],
    ["g", "G", "ghost of the start", () => viewer?.press("ghost")],
    ["f", "F", "go along with what travels far", () => viewer?.press("follow")],
    ["j", "J", "joints", () => viewer?.press("joints")],
    ["x", "X", "small displacements drawn larger", () => viewer?.press("enlarged")],
    ["z", "Z", "all of time in the charts", () => charts.zoomTo(null)],
    ["t", "T", "light or dark", () => theme.toggle()],
    ["?", "?", "this list", () => (dialog.open ? dialog.close() : dialog.showModal())],
  ];
  const rows = keys.filter(([, shown]) => shown);
  const list = rows.flatMap(([, shown, about]) => [element("dt", {}, element("kbd", {}, shown)), element("dd", {}, about)]);
  const close = element("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "close");
  const dialog = element("dialog", { id: "keys" }, element("h2", {}, "Keys"), element("dl", {}, ...list), close);
  document.body.append(dialog);
  const help = { type: "button", class: "quiet", title: "Keys (?)", onclick: () => dialog.showModal() };
  place.append(element("button", help, "? keys"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const found = keys.find(([key]) => key === event.key || key === event.key.toLowerCase());
    if (!found) return;
    event.preventDefault();
    found[3](event);
  });
}

/** Whether a key belongs to the control that has the focus. */
function isTyping({ target, key }) {
  if (target.matches("input[type=text], input[type=search], input:not([type]), select, textarea")) return true;
  return key === " " && target.matches("button, summary, a, input");
}
