// The file of marks: written for people and spreadsheets, read again by this page and by emphatic/audit/marks.

const MARK_COLUMNS = ["index", "label", "suggested", "suspicion", "mark", "correct", "row", "table"];
const NEEDED_COLUMNS = ["index", "label", "mark", "correct", "row", "table"];
const DIGEST_LENGTH = data.rows.length / count;
const rowDigest = (i) => data.rows.slice(DIGEST_LENGTH * i, DIGEST_LENGTH * (i + 1));

// A spreadsheet must show a cell, and not run it as a formula: the rule of emphatic/tables/writing.py.
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?[.,]?\d[\d.,]*([eE][+-]?\d+)?%?$/;

function escapeCell(value) {
  return typeof value === "string" && FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
}

function restoreCell(text) {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

function csvCell(value) {
  const text = value === null ? "" : String(escapeCell(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function marksAsCsv() {
  const lines = [...marks.keys()].sort((a, b) => a - b).map((i) => {
    const { mark, correct } = marks.get(i);
    const digests = [`row-${rowDigest(i)}`, `table-${data.digest}`]; // never a number, whatever a spreadsheet thinks
    return [data.index[i], labelOf(i), suggestionOf(i), data.suspicion[i], mark, data.classes[correct] ?? null, ...digests];
  });
  return [MARK_COLUMNS, ...lines].map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");
}

function downloadMarks() {
  const address = URL.createObjectURL(new Blob([marksAsCsv()], { type: "text/csv;charset=utf-8" }));
  make("a", { href: address, download: "label-marks.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Rows of cells; cells are separated as in the first line, and may be quoted.
function parseCsv(text) {
  const first = text.split(/\r?\n/, 1)[0];
  const separator = [",", ";", "\t"].sort((a, b) => first.split(b).length - first.split(a).length)[0];
  const lines = [[""]];
  let quoted = false;
  for (let k = 0; k < text.length; k += 1) {
    const sign = text[k];
    const line = lines.at(-1);
    if (quoted && sign === '"' && text[k + 1] === '"') line[line.length - 1] += text[(k += 1)];
    else if (sign === '"' && (quoted || line.at(-1) === "")) quoted = !quoted;
    else if (!quoted && sign === separator) line.push("");
    else if (!quoted && sign === "\n") lines.push([""]);
    else if (quoted || sign !== "\r") line[line.length - 1] += sign;
  }
  return lines.filter((line) => line.length > 1 || line[0] !== "");
}

// What a file says: marks by position, and why lines were refused; as emphatic/audit/marks/matching.py.
function readMarks(text) {
  const [heads = [], ...lines] = parseCsv(text.replace(/^\ufeff/, ""));
  const names = heads.map((head) => head.trim().toLowerCase());
  const missing = NEEDED_COLUMNS.filter((name) => !names.includes(name));
  if (missing.length) return { found: new Map(), refused: [`it has no column ${missing.join(", ")}`] };
  const places = new Map();
  for (let i = 0; i < count; i += 1) {
    if (!places.has(rowDigest(i))) places.set(rowDigest(i), []);
    places.get(rowDigest(i)).push(i);
  }
  const [found, lineOf, refused] = [new Map(), new Map(), []];
  for (const line of lines) {
    const entry = Object.fromEntries(names.map((name, k) => [name, line[k] ?? ""]));
    for (const name of ["index", "label", "correct"]) entry[name] = restoreCell(entry[name]);
    if (entry.mark.trim() === "") continue;
    const reason = takeLine(entry, places, found, lineOf);
    if (reason) refused.push(`index ${entry.index}: ${reason}`);
  }
  return { found, refused };
}

// Puts the mark of a line into `found`, or says why not.
function takeLine(entry, places, found, lineOf) {
  const mark = entry.mark.trim().toLowerCase();
  if (![WRONG, RIGHT].includes(mark)) return `its mark ${entry.mark} is neither ${WRONG} nor ${RIGHT}`;
  for (const label of [entry.label, entry.correct]) {
    if (label !== "" && !data.classes.includes(label)) return `there is no label ${label}`;
  }
  if (entry.correct !== "" && (mark === WRONG) === (entry.correct === entry.label)) return "its mark contradicts its correct label";
  const identity = JSON.stringify([entry.row, entry.index, entry.label]);
  const said = JSON.stringify([mark, entry.correct]);
  if (lineOf.has(identity)) return lineOf.get(identity) === said ? null : "its marks contradict each other";
  const free = (places.get(entry.row.trim().replace(/^row-/, "")) ?? []).filter((i) => !found.has(i));
  free.sort((a, b) => (String(data.index[a]) !== entry.index) - (String(data.index[b]) !== entry.index));
  const labels = [entry.label, entry.correct].filter((label, k) => k === 0 || label !== "");
  const place = labels.flatMap((label) => free.filter((i) => labelOf(i) === label))[0];
  if (place === undefined) return "it is not in this table, or its cells or its label were changed since";
  lineOf.set(identity, said);
  const wrong = mark === WRONG && labelOf(place) === entry.label;
  const code = data.classes.indexOf(entry.correct);
  found.set(place, wrong ? { mark, correct: code < 0 ? null : code } : { mark: RIGHT, correct: data.label[place] });
  return null;
}

// What to tell the reviewer about a file that was read.
function describeLoading({ found, refused }) {
  const loaded = `${plural(found.size, "mark")} loaded`;
  if (!refused.length) return `${loaded}.`;
  if (!found.size) return `No mark was loaded: ${refused[0]}${refused.length > 1 ? `, and ${refused.length - 1} more` : ""}.`;
  return `${loaded}, ${refused.length.toLocaleString("en")} refused; ${refused[0]}.`;
}
