// A click on a sample tells its numbers, marks it in all figures, and says how to play its run.
const study = JSON.parse(document.getElementById("samples").textContent);
const panel = document.getElementById("picked");
const number = (circle) => Number(circle.firstElementChild.textContent.slice("sample ".length));
const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

function link(address, text) {
  const found = element("a", text);
  found.href = address;
  return found;
}

function show(sample) {
  const values = study.rows[sample];
  if (!values) return;
  const table = document.createElement("table");
  values.forEach((value, k) => {
    const row = table.insertRow();
    row.append(element("th", study.names[k]), element("td", value === null ? "none" : `${value} ${study.units[k]}`));
  });
  const page = study.kept[sample];
  const how = document.createElement("p");
  if (page) {
    how.append(link(page, "play its run"));
  } else if (study.command) {
    how.append("to run it again and play it: ", element("code", `${study.command} --play ${sample}`));
    how.append(", then ", link(`runs/${sample}.html`, `runs/${sample}.html`));
  } else {
    how.append("to run it again: ", element("code", `study.play(${sample})`));
  }
  const why = study.failed[sample];
  panel.replaceChildren(element("h2", `Sample ${sample}`), ...(why ? [element("p", `failed: ${why}`)] : []), table, how);
  panel.hidden = false;
  for (const circle of document.querySelectorAll("circle")) {
    circle.classList.toggle("picked", number(circle) === sample);
  }
}

document.addEventListener("click", (event) => {
  const circle = event.target.closest("circle");
  if (circle && !event.target.closest("a")) show(number(circle));
});
if (/^#sample-\d+$/.test(location.hash)) show(Number(location.hash.slice("#sample-".length)));
document.documentElement.dataset.ready = "yes";
