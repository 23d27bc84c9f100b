// Light or dark: as the system is, until the reader chooses.
import { element } from "./dom.js";

export function installTheme(place) {
  const root = document.documentElement;
  const listeners = new Set();
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const theme = {
    get dark() {
      return root.dataset.theme === "dark";
    },
    listen: (heard) => listeners.add(heard),
    colour: (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim(),
    set(dark) {
      root.dataset.theme = dark ? "dark" : "light";
      button.textContent = dark ? "☀ light" : "☾ dark";
      for (const heard of listeners) heard(theme);
    },
    toggle: () => theme.set(!theme.dark),
  };
  const button = element("button", { type: "button", class: "quiet", title: "Light or dark (T)", onclick: theme.toggle });
  place.append(button);
  theme.set(system.matches);
  system.addEventListener("change", () => theme.set(system.matches));
  return theme;
}
