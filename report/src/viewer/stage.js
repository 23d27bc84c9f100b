// Light, floor and air around the parts.
import {
  Color, DirectionalLight, GridHelper, Group, HemisphereLight, Mesh, MeshBasicMaterial, PCFShadowMap, PlaneGeometry, Quaternion, Scene, ShadowMaterial, SRGBColorSpace, NeutralToneMapping, Vector3, WebGLRenderer, DoubleSide,
} from "three";

const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);

export function makeRenderer(canvas) {
  const renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false, powerPreference: "high-performance" });
  renderer.outputColorSpace = SRGBColorSpace;
  renderer.toneMapping = NeutralToneMapping;
  renderer.toneMappingExposure = 1.15;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  return renderer;
}

export class Stage extends Scene {
  constructor(box, up, planes) {
    super();
    this.centre = box.getCenter(new Vector3());
    this.radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-9);
    this.up.copy(up);
    this.addLights(up);
    this.addFloor(box, up, planes);
  }

  addLights(up) {
    const r = this.radius;
    const sky = new HemisphereLight("#ffffff", "#a9b3c4", 2.0);
    sky.position.copy(up);
    const fill = new DirectionalLight("#dbe7ff", 0.7);
    fill.position.copy(this.centre).add(new Vector3(-2, -1.2, -0.6).addScaledVector(up, 0.9).multiplyScalar(r));
    fill.target.position.copy(this.centre);
    this.add(sky, fill, fill.target);
    const sun = new DirectionalLight("#fff6e8", 2.1);
    const aside = new Vector3(0.45, -0.35, 0.2).addScaledVector(up, 1.3);
    sun.position.copy(this.centre).addScaledVector(aside.normalize(), 3 * r);
    sun.target.position.copy(this.centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    Object.assign(sun.shadow.camera, { left: -1.3 * r, right: 1.3 * r, top: 1.3 * r, bottom: -1.3 * r, near: r, far: 6 * r });
    sun.shadow.radius = 5;
    sun.shadow.bias = -0.0004;
    sun.shadow.normalBias = 0.004 * r;
    this.add(sun, sun.target);
    this.lamps = [fill, fill.target, sun, sun.target];
  }

  /** Light and floor go along; the lines of the floor stay where they are. */
  follow(way) {
    for (const lamp of this.lamps) lamp.position.add(way);
    this.centre.add(way);
    const level = this.floor.position.dot(this.up);
    for (const axis of ["x", "y", "z"]) this.floor.position[axis] = Math.round(this.centre[axis] / this.cell) * this.cell;
    this.floor.position.addScaledVector(this.up, level - this.floor.position.dot(this.up));
  }

  /** The lowest half-space whose normal points up is the floor; without one it lies below everything. */
  addFloor(box, up, planes) {
    const r = this.radius;
    const height = (point) => new Vector3(...point).dot(up);
    const level = planes.filter(({ normal }) => new Vector3(...normal).dot(up) > 0.999);
    const low = box.min.dot(up) < box.max.dot(up) ? box.min.dot(up) : box.max.dot(up);
    const floor = level.length ? Math.max(...level.map(({ at }) => height(at))) : low - 0.06 * r;
    const middle = this.centre.clone().addScaledVector(up, floor - this.centre.dot(up) - 1e-4 * r);
    this.floor = new Group();
    this.floor.position.copy(middle);
    this.floor.quaternion.setFromUnitVectors(Y, up);
    this.shadow = new Mesh(new PlaneGeometry(40 * r, 40 * r).rotateX(-Math.PI / 2), new ShadowMaterial({ opacity: 0.2 }));
    this.shadow.receiveShadow = true;
    this.floor.add(this.shadow);
    this.add(this.floor);
    this.walls = planes.filter((plane) => !level.includes(plane)).map((plane) => this.addWall(plane));
  }

  addWall({ normal, at }) {
    const r = this.radius;
    const face = new MeshBasicMaterial({ color: "#7f8ea3", transparent: true, opacity: 0.13, side: DoubleSide, depthWrite: false });
    const wall = new Mesh(new PlaneGeometry(2.4 * r, 2.4 * r), face);
    const n = new Vector3(...normal);
    const away = this.centre.clone().sub(new Vector3(...at)).dot(n); // nearest point to the middle of the scene
    wall.position.copy(this.centre).addScaledVector(n, -away);
    wall.quaternion.copy(new Quaternion().setFromUnitVectors(Z, n));
    this.add(wall);
    return wall;
  }

  paint(theme) {
    this.background = new Color(theme.colour("sky"));
    if (this.grid) this.floor.remove(this.grid);
    const cell = 10 ** Math.round(Math.log10(this.radius / 3));
    const count = 2 * Math.ceil((4 * this.radius) / cell);
    this.cell = cell;
    this.grid = new GridHelper(count * cell, count, theme.colour("grid-strong"), theme.colour("grid"));
    this.grid.material.transparent = true;
    this.grid.material.opacity = 0.9;
    this.floor.add(this.grid);
    this.shadow.material.opacity = theme.dark ? 0.42 : 0.17;
  }
}
