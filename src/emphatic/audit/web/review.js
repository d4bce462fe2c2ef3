// The review: what is shown now, and what the controls and the keys do; `marking.js` does what marks need.

const view = { current: null, rank: 0, opened: false };
let chosen = []; // samples that pass the filters, in order
let order = []; // those of them that are listed: all, or only the unmarked

const narrow = window.matchMedia("(max-width: 900px)"); // as in the style: there a sample covers the list

function refresh() {
  chosen = chosenRows();
  order = byId("unmarked").checked ? chosen.filter((i) => !marks.has(i)) : chosen;
  // The current sample stays if it is listed; else the one that took its place in the list.
  const rank = order.indexOf(view.current);
  view.rank = rank >= 0 ? rank : Math.max(0, Math.min(view.rank, order.length - 1));
  view.current = order[view.rank] ?? null;
  showHeads();
  redrawRows(view.rank);
  showOverview();
  showControls();
  showEstimate();
  showSample(view.current);
}

// After a change of filters or sorting, not of marks.
function fromTheTop() {
  [view.current, view.rank] = [null, 0];
  refresh();
}

function showControls() {
  const marked = chosen.filter((i) => marks.has(i)).length;
  byId("bar").value = chosen.length ? marked / chosen.length : 0;
  const listed = order.length === count ? "" : `${order.length.toLocaleString("en")} of `;
  byId("progress").textContent =
    `${listed}${plural(count, "sample")} · ${numberOf("wrong")} marked wrong, ${numberOf("right")} right · ` +
    `${(chosen.length - marked).toLocaleString("en")} to do`;
  byId("least-value").textContent = Number(byId("least").value).toFixed(2);
  byId("sort").value = String(sorting.column);
  byId("direction").textContent = sorting.descending ? "↓" : "↑";
  byId("direction").setAttribute("aria-label", sorting.descending ? "Descending order; reverse" : "Ascending order; reverse");
  byId("undo").disabled = undoable.length === 0;
  byId("download").disabled = marks.size === 0;
  byId("download").textContent = marks.size === 0 ? "Download marks" : `Download ${plural(marks.size, "mark")}`;
}

// A neighbour may be outside the list: then it is shown, and the list keeps its place.
function openSample(i, cover) {
  view.current = i;
  const rank = order.indexOf(i);
  if (rank >= 0) {
    view.rank = rank;
    scrollToRank(rank);
  }
  showRows();
  showSample(i);
  if (cover && narrow.matches) showOverList(true);
}

// On a narrow screen: show the sample over the list, or go back.
function showOverList(opened) {
  view.opened = opened;
  byId("sample").classList.toggle("open", opened);
  for (const element of byId("app").children) {
    if (element.tagName !== "MAIN") element.inert = opened;
  }
  byId("grid").inert = opened;
  (opened ? byId("sample-title") : byId("grid")).focus({ preventScroll: true });
}

function move(step) {
  if (order.length) openSample(order[Math.max(0, Math.min(order.length - 1, view.rank + step))], false);
}

function nextUnmarked() {
  const after = order.findIndex((i, rank) => rank > view.rank && !marks.has(i));
  const rank = after >= 0 ? after : order.findIndex((i) => !marks.has(i));
  if (rank >= 0) openSample(order[rank], false);
}

const keys = {
  w: () => mark("wrong"),
  r: () => mark("right"),
  u: undo,
  n: nextUnmarked,
  "/": () => byId("text").focus(),
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
};
const gridKeys = {
  PageDown: () => move(Math.floor(byId("grid").clientHeight / ROW_HEIGHT) - 2),
  PageUp: () => move(2 - Math.floor(byId("grid").clientHeight / ROW_HEIGHT)),
  Home: () => move(-order.length),
  End: () => move(order.length),
  Enter: () => view.current !== null && openSample(view.current, true),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && view.opened) showOverList(false);
  if (event.target.matches("select, input:not([type=checkbox])")) return;
  const inGrid = event.target === byId("grid");
  const scrolls = event.key.startsWith("Arrow") && event.target === byId("features");
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? (inGrid && gridKeys[event.key]);
  if (!action || scrolls) return;
  event.preventDefault();
  action();
}

const describePart = () =>
  `All ${plural(count, "sample")} are listed. To keep this page small, it holds the cells of ` +
  `${places.size.toLocaleString("en")}: the most suspicious ones and their neighbours.`;

function buildControls() {
  const choice = (name, value) => make("option", { value }, name);
  byId("kind").append(...data.kinds.map(choice));
  byId("label").append(...data.classes.map(choice));
  byId("sort").append(...columns.map((column, k) => choice(column.title, k)));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("correct").append(...data.classes.map(choice));
  byId("correct").addEventListener("change", choose);
  byId("file").addEventListener("change", loadFile);
  byId("worth-count").textContent = worth.size.toLocaleString("en");
  byId("worth").checked = worth.size < count;
  byId("worth").disabled = worth.size === count;
  byId("partial").hidden = places === null;
  if (places) byId("partial").textContent = describePart();
  for (const id of ["text", "least", "unmarked", "worth"]) byId(id).addEventListener("input", fromTheTop);
  for (const id of ["kind", "label"]) byId(id).addEventListener("change", fromTheTop);
  byId("sort").addEventListener("change", () => {
    sortBy(Number(byId("sort").value));
    fromTheTop();
  });
  const actions = {
    clear: () => (byId("filters").reset(), fromTheTop()),
    direction: () => (sortBy(sorting.column), fromTheTop()),
    wrong: () => mark("wrong"),
    right: () => mark("right"),
    undo,
    download: downloadMarks,
    load: () => byId("file").click(),
    previous: () => move(-1),
    next: () => move(1),
    close: () => showOverList(false),
  };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  byId("by-difference").addEventListener("change", () => showSample(view.current));
  narrow.addEventListener("change", () => view.opened && showOverList(false));
  document.addEventListener("keydown", onKey);
  window.addEventListener("storage", (event) => {
    if (event.key !== STORE) return;
    loadMarks(); // marked in another window
    refresh();
  });
}

loadMarks();
buildControls();
buildOverview();
buildGrid();
refresh();
