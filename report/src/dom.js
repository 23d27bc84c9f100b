// Elements in one line each.

/** `element("button", {class: "x", onclick: f}, "text", child)` */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

/** A button that is on or off. */
export function toggle(label, title, pressed, changed) {
  const button = element("button", { type: "button", class: "toggle", title, "aria-pressed": String(pressed) }, label);
  button.set = (on) => {
    button.setAttribute("aria-pressed", on);
    changed(on);
  };
  button.addEventListener("click", () => button.set(button.getAttribute("aria-pressed") !== "true"));
  return button;
}

/** Gives a file to the reader. */
export function download(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A number short enough to read. */
export function short(value, digits = 4) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(Math.max(digits - 2, 2)) : Number(value.toPrecision(digits)).toString();
}

/** Numbers of an axis with as many digits as tell them apart. */
export function shortAlike(values) {
  const shown = (digits) => values.map((value) => (value === null ? "" : short(Number(value.toPrecision(12)), digits)));
  let digits = 4;
  while (digits < 10 && new Set(shown(digits)).size < new Set(values).size) digits++;
  return shown(digits);
}

/** A whole number with its thousands apart. */
export function grouped(value) {
  return value.toLocaleString("en").replaceAll(",", " ");
}
