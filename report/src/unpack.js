// The other end of pack.py: text to arrays.

const TYPES = { f4: Float32Array, f8: Float64Array, u4: Uint32Array };

async function bytesOf(number) {
  const element = document.getElementById(`blob-${number}`);
  const letters = atob(element.textContent);
  element.remove();
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Bytes of like weight stand together in the file; here they go back to their numbers. */
function joined(planes, width) {
  const count = planes.length / width;
  const bytes = new Uint8Array(planes.length);
  for (let k = 0; k < width; k++) for (let i = 0, at = k * count; i < count; i++) bytes[i * width + k] = planes[at + i];
  return bytes.buffer;
}

export async function unpack(entry) {
  const planes = await bytesOf(entry.blob);
  if (entry.dtype === "motion") return new Motion(entry, await unpack(entry.start), new Uint16Array(joined(planes, 2)));
  const Type = TYPES[entry.dtype];
  return new Type(joined(planes, Type.BYTES_PER_ELEMENT));
}

/** Coordinates of points at frames: as they are at the start, from there on quantised; between frames by linear interpolation. */
export class Motion {
  constructor({ shape, low, step }, start, zigzag) {
    [this.frames, this.points, this.width] = shape;
    this.start = start;
    this.low = low;
    this.step = step;
    this.size = this.points * this.width;
    this.whole = zigzag; // becomes sums of what it was
    for (let i = 0; i < zigzag.length; i++) {
      const change = (zigzag[i] >>> 1) ^ -(zigzag[i] & 1);
      zigzag[i] = i < this.size ? change : zigzag[i - this.size] + change;
    }
  }

  /** Numbers of all points at `frame` + `part` of the way to the next, into `out`; changes since the start can be enlarged. */
  read(frame, part, out, enlarged = 1) {
    const { start, whole, size, width, low, step } = this;
    const a = frame * size;
    const b = Math.min(frame + 1, this.frames - 1) * size;
    for (let c = 0; c < width; c++) {
      const base = enlarged * low[c];
      const scale = enlarged * step[c];
      for (let i = c; i < size; i += width) {
        const from = whole[a + i];
        out[i] = start[i] + base + scale * (from + part * (whole[b + i] - from));
      }
    }
    return out;
  }
}

/** A run with its arrays in place of numbers of blobs. */
export async function unpackRun(run) {
  const filled = async (value) => {
    if (Array.isArray(value)) return Promise.all(value.map(filled));
    if (value === null || typeof value !== "object") return value;
    if ("blob" in value) return unpack(value);
    const entries = await Promise.all(Object.entries(value).map(async ([key, item]) => [key, await filled(item)]));
    return Object.fromEntries(entries);
  };
  const { curves, animation, ...rest } = run;
  const table = await filled(curves);
  const samples = table.time.length;
  const { first } = table;
  table.values = Float64Array.from(table.values, (change, i) => first[Math.floor(i / samples)] + change);
  table.column = (name) => {
    const k = table.names.indexOf(name);
    return k < 0 ? null : table.values.subarray(k * samples, (k + 1) * samples);
  };
  table.unitOf = (name) => table.units[table.names.indexOf(name)];
  return { ...rest, curves: table, animation: await filled(animation) };
}
