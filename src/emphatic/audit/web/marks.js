// The reviewer's marks: kept in the browser under the digest of the table; they can be undone.

const WRONG = "wrong";
const RIGHT = "right";
const marks = new Map(); // position of the sample -> { mark, correct }: the code of the right label, null if not known
const undoable = []; // steps, the last one last; each a list of [position, the mark it had before]
const STORE = `emphatic-audit-${data.digest}`;

const markOf = (i) => marks.get(i)?.mark ?? null;

// A browser may refuse storage, even when it is only looked up.
function useStorage(action) {
  try {
    return action(window.localStorage);
  } catch {
    byId("storage").hidden = false;
    return null;
  }
}

// Those that the audit knew, and over them those that were made in this browser; null is a mark that was removed.
function loadMarks() {
  const text = useStorage((storage) => storage.getItem(STORE));
  let entries = {};
  try {
    entries = JSON.parse(text) ?? {};
  } catch {
    // Not written by this page: start afresh.
  }
  marks.clear();
  for (const [position, entry] of Object.entries({ ...data.marks, ...entries })) {
    const [mark, correct] = Array.isArray(entry) ? entry : [];
    const known = correct === null || data.classes[correct] !== undefined;
    if (Number(position) < count && [WRONG, RIGHT].includes(mark) && known) marks.set(Number(position), { mark, correct });
  }
}

function saveMarks() {
  const entries = {};
  for (const position of Object.keys(data.marks)) entries[position] = null;
  for (const [position, { mark, correct }] of marks) entries[position] = [mark, correct];
  useStorage((storage) => storage.setItem(STORE, JSON.stringify(entries)));
}

// One step of a review: [position, mark] of each sample, null to remove its mark.
function putMarks(changes) {
  undoable.push(changes.map(([i]) => [i, marks.get(i) ?? null]));
  setMarks(changes);
}

function undoMarks() {
  const step = undoable.pop();
  setMarks(step);
  return step;
}

function setMarks(changes) {
  for (const [i, mark] of changes) {
    if (mark === null) marks.delete(i);
    else marks.set(i, mark);
  }
  saveMarks();
}

// Unless the reviewer chooses: the suggested label, or the other one of two. As emphatic/audit/marks/taking.py.
function guessCorrect(i) {
  if (data.suggested[i] !== data.label[i]) return data.suggested[i];
  return data.classes.length === 2 ? 1 - data.label[i] : null;
}

const numberOf = (mark) => [...marks.values()].filter((each) => each.mark === mark).length;
