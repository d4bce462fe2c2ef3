// The list. Only the rows in sight are elements of the page, so that its length costs nothing. The focus stays on the
// list as a whole, and `aria-activedescendant` names the current row: rows come and go with scrolling.

const ROW_HEIGHT = 36; // as in the style
const NOT_HERE = "not on this page";
const BEYOND = 10; // rows kept ready above and below those in sight

function buildGrid() {
  columns.slice(0, LISTED).forEach((column, k) => {
    byId("widths").append(make("col"));
    byId("widths").lastChild.style.width = `${widthOf(column)}em`;
    const button = make("button", { type: "button", tabindex: "-1", title: `Sort by ${column.title}` }, column.title);
    button.addEventListener("click", () => {
      sortBy(k);
      fromTheTop();
    });
    const head = { role: "columnheader", "aria-colindex": k + 1, class: column.numeric ? "number" : null };
    byId("heads").append(make("th", head, button));
  });
  byId("grid").setAttribute("aria-colcount", LISTED);
  byId("grid").addEventListener("scroll", () => showRows(), { passive: true });
  new ResizeObserver(() => showRows()).observe(byId("grid"));
  byId("rows").addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-sample]");
    if (row) openSample(Number(row.dataset.sample), true);
  });
}

// From the header and samples all over the list, so that widths do not change while scrolling.
function widthOf(column) {
  const step = Math.ceil(count / 2000);
  let letters = column.title.length + 2;
  for (let i = 0; i < count; i += step) letters = Math.max(letters, short(column.value(i)).length);
  return 1.3 + 0.58 * Math.min(24, letters + (column === columns[KIND] ? 2 : 0));
}

function showHeads() {
  [...byId("heads").children].forEach((head, k) => {
    const direction = sorting.descending ? "descending" : "ascending";
    if (k === sorting.column) head.setAttribute("aria-sort", direction);
    else head.removeAttribute("aria-sort");
  });
}

const visible = new Map(); // sample -> its row, of those in sight

// After a change of the order or of a mark. Twice: the list must have its new length before it can be scrolled.
function redrawRows(rank) {
  visible.clear();
  showRows();
  scrollToRank(rank);
  showRows();
}

// After scrolling or a new current sample: rows that stay in sight stay the same elements, so that no click is lost.
function showRows() {
  const grid = byId("grid");
  const first = Math.max(0, Math.min(order.length, Math.floor(grid.scrollTop / ROW_HEIGHT)) - BEYOND);
  const last = Math.min(order.length, first + Math.ceil(grid.clientHeight / ROW_HEIGHT) + 2 * BEYOND);
  const rows = order.slice(first, last).map((i, rank) => visible.get(i) ?? rowOf(i, first + rank));
  byId("rows").replaceChildren(gap(first), ...rows, gap(order.length - last));
  visible.clear();
  grid.removeAttribute("aria-activedescendant");
  for (const row of rows) {
    const i = Number(row.dataset.sample);
    visible.set(i, row);
    row.setAttribute("aria-selected", String(i === view.current));
    if (i === view.current) grid.setAttribute("aria-activedescendant", row.id);
  }
  grid.setAttribute("aria-rowcount", order.length + 1);
  byId("nothing").hidden = order.length > 0;
}

function gap(rows) {
  const element = make("tr", { "aria-hidden": "true", class: "gap" }, make("td", { colspan: LISTED }));
  element.firstChild.style.height = `${rows * ROW_HEIGHT}px`;
  return element;
}

function rowOf(i, rank) {
  const row = make("tr", {
    id: `row-${i}`,
    role: "row",
    class: markOf(i),
    "data-sample": i,
    "aria-rowindex": rank + 2,
  });
  columns.slice(0, LISTED).forEach((column, k) => row.append(cellOf(column, k, i)));
  return row;
}

function cellOf(column, k, i) {
  const value = column.value(i);
  const cell = make("td", { role: "gridcell", "aria-colindex": k + 1, class: column.numeric ? "number" : null });
  if (k === MARK) {
    const sign = { wrong: "✗", right: "✓" }[value] ?? "";
    const said = value === null ? null : describeMark(i);
    cell.append(make("span", { role: "img", title: said, "aria-label": said ?? "not marked" }, sign));
  } else if (column.feature && !isDetailed(i)) {
    cell.title = NOT_HERE;
  } else if (k === SUSPICION) {
    cell.classList.add("suspicion");
    cell.style.setProperty("--share", value);
    cell.append(value.toFixed(3));
  } else {
    if (k === KIND) cell.append(make("i", { class: `dot ${value}` }));
    if (k === SUGGESTED && value !== labelOf(i)) cell.classList.add("differs");
    if (value === null) cell.classList.add("missing");
    cell.append(short(value));
    cell.title = value ?? MISSING;
  }
  return cell;
}

function describeMark(i) {
  const { mark, correct } = marks.get(i);
  if (mark === RIGHT) return RIGHT;
  return correct === null ? "wrong, right label not known" : `wrong, right label ${data.classes[correct]}`;
}

function scrollToRank(rank) {
  const grid = byId("grid");
  const room = grid.clientHeight - byId("heads").offsetHeight;
  const top = rank * ROW_HEIGHT;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + ROW_HEIGHT > grid.scrollTop + room) grid.scrollTop = top + ROW_HEIGHT - room;
}
