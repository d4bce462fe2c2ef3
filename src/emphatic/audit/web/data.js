// The samples, and the columns in which they are listed.

const data = JSON.parse(byId("data").textContent);
const count = data.suspicion.length;
const MISSING = "missing";

// Four digits are enough to compare samples; the whole number is in the tooltip.
function short(value) {
  if (value === null) return MISSING;
  if (typeof value !== "number") return value;
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  return String(Number(value.toPrecision(4)));
}

const labelOf = (i) => data.classes[data.label[i]];
const suggestionOf = (i) => data.classes[data.suggested[i]];
const kindOf = (i) => data.kinds[data.kind[i]];

// Cells, probabilities and neighbours are on the page for all samples, or, of a large table, for those in `detailed`.
const places = data.detailed && new Map(data.detailed.map((i, place) => [i, place]));
const placeOf = (i) => (places ? places.get(i) : i);
const isDetailed = (i) => placeOf(i) !== undefined;
const valueOf = (feature, i) => (isDetailed(i) ? feature.cells[placeOf(i)] : null);
const neighboursOf = (i) => (isDetailed(i) ? data.neighbours[placeOf(i)].filter(isDetailed) : []);

function featureColumn(feature) {
  return { title: feature.name, numeric: feature.numeric, value: (i) => valueOf(feature, i), feature };
}

// `value` gives what is sorted and searched by; null is missing.
const columns = [
  { title: "mark", numeric: false, value: (i) => markOf(i) },
  { title: "index", numeric: data.index.every((each) => typeof each === "number"), value: (i) => data.index[i] },
  { title: "suspicion", numeric: true, value: (i) => data.suspicion[i] },
  { title: "label", numeric: false, value: labelOf },
  { title: "suggested", numeric: false, value: suggestionOf },
  { title: "kind", numeric: false, value: kindOf },
  ...data.features.map(featureColumn),
];
const [MARK, , SUSPICION, , SUGGESTED, KIND] = columns.keys();
const OWN_COLUMNS = KIND + 1;

// The list shows the first features of a wide table; a sample shows them all, and the list can be sorted by any.
const LISTED = Math.min(columns.length, OWN_COLUMNS + 40);
