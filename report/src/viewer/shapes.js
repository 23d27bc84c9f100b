// Shapes of rigid bodies as geometries in the body's frame.
import {
  BoxGeometry, BufferGeometry, CapsuleGeometry, CylinderGeometry, Float32BufferAttribute, LatheGeometry, Matrix4,
  Quaternion, SphereGeometry, TorusGeometry, Vector2, Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { sweptOnce } from "./lines.js";

const Y = new Vector3(0, 1, 0);
const vector = (numbers) => new Vector3(...numbers);

/** three.js's round shapes stand along y, ours along z. */
const alongZ = (geometry) => geometry.rotateX(Math.PI / 2);

/** A rod from point to point, with round ends if asked for. */
export function rod(from, to, radius, rounded = false) {
  const way = to.clone().sub(from);
  const length = way.length();
  if (length < 1e-12) return new SphereGeometry(radius, 24, 16).translate(from.x, from.y, from.z);
  const made = rounded ? new CapsuleGeometry(radius, length, 8, 24) : new CylinderGeometry(radius, radius, length, 20);
  made.applyQuaternion(new Quaternion().setFromUnitVectors(Y, way.normalize()));
  const middle = from.clone().add(to).multiplyScalar(0.5);
  return made.translate(middle.x, middle.y, middle.z);
}

const MAKERS = {
  box: ({ size }) => new BoxGeometry(...size),
  sphere: ({ radius }) => new SphereGeometry(radius, 40, 24),
  ellipsoid: ({ semi_axes }) => new SphereGeometry(1, 40, 24).scale(...semi_axes),
  cylinder: ({ radius, length }) => alongZ(new CylinderGeometry(radius, radius, length, 48)),
  tube: ({ outer_radius: R, inner_radius: r, length: l }) => {
    const half = l / 2;
    const profile = [[r, -half], [R, -half], [R, half], [r, half], [r, -half]].map((p) => new Vector2(...p));
    return alongZ(new LatheGeometry(profile, 48).toNonIndexed());
  },
  ring: ({ radius }) => new TorusGeometry(radius * 1.06, radius * 0.06, 12, 64),
};

/** Geometry of one shape; `size` is that of the scene, for what has no thickness of its own. */
export function shapeGeometry(shape, size) {
  if (shape.kind === "capsule") return rod(vector(shape.at), vector(shape.to), shape.radius || 0.004 * size, true);
  if (shape.kind === "sticks") return sticks(shape, size);
  if (shape.kind === "sweep") return sweptOnce(shape, size);
  if (shape.kind === "triangles") return triangles(shape);
  const geometry = MAKERS[shape.kind](shape);
  const [x, y, z] = shape.axes.map(vector);
  return geometry.applyMatrix4(new Matrix4().makeBasis(x, y, z).setPosition(...shape.at));
}

/** A body without a shape: bars from its centre of mass to where it is held, or a small block. */
function sticks({ at, to }, size) {
  const centre = vector(at);
  const far = to.map(vector).filter((point) => point.distanceTo(centre) > 1e-3 * size);
  if (!far.length) return new BoxGeometry(0.026 * size, 0.026 * size, 0.026 * size).translate(...at);
  const bars = far.map((point) => rod(centre, point, 0.0075 * size, true));
  return mergeGeometries([...bars, new SphereGeometry(0.0125 * size, 20, 14).translate(...at)]);
}

function triangles({ points }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points.flat(), 3));
  geometry.computeVertexNormals();
  return geometry;
}
