// Signs between bodies: springs, bars, joints and supports.
import {
  BoxGeometry, CylinderGeometry, Curve, Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial,
  OctahedronGeometry, Quaternion, SphereGeometry, TubeGeometry, Vector3,
} from "three";

const Z = new Vector3(0, 0, 1);
const STEEL = "#99a2b0";
const DARK = "#6a7587";

class Helix extends Curve {
  constructor(turns, radius, length) {
    super();
    Object.assign(this, { turns, radius, length });
  }

  getPoint(t, out = new Vector3()) {
    const wound = Math.min(Math.max((t - 0.1) / 0.8, 0), 1); // straight at both ends
    const radius = this.radius * Math.min(1, 16 * wound, 16 * (1 - wound));
    const angle = 2 * Math.PI * this.turns * wound;
    return out.set(radius * Math.cos(angle), radius * Math.sin(angle), this.length * t);
  }
}

/** Along z, one long: what a link looks like before it is stretched between its ends. */
function linkGeometry(kind, size, length) {
  if (kind === "spring") {
    const radius = Math.min(0.017 * size, 0.12 * length);
    const coil = new TubeGeometry(new Helix(10, radius, length), 320, 0.15 * radius, 8);
    return coil.scale(1, 1, 1 / length);
  }
  const radius = { bar: 0.0035, distance: 0.005, bushing: 0.014 }[kind] * size;
  return new CylinderGeometry(radius, radius, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

export class Link extends Group {
  constructor(part, cast) {
    super();
    this.ends = part.ends;
    const faint = cast.ghost ? { transparent: true, opacity: 0.16, depthWrite: false } : {};
    this.material = new MeshStandardMaterial({ color: STEEL, roughness: 0.45, metalness: 0.25, ...faint });
    this.part = part;
    this.matrixAutoUpdate = false;
    [this.from, this.to, this.turn, this.stretch] = [new Vector3(), new Vector3(), new Quaternion(), new Vector3(1, 1, 1)];
  }

  pinToGround(cast) {
    for (const { body, at } of this.ends) if (body === "ground") cast.add(pin(cast.frameSize, at));
  }

  show(cast) {
    cast.where(this.ends[0], this.from);
    const way = cast.where(this.ends[1], this.to).sub(this.from);
    const length = Math.max(way.length(), 1e-9);
    if (!this.mesh) {
      this.mesh = new Mesh(linkGeometry(this.part.of, cast.frameSize, length), this.material);
      cast.named(this.mesh, this.part);
      this.add(this.mesh);
      if (!cast.ghost) this.pinToGround(cast);
    }
    this.stretch.z = length;
    this.matrix.compose(this.from, this.turn.setFromUnitVectors(Z, way.divideScalar(length)), this.stretch);
  }
}

/** A dark ball where something hangs on the world. */
function pin(size, at) {
  const ball = new Mesh(new SphereGeometry(0.0115 * size, 24, 16), new MeshStandardMaterial({ color: DARK, roughness: 0.45, metalness: 0.3 }));
  ball.position.set(...at);
  ball.castShadow = true;
  ball.userData.layer = "joints";
  return ball;
}

function jointGeometry(kind, r) {
  const shaft = (length) => new CylinderGeometry(r, r, length, 28).rotateX(Math.PI / 2);
  if (kind === "revolute") return shaft(2.6 * r);
  if (kind === "cylindrical") return shaft(6 * r);
  if (kind === "prismatic") return new BoxGeometry(1.6 * r, 1.6 * r, 4.5 * r);
  if (kind === "fixed") return new BoxGeometry(1.7 * r, 1.7 * r, 1.7 * r);
  if (kind === "planar") return new BoxGeometry(5 * r, 5 * r, 0.6 * r);
  return new SphereGeometry(1.15 * r, 24, 16);
}

export class JointSign extends Group {
  constructor(part, cast) {
    super();
    // a slider is seen where it has gone to, every other joint on its first side
    this.at = part.of === "prismatic" && part.second ? part.second : part.at;
    this.body = part.at.body;
    this.axis = new Vector3(...part.axis).normalize();
    const geometry = jointGeometry(part.of, 0.0105 * cast.frameSize);
    this.mesh = cast.named(new Mesh(geometry, new MeshStandardMaterial({ color: DARK, roughness: 0.45, metalness: 0.3 })), part);
    this.add(this.mesh);
    this.direction = new Vector3();
  }

  show(cast) {
    cast.where(this.at, this.position);
    const pose = cast.poses.get(this.body);
    this.direction.copy(this.axis);
    if (pose) this.direction.transformDirection(pose);
    this.quaternion.setFromUnitVectors(Z, this.direction);
  }
}

/** Nodes held in the world, in some directions at least. */
export class SupportSigns extends InstancedMesh {
  constructor({ places }, size) {
    const geometry = new OctahedronGeometry(0.006 * size);
    super(geometry, new MeshStandardMaterial({ color: DARK, roughness: 0.6, flatShading: true }), places.length);
    this.places = places;
    this.frustumCulled = false;
    [this.spot, this.at] = [new Matrix4(), new Vector3()];
  }

  show(cast) {
    this.places.forEach((place, k) => this.setMatrixAt(k, this.spot.setPosition(cast.where(place, this.at))));
    this.instanceMatrix.needsUpdate = true;
  }
}
