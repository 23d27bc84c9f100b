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
const APART = 20; // a chart higher than so many of its tallest curve shows lines that look flat
const ROUNDING = { all: 1e-16, alike: 1e-9 }; // of the largest change of those, or of any with the same unit: less is none

/** Lists of names, the most telling first. */
export function firstCharts(curves) {
  const moving = movingOnes(curves);
  const found = [];
  for (const kind of KINDS) {
    const names = moving.filter((name) => kind.test(name) && !/\.rate$/.test(name));
    if (names.length) found.push(most(names, curves));
  }
  if (found.length < 2 && moving.length) found.push(most(moving, curves));
  const unique = new Map(found.map((names) => [names.join(), names]));
  return [...unique.values()];
}

/** Names of what changes by more than rounding. */
function movingOnes(curves) {
  const names = curves.names.filter((name) => !name.startsWith("energy."));
  const changes = names.map((name) => spread(curves.column(name)));
  const largest = new Map();
  names.forEach((name, k) => largest.set(curves.unitOf(name), Math.max(changes[k], largest.get(curves.unitOf(name)) ?? 0)));
  const least = ROUNDING.all * Math.max(0, ...changes.filter((_, k) => KINDS.some((kind) => kind.test(names[k]))));
  return names.filter((name, k) => changes[k] > Math.max(least, ROUNDING.alike * largest.get(curves.unitOf(name))));
}

/** Of names with the unit of the first, those that change most, in their order. */
function most(names, curves) {
  const same = names.filter((name) => curves.unitOf(name) === curves.unitOf(names[0]));
  const sizes = new Map(same.map((name) => [name, spread(curves.column(name))]));
  const largest = Math.max(...sizes.values());
  const chosen = [];
  for (const [name, size] of [...sizes].sort((a, b) => b[1] - a[1])) {
    const isNew = chosen.every((other) => differ(curves.column(name), curves.column(other), size));
    const isNear = spread([...chosen, name].flatMap((other) => ends(curves.column(other)))) < APART * largest;
    if (isNew && isNear && size > 1e-3 * largest && chosen.length < MOST) chosen.push(name);
  }
  return same.filter((name) => chosen.includes(name));
}

/** Whether two curves can be told apart. */
function differ(one, other, size) {
  let most = 0;
  for (let i = 0; i < one.length; i++) most = Math.max(most, Math.abs(one[i] - other[i]) || 0);
  return most > 1e-2 * size;
}

/** The least and greatest number. */
function ends(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function spread(values) {
  const [low, high] = ends(values);
  return high > low ? high - low : 0;
}
