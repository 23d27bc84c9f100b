// Builds the page's program and style into the Python package, with the licences of what they contain and a hash of
// the sources, so that a test can tell when someone forgot to build.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";

const target = "../src/tapespring/results/report";
const packages = ["three", "uplot"];

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? sources(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}

function licence(name) {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`;
}

const banner = `/*!\nThis page contains:\n\n${packages.map(licence).join("\n\n")}\n*/`;
await esbuild.build({
  entryPoints: { page: "src/main.js" },
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome110", "firefox115", "safari16.4"],
  legalComments: "none",
  charset: "utf8",
  banner: { js: banner },
  outdir: target,
});

const inputs = [...sources("src"), "package-lock.json", "build.mjs"];
const hash = createHash("sha256");
for (const path of inputs) hash.update(path.replaceAll("\\", "/")).update("\0").update(readFileSync(path)).update("\0");
for (const name of ["page.js", "page.css"]) {
  // a page ends its script at this word, wherever it stands
  const text = readFileSync(join(target, name), "utf8").replaceAll("</script", "<\\/script");
  writeFileSync(join(target, name), text);
}
writeFileSync(join(target, "page.sha256"), hash.digest("hex") + "\n");
