// Sheets and skins of solids: triangles whose corners move.
import { BufferAttribute, BufferGeometry } from "three";

export class Skin extends BufferGeometry {
  constructor(triangles, count) {
    super();
    this.setAttribute("position", new BufferAttribute(new Float32Array(3 * count), 3));
    this.setAttribute("normal", new BufferAttribute(new Float32Array(3 * count), 3));
    this.setIndex(new BufferAttribute(triangles, 1));
  }

  /** Normals of moved corners: sums over the triangles around, by their areas. */
  settle() {
    const x = this.attributes.position.array;
    const n = this.attributes.normal.array;
    const t = this.index.array;
    n.fill(0);
    for (let i = 0; i < t.length; i += 3) {
      const a = 3 * t[i], b = 3 * t[i + 1], c = 3 * t[i + 2];
      const px = x[b] - x[a], py = x[b + 1] - x[a + 1], pz = x[b + 2] - x[a + 2];
      const qx = x[c] - x[a], qy = x[c + 1] - x[a + 1], qz = x[c + 2] - x[a + 2];
      const u = py * qz - pz * qy, v = pz * qx - px * qz, w = px * qy - py * qx;
      n[a] += u; n[a + 1] += v; n[a + 2] += w;
      n[b] += u; n[b + 1] += v; n[b + 2] += w;
      n[c] += u; n[c + 1] += v; n[c + 2] += w;
    }
    for (let i = 0; i < n.length; i += 3) {
      const size = 1 / (Math.sqrt(n[i] * n[i] + n[i + 1] * n[i + 1] + n[i + 2] * n[i + 2]) || 1);
      n[i] *= size; n[i + 1] *= size; n[i + 2] *= size;
    }
    this.attributes.position.needsUpdate = true;
    this.attributes.normal.needsUpdate = true;
  }
}
