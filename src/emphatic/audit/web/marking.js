// What a reviewer does with marks: put, choose the right label, undo, load a file.

// A new mark moves on to the next sample; the same mark again removes it.
function mark(name) {
  const i = view.current;
  if (i === null) return;
  const removed = markOf(i) === name;
  const correct = name === WRONG ? chosenLabel() : data.label[i];
  putMarks([[i, removed ? null : { mark: name, correct }]]);
  byId("status").textContent = removed ? `Mark of sample ${short(data.index[i])} removed.` : `Sample ${short(data.index[i])} marked ${name}.`;
  const stillListed = !byId("unmarked").checked;
  if (!removed && stillListed && order[view.rank] === i) view.current = order[Math.min(order.length - 1, view.rank + 1)];
  refresh();
}

const chosenLabel = () => (byId("correct").value === "" ? null : Number(byId("correct").value));

// To choose the right label says that the given one is wrong; the sample stays in view.
function choose() {
  const i = view.current;
  putMarks([[i, { mark: WRONG, correct: chosenLabel() }]]);
  byId("status").textContent = `Sample ${short(data.index[i])} marked ${describeMark(i)}.`;
  refresh();
}

function undo() {
  if (undoable.length === 0) return;
  const step = undoMarks();
  if (step.length === 1) view.current = step[0][0];
  byId("status").textContent =
    step.length === 1 ? `Sample ${short(data.index[view.current])}: last mark undone.` : `${plural(step.length, "mark")} undone.`;
  refresh();
}

async function loadFile() {
  const [file] = byId("file").files;
  byId("file").value = ""; // the same file may be chosen again
  if (!file) return;
  const read = readMarks(await file.text());
  if (read.found.size) putMarks([...read.found]);
  byId("status").textContent = `${file.name}: ${describeLoading(read)}`;
  refresh();
}
