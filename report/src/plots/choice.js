// Which channels to show before anyone has chosen: what moves most, what touches, what is pulled.

const KINDS = [
  /\.normal$/,
  /\.(angle|displacement|length|position|tension)$/,
  /\.position\.[xyz]$/,
  /\.strain_energy$/,
  /\.force(\.[xyz])?$/,
  /\.velocity\.[xyz]$/,
];
const MOST = 3; // curves in a chart

/** Lists of names, the most telling first. */
export function firstCharts(curves) {
  const moving = curves.names.filter((name) => !name.startsWith("energy.") && spread(curves.column(name)) > 0);
  const found = [];
  for (const kind of KINDS) {
    const names = moving.filter((name) => kind.test(name) && !/\.rate$/.test(name));
    if (names.length) found.push(most(names, curves));
  }
  if (found.length < 2 && moving.length) found.push(most(moving, curves));
  const unique = new Map(found.map((names) => [names.join(), names]));
  return [...unique.values()];
}

/** Of names with the unit of the first, those that change most, in their order. */
function most(names, curves) {
  const same = names.filter((name) => curves.unitOf(name) === curves.unitOf(names[0]));
  const sizes = new Map(same.map((name) => [name, spread(curves.column(name))]));
  const largest = Math.max(...sizes.values());
  const chosen = [];
  for (const [name, size] of [...sizes].sort((a, b) => b[1] - a[1])) {
    const isNew = chosen.every((other) => differ(curves.column(name), curves.column(other), size));
    if (isNew && size > 1e-3 * largest && chosen.length < MOST) chosen.push(name);
  }
  return same.filter((name) => chosen.includes(name));
}

/** Whether two curves can be told apart. */
function differ(one, other, size) {
  let most = 0;
  for (let i = 0; i < one.length; i++) most = Math.max(most, Math.abs(one[i] - other[i]) || 0);
  return most > 1e-2 * size;
}

function spread(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high > low ? high - low : 0;
}
