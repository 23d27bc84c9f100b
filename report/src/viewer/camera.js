// Where one looks from.
import { PerspectiveCamera, Spherical, Vector3, Quaternion } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { thinAxis } from "./bounds.js";

const TURN = 0.12; // rad for each press of a key

export class Eye {
  constructor(canvas, box, up, moved) {
    this.box = box;
    this.centre = box.getCenter(new Vector3());
    this.radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-9);
    this.camera = new PerspectiveCamera(32, 1, this.radius / 200, this.radius * 200);
    this.camera.up.copy(up);
    this.up = up;
    this.moved = moved;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", moved);
    this.controls.addEventListener("start", () => (this.chosen = null));
    this.look(this.favourite());
  }

  /** Flat scenes are seen from the front, with a little depth. */
  favourite() {
    return thinAxis(this.box) >= 0 ? "flat" : "oblique";
  }

  directions() {
    const up = this.up;
    const thin = thinAxis(this.box);
    let front = new Vector3(0, -1, 0);
    if (Math.abs(up.y) > 0.5) front = new Vector3(0, 0, 1);
    if (thin >= 0 && Math.abs(up.getComponent(thin)) < 0.5) {
      const sign = thin === 1 && Math.abs(up.z) > 0.5 ? -1 : 1;
      front = new Vector3().setComponent(thin, sign);
    }
    const side = new Vector3().crossVectors(up, front);
    const mixed = (a, b, c) => new Vector3().addScaledVector(front, a).addScaledVector(side, b).addScaledVector(up, c);
    return {
      oblique: mixed(1, 0.75, 0.55),
      flat: thin >= 0 && Math.abs(up.getComponent(thin)) > 0.5 ? mixed(0.8, 0.35, 0.85) : mixed(1, 0.28, 0.16),
      front,
      side,
      top: mixed(0.0015, 0, 1),
    };
  }

  /** In a picture of another shape; a view that was chosen by name is chosen again. */
  reshape(aspect) {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    if (this.chosen) this.look(this.chosen);
    this.moved();
  }

  look(name) {
    this.chosen = name;
    const way = this.directions()[name].normalize();
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).addScaledVector(way, 1.08 * this.distance(way));
    this.controls.update();
    this.moved();
  }

  /** From where every corner of the box is just inside the picture. */
  distance(way) {
    const { min, max } = this.box;
    const right = new Vector3().crossVectors(this.up, way).normalize();
    const rise = new Vector3().crossVectors(way, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect;
    const margin = 0.04 * this.radius; // balls and joints reach beyond their points
    let far = 0.3 * this.radius;
    const corner = new Vector3();
    for (let k = 0; k < 8; k++) {
      corner.set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).sub(this.centre);
      const [x, y] = [right, rise].map((axis) => Math.abs(corner.dot(axis)) + margin);
      far = Math.max(far, corner.dot(way) + x / wide, corner.dot(way) + y / tall);
    }
    return far;
  }

  /** Along with what is looked at. */
  follow(place) {
    const way = place.clone().sub(this.centre);
    this.centre.copy(place);
    this.box.translate(way);
    this.controls.target.add(way);
    this.camera.position.add(way);
    this.controls.update();
    return way;
  }

  orbit(right, down) {
    this.chosen = null;
    const toY = new Quaternion().setFromUnitVectors(this.up, new Vector3(0, 1, 0));
    const arm = this.camera.position.clone().sub(this.controls.target).applyQuaternion(toY);
    const angles = new Spherical().setFromVector3(arm);
    angles.theta += right * TURN;
    angles.phi = Math.min(Math.max(angles.phi + down * TURN, 0.02), Math.PI - 0.02);
    arm.setFromSpherical(angles).applyQuaternion(toY.invert());
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.moved();
  }

  zoom(factor) {
    this.chosen = null;
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.moved();
  }
}
