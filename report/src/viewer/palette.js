// Colours of bodies and of numbers.
import { Color } from "three";

const BODIES = ["#5b8def", "#f0934a", "#3fb58a", "#b27fe0", "#ef6b73", "#33b3c8", "#e2b53a", "#a98b74", "#8fb356", "#d976b5"];
const RUNS = ["#4f86ee", "#f08a3c", "#36b083", "#b27fe0", "#ef6b73", "#33b3c8", "#d2a52c", "#a98b74"]; // as in style.css
// viridis, and a map from blue through grey to red for numbers of either sign
const RISING = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"];
const SIGNED = ["#2b5fc4", "#5f8fe0", "#9dbcf0", "#d9dde3", "#f3b39a", "#e2704f", "#b8281f"];

export const bodyColour = (k) => new Color(BODIES[k % BODIES.length]);
export const runColour = (k) => new Color(RUNS[k % RUNS.length]);

/** 256 colours, three floats each, in the space that three.js computes in. */
function table(names) {
  const stops = names.map((name) => new Color(name));
  const out = new Float32Array(256 * 3);
  const mixed = new Color();
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1);
    const k = Math.min(Math.floor(at), stops.length - 2);
    mixed.lerpColors(stops[k], stops[k + 1], at - k).toArray(out, 3 * i);
  }
  return out;
}

const MAPS = { rising: table(RISING), signed: table(SIGNED) };

/** A scale of numbers: `low` to `high`, about zero if they are of either sign. */
export class Scale {
  constructor(name, unit, low, high) {
    this.name = name;
    this.unit = unit;
    this.isSigned = low < -1e-3 * high && high > 0;
    const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
    [this.low, this.high] = this.isSigned ? [-most, most] : low >= 0 ? [0, most] : [low, Math.max(high, 0)];
    if (this.low === this.high) this.high = this.low + 1;
  }

  /** Colours of numbers. */
  paint(values, out) {
    const map = MAPS[this.isSigned ? "signed" : "rising"];
    const factor = 255 / (this.high - this.low);
    for (let i = 0; i < values.length; i++) {
      const k = 3 * Math.min(Math.max(Math.round((values[i] - this.low) * factor), 0), 255);
      out[3 * i] = map[k];
      out[3 * i + 1] = map[k + 1];
      out[3 * i + 2] = map[k + 2];
    }
  }

  get gradient() {
    return `linear-gradient(to right, ${(this.isSigned ? SIGNED : RISING).join(", ")})`;
  }
}
