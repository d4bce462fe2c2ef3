// One sample: what was found, and its features compared with those of its nearest neighbours.

const KIND_MEANS = {
  redundant: "safely right: the models are confident in its label",
  borderline: "no safe judgement: the models are uncertain, or the evidence against the label is weak",
  noisy: "safely wrong: another label is more probable",
};
const FIRST_FEATURES = 100;
const FIRST_CLASSES = 6;

function showSample(i) {
  const known = i !== null;
  byId("sample").classList.toggle("empty", !known);
  byId("sample-title").textContent = known ? `Sample ${short(data.index[i])}` : "No sample";
  const rank = order.indexOf(i);
  byId("place").textContent = rank >= 0 ? `${(rank + 1).toLocaleString("en")} of ${order.length.toLocaleString("en")}` : "not in the list";
  for (const mark of ["wrong", "right"]) {
    byId(mark).setAttribute("aria-pressed", String(known && markOf(i) === mark));
    byId(mark).disabled = !known;
  }
  showChoice(i);
  const parts = ["facts", "neighbours-title", "agreement", "features"].map(byId);
  for (const part of parts) part.replaceChildren();
  if (!known) return;
  byId("facts").append(make("div", {}, ...facts(i)));
  if (!isDetailed(i)) {
    byId("agreement").textContent = "The cells of this sample are not on this page: find it in the table by its index.";
    return;
  }
  byId("facts").append(make("div", {}, ...probabilities(i)));
  const near = neighboursOf(i);
  byId("neighbours-title").textContent = `Compared with its ${plural(near.length, "nearest neighbour")}`;
  byId("agreement").textContent = agreement(i, near);
  byId("features").append(featureTable(i, near));
}

// Which label is right, if the given one is wrong: what was chosen, or what would be taken.
function showChoice(i) {
  const choice = byId("correct");
  choice.disabled = i === null;
  if (i === null) return;
  for (const option of choice.options) option.disabled = option.value === String(data.label[i]);
  choice.value = String((markOf(i) === WRONG ? marks.get(i).correct : guessCorrect(i)) ?? "");
}

function facts(i) {
  const differs = data.label[i] !== data.suggested[i];
  const verdict = make("p", { class: "verdict-text" }, "labelled ", make("b", {}, labelOf(i)));
  if (differs) verdict.append(", suggested ", make("b", { class: "differs" }, suggestionOf(i)));
  else verdict.append(", no other label is suggested");
  const kind = make("p", {}, make("i", { class: `dot ${kindOf(i)}` }), make("b", {}, kindOf(i)), `, ${KIND_MEANS[kindOf(i)]}`);
  return [verdict, make("p", {}, "suspicion ", make("b", {}, data.suspicion[i].toFixed(3))), kind];
}

function probabilities(i) {
  const likely = data.probabilities[placeOf(i)].map((p, k) => [p, k]).sort((a, b) => b[0] - a[0]);
  const shown = likely.filter(([, k], rank) => rank < FIRST_CLASSES || k === data.label[i]);
  const list = make("ul", { class: "probabilities", "aria-label": "Probability of each label, out of fold" });
  for (const [p, k] of shown) {
    const row = make("li", { class: k === data.label[i] ? "given" : null });
    row.append(make("span", { title: data.classes[k] }, data.classes[k], k === data.label[i] ? " (given)" : ""));
    row.append(make("i", { class: "track" }, make("i")), make("b", {}, p.toFixed(2)));
    row.querySelector(".track > i").style.width = `${100 * p}%`;
    list.append(row);
  }
  const left = likely.length - shown.length;
  return left > 0 ? [list, make("p", { class: "aside" }, `and ${plural(left, "less likely label")}`)] : [list];
}

function agreement(i, near) {
  const withLabel = (code) => near.filter((j) => data.label[j] === code).length;
  const same = `${withLabel(data.label[i])} of ${near.length} have its label ${labelOf(i)}`;
  if (data.label[i] === data.suggested[i]) return `${same}.`;
  return `${same}, ${withLabel(data.suggested[i])} the suggested label ${suggestionOf(i)}.`;
}

// In spreads (standard deviations) of the column for numbers; categories are equal, or one spread apart.
function difference(feature, i, j) {
  const [a, b] = [valueOf(feature, i), valueOf(feature, j)];
  if (a === b) return 0;
  if (a === null || b === null || !feature.numeric) return 1;
  return feature.spread === null ? 0 : (b - a) / feature.spread;
}

function featureTable(i, near) {
  const byDifference = byId("by-difference").checked;
  let features = data.features;
  if (byDifference) {
    const distance = (feature) => near.reduce((sum, j) => sum + Math.abs(difference(feature, i, j)), 0);
    const distances = new Map(features.map((feature) => [feature, distance(feature)]));
    features = [...features].sort((a, b) => distances.get(b) - distances.get(a));
  }
  const body = make("tbody", {}, ...features.slice(0, FIRST_FEATURES).map((feature) => featureRow(feature, i, near)));
  const table = make("table", {}, make("thead", {}, sampleHeads(i, near), labelHeads(i, near)), body);
  if (features.length > FIRST_FEATURES) {
    const more = make("button", { type: "button" }, `Show all ${plural(features.length, "feature")}`);
    more.addEventListener("click", () => {
      body.append(...features.slice(FIRST_FEATURES).map((feature) => featureRow(feature, i, near)));
      table.tFoot.remove();
    });
    table.append(make("tfoot", {}, make("tr", {}, make("td", { colspan: near.length + 2 }, more))));
  }
  return table;
}

function sampleHeads(i, near) {
  const row = make("tr", {}, make("th", { scope: "col" }, "feature"), make("th", { scope: "col", class: "own" }, "this sample"));
  for (const j of near) {
    const button = make("button", { type: "button", title: "Show this neighbour" }, short(data.index[j]));
    button.addEventListener("click", () => openSample(j, false));
    row.append(make("th", { scope: "col" }, button));
  }
  return row;
}

function labelHeads(i, near) {
  const row = make("tr", { class: "labels" }, make("th", { scope: "row" }, "label"), make("td", { class: "own" }, labelOf(i)));
  for (const j of near) {
    const other = data.label[j] !== data.label[i];
    row.append(make("td", { class: other ? "differs" : null, title: other ? "different label" : "same label" }, labelOf(j)));
  }
  return row;
}

function featureRow(feature, i, near) {
  const row = make("tr", {}, make("th", { scope: "row", title: feature.name }, feature.name), featureCell(feature, i, "own"));
  for (const j of near) {
    const cell = featureCell(feature, j, null);
    const far = difference(feature, i, j);
    cell.style.setProperty("--far", Math.min(1, Math.abs(far) / 2));
    if (Math.abs(far) >= 0.5) cell.classList.add("far");
    if (feature.numeric && Math.abs(far) >= 0.5 && valueOf(feature, i) !== null && valueOf(feature, j) !== null) {
      cell.prepend(make("i", { class: "way", "aria-label": far > 0 ? "above" : "below" }, far > 0 ? "▲" : "▼"));
      cell.title += ` (${Math.abs(far).toFixed(1)} standard deviations ${far > 0 ? "above" : "below"} this sample)`;
    }
    row.append(cell);
  }
  return row;
}

function featureCell(feature, i, role) {
  const value = valueOf(feature, i);
  const names = [role, feature.numeric ? "number" : null, value === null ? "missing" : null].filter(Boolean);
  return make("td", { class: names.join(" ") || null, title: value ?? MISSING }, short(value));
}
