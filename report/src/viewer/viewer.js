// The animation: renderer, parts of all runs, and the tools above it.
import { Raycaster, Vector2 } from "three";
import { element, download, grouped, short, toggle } from "../dom.js";
import { boundsOf, enlargement, signSize, travellingBox, upOf } from "./bounds.js";
import { Eye } from "./camera.js";
import { Cast, speeds } from "./cast.js";
import { Scale } from "./palette.js";
import { makeRenderer, Stage } from "./stage.js";

const VIEWS = { oblique: "Oblique (1)", front: "Front (2)", side: "Side (3)", top: "Top (4)" };
const MOST_EDGES = 6000;
const SLOW = 45; // ms between pictures
const LEAST_PIXELS = 0.6; // of those of the screen, along each side
const PACES = 12; // of these the middle one is judged

export class Viewer {
  static hasGraphics() {
    try {
      return Boolean(document.createElement("canvas").getContext("webgl2"));
    } catch {
      return false;
    }
  }

  static possible(runs) {
    return runs.some((run) => run.animation) && Viewer.hasGraphics();
  }

  constructor(place, runs, clock, theme) {
    this.paces = [];
    this.place = place;
    this.clock = clock;
    this.runs = runs.filter((run) => run.animation);
    this.animations = this.runs.map((run) => run.animation);
    this.frameTimes = this.animations[0].time;
    const whole = boundsOf(this.animations);
    const travelling = travellingBox(this.animations, whole);
    this.travels = travelling !== null;
    this.box = travelling ?? whole;
    const up = upOf(this.animations, this.box);
    this.canvas = element("canvas", { tabindex: "0", "aria-label": "Animation of the model; drag to look around" });
    this.hint = element("div", { class: "hint", hidden: true });
    this.legend = element("div", { class: "legend", hidden: true });
    this.note = element("p", { class: "fine view-note" }, this.saidOfFrames());
    this.screen = element("div", { class: "screen" }, this.canvas, this.hint, this.legend);
    this.renderer = makeRenderer(this.canvas);
    this.stage = new Stage(this.box, up, this.planes());
    this.eye = new Eye(this.canvas, this.box, up, () => this.ask());
    this.makeCasts();
    this.enlargement = enlargement(this.animations, this.box);
    this.scales = this.findScales();
    place.append(this.tools(), this.screen, this.note);
    theme.listen(() => this.repaint(theme));
    clock.listen(() => this.show());
    new ResizeObserver(() => this.resize()).observe(this.screen);
    this.installHint();
    this.resize();
    this.repaint(theme);
    this.show();
  }

  planes() {
    const found = this.animations.flatMap(({ parts }) => parts.filter((part) => part.name === "ground" && part.kind === "rigid"));
    return found.flatMap(({ shapes }) => shapes.filter((s) => s.kind === "plane").map((s) => ({ at: s.at, normal: s.axes[2] })));
  }

  makeCasts() {
    const size = signSize(this.animations, 2 * this.stage.radius);
    const count = this.animations.length;
    const make = (ghost) => this.animations.map((a, number) => new Cast(a, { size, number, count, ghost }));
    this.casts = make(false);
    this.ghosts = make(true);
    this.ghosts.forEach((ghost, k) => {
      ghost.show(this.animations[k].time[0]);
      ghost.visible = false;
    });
    this.stage.add(...this.casts, ...this.ghosts);
  }

  /** What parts can be coloured by. */
  findScales() {
    const flexible = this.animations.flatMap((a) => a.parts.filter((part) => part.positions).map((part) => ({ a, part })));
    const ranges = new Map();
    for (const { part } of flexible)
      for (const { name, unit, range } of part.fields) {
        const known = ranges.get(name) ?? { unit, low: Infinity, high: -Infinity };
        ranges.set(name, { unit, low: Math.min(known.low, range[0]), high: Math.max(known.high, range[1]) });
      }
    const found = [...ranges].map(([name, { unit, low, high }]) => new Scale(name, unit, low, high));
    if (flexible.length) found.push(new Scale("speed", "m/s", 0, Math.max(...flexible.map(fastest))));
    return found;
  }

  tools() {
    const bar = element("div", { class: "tools", role: "toolbar", "aria-label": "View" });
    for (const [name, title] of Object.entries(VIEWS))
      bar.append(element("button", { type: "button", title, onclick: () => this.look(name) }, name));
    this.buttons = {
      ghost: toggle("ghost", "Ghost of the start (G)", false, (on) => this.showGhosts(on)),
      joints: toggle("joints", "Joints and supports (J)", true, (on) => this.showLayer("joints", on)),
    };
    if (this.travels) {
      this.follows = true;
      this.buttons.follow = toggle("follow", "The view goes along (F)", true, (on) => {
        this.follows = on;
        this.show();
      });
    }
    if (this.hasParts("contact")) this.buttons.contacts = toggle("forces", "Contact forces", true, (on) => this.showLayer("contacts", on));
    if (this.hasParts("mesh")) this.buttons.edges = toggle("mesh", "Edges of elements", this.showsEdges(), (on) => this.showLayer("edges", on));
    bar.append(element("span", { class: "gap" }), ...Object.values(this.buttons));
    if (this.enlargement > 1) bar.append(this.enlargingToggle());
    if (this.scales.length) bar.append(this.colourChoice());
    if (this.runs.length > 1) bar.append(...this.runChoice());
    const saving = element("span", { class: "last" }, element("button", { type: "button", title: "Save this view as a picture", onclick: () => this.picture() }, "png"));
    if (window.MediaRecorder && this.canvas.captureStream) {
      this.filming = toggle("video", "Play once from the start and save it as a film (WebM)", false, (on) => (on ? this.film() : this.clock.play(false)));
      saving.append(" ", this.filming);
    }
    bar.append(saving);
    return bar;
  }

  /** Edges of fine meshes hide what they are edges of. */
  showsEdges() {
    const on = !this.animations.some(({ parts }) => parts.some((part) => part.edges?.length > 2 * MOST_EDGES));
    this.showLayer("edges", on);
    return on;
  }

  hasParts(kind) {
    return this.animations.some(({ parts }) => parts.some((part) => part.kind === kind));
  }

  colourChoice() {
    const options = [["", "parts"], ...this.scales.map(({ name }, k) => [k, name])];
    this.colours = element("select", { "aria-label": "Colour by", id: "colour-by", onchange: () => this.colourBy(this.colours.value) });
    this.colours.append(...options.map(([value, name]) => element("option", { value }, name)));
    return element("label", { class: "choice" }, "colour ", this.colours);
  }

  /** Displacements that cannot be seen are drawn larger, and it is said. */
  enlargingToggle() {
    const label = `displacements × ${grouped(this.enlargement)}`;
    const enlarge = (on) => {
      for (const cast of this.casts) cast.enlarged = on ? this.enlargement : 1;
      this.note.textContent = (on ? `Displacements are drawn ${grouped(this.enlargement)} times as large as they are. ` : "") + this.saidOfFrames();
      this.show();
    };
    this.buttons.enlarged = toggle(label, "Draw displacements larger than they are (X)", false, enlarge);
    this.buttons.enlarged.set(true);
    return this.buttons.enlarged;
  }

  runChoice() {
    return this.runs.map((run, k) =>
      toggle(element("span", { class: `run-name run-${k}` }, run.label), `Show ${run.label}`, true, (on) => {
        this.casts[k].visible = on;
        this.ask();
      }),
    );
  }

  colourBy(value) {
    const scale = value === "" ? null : this.scales[Number(value)];
    this.legend.hidden = scale === null;
    for (const cast of this.casts) cast.colourBy(scale);
    if (scale) {
      const bar = element("span", { class: "bar" });
      bar.style.background = scale.gradient;
      const ends = [short(scale.low), short(scale.high)].map((text) => element("span", {}, text));
      this.legend.replaceChildren(element("b", {}, `${scale.name} [${scale.unit}]`), ends[0], bar, ends[1]);
    }
    this.show();
  }

  nextColour() {
    if (!this.colours) return;
    this.colours.selectedIndex = (this.colours.selectedIndex + 1) % this.colours.options.length;
    this.colourBy(this.colours.value);
  }

  press(name) {
    this.buttons[name]?.click();
  }

  showGhosts(on) {
    for (const ghost of this.ghosts) ghost.visible = on;
    this.ask();
  }

  showLayer(layer, on) {
    for (const cast of this.casts)
      for (const child of cast.children)
        if (child.userData.layer === layer) {
          child.userData.wanted = on;
          child.visible = on && child.touches !== false;
        }
    this.ask();
  }

  look(name) {
    this.eye.look(name);
  }

  orbit(right, down) {
    this.eye.orbit(right, down);
  }

  zoom(factor) {
    this.eye.zoom(factor);
  }

  repaint(theme) {
    this.stage.paint(theme);
    this.ask();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.screen;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.eye.reshape(width / height);
  }

  show() {
    for (const cast of this.casts) if (cast.visible) cast.show(this.clock.time);
    if (this.follows) this.stage.follow(this.eye.follow(this.casts[0].middle()));
    this.ask();
  }

  /** A picture soon; many wishes, one picture. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  draw() {
    this.renderer.render(this.stage, this.eye.camera);
    this.watchPace(performance.now());
  }

  /** Where pictures come slowly while it plays, shadows go first, then fine pixels. */
  watchPace(now) {
    const between = this.clock.playing && this.lastDrawn ? now - this.lastDrawn : null;
    this.lastDrawn = this.clock.playing ? now : null;
    if (between === null) return;
    this.paces.push(Math.min(between, 1000));
    if (this.paces.length < PACES) return;
    const slow = this.paces.sort((a, b) => a - b)[PACES >> 1] > SLOW;
    this.paces = [];
    if (!slow) return;
    if (this.renderer.shadowMap.enabled) this.leaveShadows();
    else if (this.renderer.getPixelRatio() > LEAST_PIXELS) this.renderer.setPixelRatio(0.75 * this.renderer.getPixelRatio());
  }

  leaveShadows() {
    this.renderer.shadowMap.enabled = false;
    this.stage.shadow.visible = false;
    this.stage.traverse((object) => {
      if (object.material) object.material.needsUpdate = true;
    });
  }

  picture() {
    this.draw();
    this.canvas.toBlob((blob) => download("view.png", blob));
  }

  /** A film of one pass at the chosen speed; it ends where the run ends or the reader pauses. */
  film() {
    const { clock } = this;
    const loops = clock.loops;
    const recorder = new MediaRecorder(this.canvas.captureStream(30), { videoBitsPerSecond: 12e6 });
    const pieces = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.onstop = () => download("view.webm", new Blob(pieces, { type: recorder.mimeType }));
    const watch = () => {
      if (clock.playing || recorder.state === "inactive") return;
      clock.listeners.delete(watch);
      clock.loops = loops;
      setTimeout(() => recorder.stop(), 200); // the last picture shall be on it
      this.filming.setAttribute("aria-pressed", "false");
    };
    clock.play(false);
    clock.loops = false;
    clock.goTo(clock.begin);
    recorder.start();
    clock.play(true);
    clock.listen(watch);
  }

  saidOfFrames() {
    const { time, rows } = this.animations[0];
    const all = time.length === rows ? `All ${rows} output times` : `${time.length} of ${rows} output times`;
    return `${all} are shown, straight lines between them; ways are rounded to 1/65 535 of the longest. Thin parts are drawn thicker.`;
  }

  /** The name of what is under the pointer; a click looks for its channels. */
  installHint() {
    const ray = new Raycaster();
    const spot = new Vector2();
    const under = (event) => {
      const { left, top, width, height } = this.canvas.getBoundingClientRect();
      spot.set((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
      ray.setFromCamera(spot, this.eye.camera);
      const hit = ray.intersectObjects(this.casts.filter((c) => c.visible), true).find(({ object }) => object.userData.part && shown(object));
      return hit?.object.userData.part ?? null;
    };
    let last = 0;
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons || performance.now() - last < 60) return;
      last = performance.now();
      const part = this.clock.playing ? null : under(event);
      this.hint.hidden = part === null;
      if (!part) return;
      this.hint.textContent = `${part.name} · ${part.of ?? part.kind}`;
      this.hint.style.translate = `${event.offsetX + 14}px ${event.offsetY + 10}px`;
    });
    this.canvas.addEventListener("pointerleave", () => (this.hint.hidden = true));
    let pressed = null;
    this.canvas.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
    this.canvas.addEventListener("pointerup", (event) => {
      if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
      const part = under(event);
      if (part) this.onPick?.(part.name);
    });
  }
}

function shown(object) {
  for (let here = object; here; here = here.parent) if (!here.visible) return false;
  return true;
}

/** Of some frames. */
function fastest({ a, part }) {
  const every = Math.max(1, Math.floor(a.time.length / 40));
  const values = new Float32Array(part.positions.points);
  let most = 0;
  for (let frame = 0; frame < a.time.length; frame += every) {
    speeds(part.positions, a.time, frame, values);
    for (const value of values) if (value > most) most = value;
  }
  return most;
}
