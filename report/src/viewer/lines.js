// Beams, cables and cords: a section carried along nodes.
import { BufferAttribute, BufferGeometry } from "three";

const ROUND = 12; // corners of a round section
const LEAST_RADIUS = 0.0035; // of the scene: what is thinner is drawn so
const LEAST_HALF = 0.0008; // the same for the thickness of straps

/** Corners [y, z] and normals there: a round section is smooth, of others every side has corners of its own. */
function ringOf({ outline, radius }, size) {
  if (!outline) {
    const r = Math.max(radius || 0, LEAST_RADIUS * size);
    const turns = Array.from({ length: ROUND }, (_, k) => (2 * Math.PI * k) / ROUND);
    const points = turns.map((a) => [r * Math.cos(a), r * Math.sin(a)]);
    return { points, normals: turns.map((a) => [Math.cos(a), Math.sin(a)]), sides: turns.map((_, k) => [k, (k + 1) % ROUND]) };
  }
  const half = [0, 1].map((k) => Math.max(...outline.map((p) => Math.abs(p[k]))));
  const grow = half.map((h) => Math.max(1, (LEAST_HALF * size) / h));
  const corners = outline.map(([y, z]) => [y * grow[0], z * grow[1]]);
  const area = corners.reduce((sum, [y, z], k) => {
    const [v, w] = corners[(k + 1) % corners.length];
    return sum + y * w - v * z;
  }, 0);
  const points = [];
  const normals = [];
  const sides = corners.map((corner, k) => {
    const next = corners[(k + 1) % corners.length];
    const length = Math.hypot(next[0] - corner[0], next[1] - corner[1]) || 1;
    const normal = [(next[1] - corner[1]) / length, (corner[0] - next[0]) / length].map((n) => n * Math.sign(area));
    points.push(corner, next);
    normals.push(normal, normal);
    return area > 0 ? [points.length - 2, points.length - 1] : [points.length - 1, points.length - 2];
  });
  return { points, normals, sides };
}

const SMOOTH = 240; // places along a line, by curves between its nodes
const CORNER = 0.87; // cosine between stretches as drawn: sharper is a corner and stays one

/** Places between nodes on a Catmull-Rom curve, and directions there; corners at the start stay corners. */
export class Smooth {
  constructor(nodes) {
    const count = nodes.length / 3;
    this.pieces = Math.min(Math.max(Math.ceil(SMOOTH / count), 1), 6);
    this.count = (count - 1) * this.pieces + 1;
    this.places = new Float32Array(3 * this.count);
    this.ups = new Float32Array(3 * this.count);
    this.isCorner = Array.from({ length: count }, (_, k) => k > 0 && k + 1 < count && bend(nodes, k) < CORNER);
  }

  read(nodes, up) {
    if (this.pieces === 1) return { places: nodes, ups: up };
    this.curve(nodes, this.places);
    if (up) this.straight(up, this.ups);
    return { places: this.places, ups: up && this.ups };
  }

  curve(nodes, out) {
    const last = nodes.length / 3 - 1;
    for (let k = 0, to = 0; k <= last; k++) {
      const before = k === 0 || this.isCorner[k] ? k : k - 1;
      const after = k + 1 >= last || this.isCorner[k + 1] ? Math.min(k + 1, last) : k + 2;
      const [p, q, r, s] = [3 * before, 3 * k, 3 * Math.min(k + 1, last), 3 * after];
      for (let i = 0; i < (k === last ? 1 : this.pieces); i++, to += 3) {
        const t = i / this.pieces;
        for (let c = 0; c < 3; c++) {
          const [a, b, d, e] = [nodes[p + c], nodes[q + c], nodes[r + c], nodes[s + c]];
          const [from, into] = [before === k ? d - b : (d - a) / 2, after === k + 1 ? d - b : (e - b) / 2];
          out[to + c] = b + t * (from + t * (3 * (d - b) - 2 * from - into + t * (2 * (b - d) + from + into)));
        }
      }
    }
  }

  straight(up, out) {
    const last = up.length / 3 - 1;
    for (let i = 0; i < this.count; i++) {
      const k = Math.min(Math.floor(i / this.pieces), last);
      const t = i / this.pieces - k;
      const next = Math.min(k + 1, last);
      for (let c = 0; c < 3; c++) out[3 * i + c] = up[3 * k + c] + t * (up[3 * next + c] - up[3 * k + c]);
    }
  }
}

/** Cosine of the turn at a node. */
function bend(nodes, k) {
  const way = (a) => [0, 1, 2].map((c) => nodes[3 * a + 3 + c] - nodes[3 * a + c]);
  const [p, q] = [way(k - 1), way(k)];
  const dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  return dot / (Math.hypot(...p) * Math.hypot(...q) || 1);
}

/** Geometry of a section along `count` nodes; `place(nodes, up)` moves it. */
export class Sweep extends BufferGeometry {
  constructor(section, count, size) {
    super();
    this.ring = ringOf(section, size);
    this.count = count;
    const corners = this.ring.points.length;
    this.setAttribute("position", new BufferAttribute(new Float32Array(3 * count * corners), 3));
    this.setAttribute("normal", new BufferAttribute(new Float32Array(3 * count * corners), 3));
    this.setIndex(indices(this.ring, count, corners));
  }

  get corners() {
    return this.ring.points.length;
  }

  /** nodes: places, three numbers each; up: directions of the section's z axis, or null for a round one. */
  place(nodes, up) {
    const { points, normals } = this.ring;
    const [where, facing] = [this.attributes.position.array, this.attributes.normal.array];
    let [ux, uy, uz] = firstUp(nodes);
    for (let k = 0, to = 0; k < this.count; k++) {
      const a = 3 * Math.max(k - 1, 0);
      const b = 3 * Math.min(k + 1, this.count - 1);
      let [tx, ty, tz] = [nodes[b] - nodes[a], nodes[b + 1] - nodes[a + 1], nodes[b + 2] - nodes[a + 2]];
      const length = Math.hypot(tx, ty, tz) || 1;
      [tx, ty, tz] = [tx / length, ty / length, tz / length];
      if (up) [ux, uy, uz] = [up[3 * k], up[3 * k + 1], up[3 * k + 2]];
      const along = ux * tx + uy * ty + uz * tz; // z across the tangent; carried along where nobody says
      [ux, uy, uz] = [ux - along * tx, uy - along * ty, uz - along * tz];
      const size = Math.hypot(ux, uy, uz) || 1;
      [ux, uy, uz] = [ux / size, uy / size, uz / size];
      const [sx, sy, sz] = [uy * tz - uz * ty, uz * tx - ux * tz, ux * ty - uy * tx]; // y = z × x
      const [x, y, z] = [nodes[3 * k], nodes[3 * k + 1], nodes[3 * k + 2]];
      for (let c = 0; c < points.length; c++, to += 3) {
        const p = points[c][0], q = points[c][1];
        const m = normals[c][0], n = normals[c][1];
        where[to] = x + p * sx + q * ux;
        where[to + 1] = y + p * sy + q * uy;
        where[to + 2] = z + p * sz + q * uz;
        facing[to] = m * sx + n * ux;
        facing[to + 1] = m * sy + n * uy;
        facing[to + 2] = m * sz + n * uz;
      }
    }
    this.attributes.position.needsUpdate = true;
    this.attributes.normal.needsUpdate = true;
  }
}

/** Some direction across the first stretch. */
function firstUp(nodes) {
  const [x, y, z] = [nodes[3] - nodes[0], nodes[4] - nodes[1], nodes[5] - nodes[2]];
  return Math.abs(z) < 0.9 * Math.hypot(x, y, z) ? [0, 0, 1] : [1, 0, 0];
}

function indices({ sides }, count, corners) {
  const found = [];
  for (let k = 0; k + 1 < count; k++)
    for (const [a, b] of sides) {
      const [p, q, r, s] = [k * corners + a, k * corners + b, (k + 1) * corners + b, (k + 1) * corners + a];
      found.push(p, q, r, p, r, s);
    }
  const firsts = sides.map(([a]) => a);
  for (let i = 1; i + 1 < firsts.length; i++) {
    const last = (count - 1) * corners;
    found.push(firsts[0], firsts[i + 1], firsts[i], last + firsts[0], last + firsts[i], last + firsts[i + 1]);
  }
  return found;
}

/** A beam that does not deform. */
export function sweptOnce(shape, size) {
  const sweep = new Sweep(shape, shape.points.length, size);
  sweep.place(Float32Array.from(shape.points.flat()), shape.outline ? Float32Array.from(shape.up.flat()) : null);
  return sweep;
}
