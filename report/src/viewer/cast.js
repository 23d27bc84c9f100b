// All parts of one run: who they are, where they are at a time, and how they are painted.
import {
  Box3, BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshStandardMaterial, Quaternion, SphereGeometry, Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { locate } from "../clock.js";
import { ContactArrow } from "./arrows.js";
import { JointSign, Link, SupportSigns } from "./links.js";
import { Smooth, Sweep } from "./lines.js";
import { Skin } from "./meshes.js";
import { bodyColour, runColour } from "./palette.js";
import { shapeGeometry } from "./shapes.js";

const POINT_RADIUS = 0.022; // of the scene

export class Cast extends Group {
  /** size: of the scene; number, count: which of how many runs; ghost: a faint image that stands still. */
  constructor(animation, { size, number = 0, count = 1, ghost = false }) {
    super();
    this.animation = animation;
    this.enlarged = 1; // displacements since the start
    this.layer = count > 1 ? number : 0; // where runs coincide the first lies on top
    this.frameSize = size;
    this.ghost = ghost;
    this.colour = (k) => (count > 1 ? runColour(number) : bodyColour(k));
    this.poses = new Map([["ground", new Matrix4()]]);
    this.flexible = new Map();
    this.late = []; // what hangs on others
    const { names } = animation.bodies;
    this.bodyNumbers = { position: new Float32Array(3 * names.length), orientation: new Float32Array(4 * names.length) };
    for (const name of names) this.poses.set(name, new Matrix4());
    let k = 0;
    for (const part of animation.parts) this.cast(part, () => k++);
  }

  cast(part, next) {
    const { kind } = part;
    if (kind === "rigid") this.addRigid(part, next);
    else if (kind === "point") this.addPoint(part, next);
    else if (kind === "line" || kind === "mesh") this.addFlexible(part, next);
    else if (kind === "link") this.hang(new Link(part, this), "links");
    else if (this.ghost) return;
    else if (kind === "joint") this.hang(new JointSign(part, this), "joints");
    else if (kind === "support") this.hang(new SupportSigns(part, this.frameSize), "joints");
    else if (kind === "contact") this.hang(new ContactArrow(part, this), "contacts");
  }

  hang(object, layer) {
    this.late.push(object);
    this.add(this.layered(object, layer));
  }

  layered(object, layer) {
    object.userData.layer = layer;
    return object;
  }

  material(colour) {
    const about = this.ghost ? { transparent: true, opacity: 0.16, depthWrite: false } : {};
    if (this.layer) Object.assign(about, { polygonOffset: true, polygonOffsetFactor: this.layer, polygonOffsetUnits: 4 * this.layer });
    return new MeshStandardMaterial({ color: colour, roughness: 0.5, metalness: 0.08, side: DoubleSide, ...about });
  }

  named(mesh, part) {
    mesh.userData.part = this.ghost ? null : part;
    mesh.castShadow = !this.ghost;
    mesh.receiveShadow = !this.ghost;
    return mesh;
  }

  addRigid(part, next) {
    const isGround = part.name === "ground";
    const shapes = part.shapes.filter((shape) => shape.kind !== "plane");
    if (!shapes.length || (isGround && this.ghost)) return;
    const pieces = shapes.map((shape) => {
      const made = shapeGeometry(shape, this.frameSize);
      const plain = made.index ? made.toNonIndexed() : made;
      for (const name of Object.keys(plain.attributes)) if (!["position", "normal"].includes(name)) plain.deleteAttribute(name);
      return plain;
    });
    const colour = isGround ? "#8b93a1" : this.colour(next());
    const mesh = this.named(new Mesh(mergeGeometries(pieces), this.material(colour)), part);
    mesh.matrixAutoUpdate = false;
    mesh.userData.pose = part.name;
    this.add(mesh);
  }

  addPoint(part, next) {
    const masses = this.animation.parts.filter((p) => p.kind === "point").map((p) => p.mass);
    const radius = part.radius ?? POINT_RADIUS * this.frameSize * Math.max(0.55, Math.cbrt(part.mass / Math.max(...masses)));
    const mesh = this.named(new Mesh(new SphereGeometry(radius, 36, 24), this.material(this.colour(next()))), part);
    mesh.matrixAutoUpdate = false;
    mesh.userData.pose = part.name;
    this.add(mesh);
  }

  addFlexible(part, next) {
    const count = part.positions.points;
    const isMesh = part.kind === "mesh";
    const smooth = isMesh ? null : new Smooth(part.positions.read(0, 0, new Float32Array(3 * count)));
    const geometry = isMesh ? new Skin(part.triangles, count) : new Sweep(part, smooth.count, this.frameSize);
    const mesh = this.named(new Mesh(geometry, this.material(this.colour(next()))), part);
    mesh.frustumCulled = false;
    const nodes = isMesh ? geometry.attributes.position.array : new Float32Array(3 * count);
    const up = part.up ? new Float32Array(3 * count) : null;
    this.flexible.set(part.name, { part, mesh, nodes, up, smooth });
    this.add(mesh);
    if (isMesh && !this.ghost) this.add(this.edges(part, geometry));
  }

  edges(part, { attributes }) {
    const geometry = new BufferGeometry().setAttribute("position", attributes.position);
    geometry.setIndex(new BufferAttribute(part.edges, 1));
    const lines = new LineSegments(geometry, new LineBasicMaterial({ color: "#0b1220", transparent: true, opacity: 0.22 }));
    lines.frustumCulled = false;
    return this.layered(lines, "edges");
  }

  /** World point of a place, see tapespring.scene. */
  where({ body, at, node }, out = new Vector3()) {
    if (at) return out.set(...at).applyMatrix4(this.poses.get(body));
    return out.fromArray(this.flexible.get(body).nodes, 3 * node);
  }

  /** Everything at a time. */
  show(time) {
    const { frame, part } = locate(this.animation.time, time);
    this.moveBodies(frame, part);
    for (const { part: about, mesh, nodes, up, smooth } of this.flexible.values()) {
      about.positions.read(frame, part, nodes, this.enlarged);
      if (!smooth) {
        mesh.geometry.settle();
        continue;
      }
      const { places, ups } = smooth.read(nodes, up && about.up.read(frame, part, up));
      mesh.geometry.place(places, ups);
    }
    for (const object of this.late) object.show(this, frame, part);
    if (this.paintScale) this.paint(frame, part);
  }

  moveBodies(frame, part) {
    const { names, position, orientation } = this.animation.bodies;
    if (!names.length) return;
    const x = position.read(frame, part, this.bodyNumbers.position, this.enlarged);
    const q = orientation.read(frame, part, this.bodyNumbers.orientation);
    const [at, turn, one] = [new Vector3(), new Quaternion(), new Vector3(1, 1, 1)];
    names.forEach((name, k) => {
      turn.set(q[4 * k + 1], q[4 * k + 2], q[4 * k + 3], q[4 * k]).normalize();
      this.poses.get(name).compose(at.fromArray(x, 3 * k), turn, one);
    });
    for (const mesh of this.children) if (mesh.userData.pose) mesh.matrix.copy(this.poses.get(mesh.userData.pose));
  }

  /** The middle of all places as they are shown. */
  middle() {
    const box = new Box3();
    const point = new Vector3();
    for (const numbers of [this.bodyNumbers.position, ...[...this.flexible.values()].map(({ nodes }) => nodes)])
      for (let i = 0; i < numbers.length; i += 3) box.expandByPoint(point.fromArray(numbers, i));
    return box.getCenter(point);
  }

  /** Colour by a scale, or each part by its own colour if there is none. */
  colourBy(scale) {
    this.paintScale = scale;
    for (const { part, mesh } of this.flexible.values()) {
      const on = scale !== null && this.numbersOf(part, scale) !== null;
      mesh.userData.own ??= mesh.material.color.clone();
      mesh.material.color.copy(on ? mesh.userData.own.clone().set("#ffffff") : mesh.userData.own);
      if (on && !mesh.geometry.attributes.color) {
        const count = mesh.geometry.attributes.position.count;
        mesh.geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * count), 3));
      }
      mesh.material.vertexColors = on;
      mesh.material.needsUpdate = true;
    }
  }

  numbersOf(part, { name }) {
    return name === "speed" ? part.positions : (part.fields.find((field) => field.name === name)?.values ?? null);
  }

  paint(frame, fraction) {
    for (const { part, mesh, smooth } of this.flexible.values()) {
      const source = this.numbersOf(part, this.paintScale);
      if (!source) continue;
      const count = part.positions.points;
      const values = (mesh.userData.values ??= new Float32Array(count));
      if (this.paintScale.name === "speed") speeds(source, this.animation.time, frame, values);
      else source.read(frame, fraction, values);
      const { color } = mesh.geometry.attributes;
      this.paintScale.paint(smooth ? repeated(values, smooth, mesh) : values, color.array);
      color.needsUpdate = true;
    }
  }
}

/** Numbers of nodes at all corners of all places along a line. */
function repeated(values, { pieces, count }, mesh) {
  const { corners } = mesh.geometry;
  const out = (mesh.userData.repeated ??= new Float32Array(count * corners));
  for (let i = 0; i < count; i++) {
    const k = Math.floor(i / pieces);
    const next = values[Math.min(k + 1, values.length - 1)];
    out.fill(values[k] + (i / pieces - k) * (next - values[k]), i * corners, (i + 1) * corners);
  }
  return out;
}

/** Of nodes, from frame to frame. */
export function speeds(motion, time, frame, out) {
  const { whole, size, step, frames } = motion;
  const a = Math.min(frame, frames - 2);
  const span = frames > 1 ? time[a + 1] - time[a] : 0;
  if (!(span > 0)) return out.fill(0);
  for (let i = 0, k = a * size; i < out.length; i++, k += 3)
    out[i] = Math.hypot(
      step[0] * (whole[k + size] - whole[k]),
      step[1] * (whole[k + size + 1] - whole[k + 1]),
      step[2] * (whole[k + size + 2] - whole[k + 2]),
    ) / span;
  return out;
}
