// The reviewer's marks: kept in the browser under the digest of the data; they can be undone and downloaded.

const marks = new Map(); // position of the sample -> "wrong" or "right"
const undoable = []; // [position, the mark it had before], the last one last
const STORE = `emphatic-audit-${data.digest}`;

// A browser may refuse storage, even when it is only looked up.
function useStorage(action) {
  try {
    return action(window.localStorage);
  } catch {
    byId("storage").hidden = false;
    return null;
  }
}

function loadMarks() {
  const text = useStorage((storage) => storage.getItem(STORE));
  let entries = {};
  try {
    entries = JSON.parse(text) ?? {};
  } catch {
    // Not written by this page: start afresh.
  }
  marks.clear();
  for (const [position, mark] of Object.entries(entries)) {
    if (Number(position) < count && ["wrong", "right"].includes(mark)) marks.set(Number(position), mark);
  }
}

function setMark(i, mark) {
  if (mark === null) marks.delete(i);
  else marks.set(i, mark);
  useStorage((storage) => storage.setItem(STORE, JSON.stringify(Object.fromEntries(marks))));
}

function putMark(i, mark) {
  undoable.push([i, marks.get(i) ?? null]);
  setMark(i, mark);
}

function undoMark() {
  const [i, before] = undoable.pop();
  setMark(i, before);
  return i;
}

const numberOf = (mark) => [...marks.values()].filter((each) => each === mark).length;

// A spreadsheet must show a cell, and not run it as a formula: the rule of emphatic/tables/writing.py.
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?[.,]?\d[\d.,]*([eE][+-]?\d+)?%?$/;

function escapeCell(value) {
  return typeof value === "string" && FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
}

function csvCell(value) {
  const text = value === null ? "" : String(escapeCell(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function marksAsCsv() {
  const rows = [...marks.keys()].sort((a, b) => a - b);
  const lines = rows.map((i) => [data.index[i], labelOf(i), suggestionOf(i), data.suspicion[i], marks.get(i)]);
  const table = [["index", "label", "suggested", "suspicion", "mark"], ...lines];
  return table.map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");
}

function downloadMarks() {
  const address = URL.createObjectURL(new Blob([marksAsCsv()], { type: "text/csv;charset=utf-8" }));
  make("a", { href: address, download: "label-marks.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
