// Which samples are listed, and in which order.

const bySuspicion = data.suspicion.map((_, i) => i).sort((a, b) => data.suspicion[b] - data.suspicion[a] || a - b);
const sorting = { column: SUSPICION, descending: true };
const collator = new Intl.Collator(undefined, { numeric: true });
const searchTexts = [];

// What deserves a look: labels that are rather wrong than right, but at least twenty.
const DOUBTFUL = 0.5;
const FEWEST_WORTH = 20;
const nDoubtful = data.suspicion.reduce((sum, suspicion) => sum + (suspicion >= DOUBTFUL), 0);
const worth = new Set(bySuspicion.slice(0, Math.max(FEWEST_WORTH, nDoubtful)));

function searchText(i) {
  searchTexts[i] ??= columns
    .slice(MARK + 1, isDetailed(i) ? columns.length : OWN_COLUMNS)
    .map((column) => `${column.value(i) ?? MISSING}`)
    .join("\n")
    .toLowerCase();
  return searchTexts[i];
}

// The samples that pass the filters, marked or not, in the order of the list.
function chosenRows() {
  const words = byId("text").value.toLowerCase().split(/\s+/).filter(Boolean);
  const [kind, label, least] = [byId("kind").value, byId("label").value, Number(byId("least").value)];
  const onlyWorth = byId("worth").checked;
  const rows = bySuspicion.filter(
    (i) =>
      (!onlyWorth || worth.has(i)) &&
      (kind === "" || data.kind[i] === Number(kind)) &&
      (label === "" || data.label[i] === Number(label)) &&
      data.suspicion[i] >= least &&
      words.every((word) => searchText(i).includes(word)),
  );
  return sorted(rows);
}

// Missing values come last in either direction; equal ones stay in the order of suspicion.
function sorted(rows) {
  const { numeric, value } = columns[sorting.column];
  const compare = numeric ? (a, b) => a - b : collator.compare;
  const sign = sorting.descending ? -1 : 1;
  return rows.sort((i, j) => {
    const [a, b] = [value(i), value(j)];
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * compare(a, b);
  });
}

// Numbers start with the largest, text from A to Z; the same column again reverses the order.
function sortBy(column) {
  sorting.descending = column === sorting.column ? !sorting.descending : columns[column].numeric;
  sorting.column = column;
}
