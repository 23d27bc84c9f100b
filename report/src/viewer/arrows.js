// Contacts: where they act, and an arrow along the force on the second body.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, SphereGeometry, Vector3 } from "three";

const Y = new Vector3(0, 1, 0);
const LONGEST = 0.28; // of the scene, for the strongest force of all contacts
const SHORTEST = 0.035;

export class ContactArrow extends Group {
  constructor(part, cast) {
    super();
    this.part = part;
    this.strongest = strongestOf(cast.animation);
    this.longest = LONGEST * cast.frameSize;
    this.shortest = SHORTEST * cast.frameSize;
    const radius = 0.0045 * cast.frameSize;
    const material = new MeshStandardMaterial({ color: "#ff3d5a", emissive: "#ff3d5a", emissiveIntensity: 0.45, roughness: 0.5 });
    this.shaft = new Mesh(new CylinderGeometry(radius, radius, 1, 16).translate(0, 0.5, 0), material);
    this.head = new Mesh(new ConeGeometry(3 * radius, 8 * radius, 20).translate(0, 4 * radius, 0), material);
    this.spot = new Mesh(new SphereGeometry(2 * radius, 20, 14), material);
    for (const mesh of [this.shaft, this.head, this.spot]) mesh.userData.part = part;
    this.add(this.shaft, this.head, this.spot);
    this.way = new Vector3();
  }

  show(_, frame, part) {
    const { force, point } = this.part;
    const k = 3 * Math.min(part > 0 ? frame + 1 : frame, force.length / 3 - 1); // a frame holds what was since the last
    const size = this.way.fromArray(force, k).length();
    this.touches = size > 0 && Number.isFinite(point[k]);
    this.visible = this.touches && this.userData.wanted !== false;
    if (!this.touches) return;
    this.position.fromArray(point, k);
    this.quaternion.setFromUnitVectors(Y, this.way.divideScalar(size));
    const length = Math.max((this.longest * size) / this.strongest, this.shortest);
    this.shaft.scale.y = length;
    this.head.position.y = length;
  }
}

function strongestOf(animation) {
  if (animation.strongest) return animation.strongest;
  let most = 0;
  for (const { kind, force } of animation.parts)
    if (kind === "contact")
      for (let i = 0; i < force.length; i += 3) most = Math.max(most, Math.hypot(force[i], force[i + 1], force[i + 2]) || 0);
  animation.strongest = most || 1;
  return animation.strongest;
}
