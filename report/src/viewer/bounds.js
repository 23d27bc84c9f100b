// How large the scene is, over all of its motion.
import { Box3, Quaternion, Vector3 } from "three";
import { nice } from "../clock.js";

const LOOKS = 60; // frames that are looked at
const OFTEN = 12; // lengths of a long body: a scene that is longer has many
const LONG = 0.9; // of all bodies are shorter

/** Box around everything that moves, over all runs; contact surfaces without end do not count. */
export function boundsOf(animations) {
  const box = new Box3();
  for (const { bodies, parts, time } of animations) {
    const every = Math.max(1, Math.floor(time.length / LOOKS));
    const motions = [bodies.position, ...parts.map((part) => part.positions)].filter(Boolean);
    for (const motion of motions) {
      const numbers = new Float32Array(motion.size);
      for (let frame = 0; frame < motion.frames; frame += every) grow(box, motion.read(frame, 0, numbers));
      grow(box, motion.read(motion.frames - 1, 0, numbers));
    }
    for (const part of parts) growByPart(box, part, bodies, every);
  }
  if (box.isEmpty()) box.setFromCenterAndSize(new Vector3(), new Vector3(1, 1, 1));
  return box;
}

const FAR = 4; // times its own size: what travels farther is followed

/** Box around everything at one instant, as large as at its largest, if it is small beside the way it goes; else null. */
export function travellingBox(animations, whole) {
  if (animations.length > 1) return null;
  const [{ bodies, parts }] = animations;
  if (parts.some((part) => [...(part.ends ?? []), part.at].some((place) => place?.body === "ground"))) return null;
  if (parts.some((part) => part.name === "ground" && part.shapes?.length)) return null;
  const motions = [bodies.position, ...parts.map((part) => part.positions)].filter(Boolean);
  const frames = motions[0].frames;
  let [first, size] = [null, 0];
  for (let look = 0; look <= LOOKS; look++) {
    const here = new Box3();
    const frame = Math.round((look / LOOKS) * (frames - 1));
    for (const motion of motions) grow(here, motion.read(frame, 0, new Float32Array(motion.size)));
    first ??= here;
    size = Math.max(size, here.getSize(new Vector3()).length());
  }
  if (size === 0 || FAR * size > whole.getSize(new Vector3()).length()) return null;
  return new Box3().setFromCenterAndSize(first.getCenter(new Vector3()), new Vector3(1, 1, 1).multiplyScalar(size));
}

const SMALL = 0.01; // of the scene: displacements below cannot be seen
const SEEN = 0.1; // of the scene: those that can

/** By how much displacements have to be enlarged to be seen, a nice number; 1 if they can be seen, or nothing deforms. */
export function enlargement(animations, box) {
  const size = box.getSize(new Vector3()).length();
  let most = 0;
  for (const { bodies, parts } of animations) {
    const motions = [bodies.position, ...parts.map((part) => part.positions)].filter(Boolean);
    for (const motion of motions) most = Math.max(most, farthest(motion));
  }
  const deforms = animations.some(({ parts }) => parts.some((part) => part.positions));
  return deforms && most > 0 && most < SMALL * size ? nice((SEEN * size) / most) : 1;
}

/** Largest displacement along an axis since the start. */
function farthest({ low, step }) {
  return Math.max(...low.map((l, k) => Math.max(-l, l + 65535 * step[k])));
}

function grow(box, numbers) {
  const point = new Vector3();
  for (let i = 0; i < numbers.length; i += 3) box.expandByPoint(point.fromArray(numbers, i));
}

/** What stands still, and the corners of rigid bodies wherever they go. */
function growByPart(box, part, { names, position, orientation }, every) {
  const places = [...(part.ends ?? []), part.at].filter((place) => place?.body === "ground" && place.at);
  for (const { at } of places) box.expandByPoint(new Vector3(...at));
  const corners = part.kind === "rigid" ? part.shapes.flatMap(cornersOf) : part.radius ? around([0, 0, 0], part.radius) : [];
  if (part.name === "ground") corners.forEach((corner) => box.expandByPoint(corner));
  const k = names.indexOf(part.name);
  if (k < 0) return;
  const [x, q] = [new Float32Array(position.size), new Float32Array(orientation.size)];
  const [turn, moved] = [new Quaternion(), new Vector3()];
  for (let frame = 0; frame < position.frames; frame += every) {
    position.read(frame, 0, x);
    orientation.read(frame, 0, q);
    turn.set(q[4 * k + 1], q[4 * k + 2], q[4 * k + 3], q[4 * k]).normalize();
    for (const corner of corners) {
      moved.copy(corner).applyQuaternion(turn);
      box.expandByPoint(moved.set(moved.x + x[3 * k], moved.y + x[3 * k + 1], moved.z + x[3 * k + 2]));
    }
  }
}

const around = (at, ...reach) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new Vector3(...at.map((a, i) => a + (k & (1 << i) ? 1 : -1) * (reach[i] ?? reach[0]))));

/** Of a box around a shape, in the body's frame. */
function cornersOf(shape) {
  if (shape.kind === "plane") return [];
  const points = [...(Array.isArray(shape.to?.[0]) ? shape.to : shape.to ? [shape.to] : []), ...(shape.points ?? [])];
  const ends = points.map((point) => new Vector3(...point));
  if (!shape.axes) return ends;
  const [r, l] = [shape.radius ?? shape.outer_radius ?? 0, (shape.length ?? 0) / 2];
  const half = shape.size?.map((s) => s / 2) ?? shape.semi_axes ?? [r, r, Math.max(l, shape.kind === "sphere" ? r : 0)];
  const [x, y, z] = shape.axes.map((axis) => new Vector3(...axis));
  const at = new Vector3(...shape.at);
  const local = around([0, 0, 0], ...half);
  return [...ends, ...local.map((c) => at.clone().addScaledVector(x, c.x).addScaledVector(y, c.y).addScaledVector(z, c.z))];
}

/** The axis that points up: against gravity; else across the plane that nothing leaves, or z. */
export function upOf(animations, box) {
  const gravity = new Vector3(...animations[0].gravity);
  if (gravity.length() > 0) return principal(gravity.negate());
  return thinAxis(box) === 2 ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
}

function principal(v) {
  const size = [v.x, v.y, v.z].map(Math.abs);
  const k = size.indexOf(Math.max(...size));
  return new Vector3().setComponent(k, Math.sign(v.getComponent(k)));
}

/** The axis along which a scene is flat, or -1. */
export function thinAxis(box) {
  const size = box.getSize(new Vector3()).toArray();
  const least = Math.min(...size);
  return least < 0.12 * Math.max(...size) ? size.indexOf(least) : -1;
}

/** The length that signs and thin parts are drawn by: that of the scene, or of its bodies if there are many small ones. */
export function signSize(animations, whole) {
  const lengths = animations.flatMap(({ parts }) => [
    ...parts.filter((part) => part.kind === "rigid" && part.name !== "ground").map(({ shapes }) => spanOf(shapes.flatMap(cornersOf))),
    ...parts.filter((part) => part.positions).map(({ positions }) => spanAtStart(positions)),
  ]);
  const usual = lengths.filter((length) => length > 0).sort((a, b) => a - b);
  return usual.length ? Math.min(whole, OFTEN * usual[Math.floor(LONG * usual.length)]) : whole;
}

function spanAtStart(motion) {
  const box = new Box3();
  grow(box, motion.read(0, 0, new Float32Array(motion.size)));
  return box.isEmpty() ? 0 : box.getSize(new Vector3()).length();
}

function spanOf(points) {
  return points.length ? new Box3().setFromPoints([...points]).getSize(new Vector3()).length() : 0;
}
