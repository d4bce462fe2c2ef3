// A histogram of suspicion for each kind, each on its own scale: the few noisy samples would vanish beside the many
// redundant ones. Each is also the button that filters by its kind.

const BINS = 25;
const WIDTH = 200;
const HEIGHT = 56;

function buildOverview() {
  data.kinds.forEach((name, kind) => {
    const heights = new Array(BINS).fill(0);
    data.suspicion.forEach((suspicion, i) => {
      if (data.kind[i] === kind) heights[Math.min(BINS - 1, Math.floor(suspicion * BINS))] += 1;
    });
    const total = heights.reduce((sum, height) => sum + height, 0);
    const button = make("button", { type: "button", class: `histogram ${name}`, "data-kind": kind, "aria-pressed": "false" });
    button.append(
      make("span", { class: "name" }, make("i", { class: `dot ${name}` }), `${name} `, make("b", {}, total.toLocaleString("en"))),
      histogram(heights),
    );
    button.addEventListener("click", () => {
      byId("kind").value = byId("kind").value === String(kind) ? "" : String(kind);
      fromTheTop();
    });
    byId("overview").append(button);
  });
}

function histogram(heights) {
  const most = Math.max(1, ...heights);
  const step = WIDTH / BINS;
  const bars = heights.map((height, bin) => {
    const tall = height === 0 ? 0 : Math.max(1.5, (HEIGHT * height) / most);
    const title = draw("title", {}, `suspicion ${(bin / BINS).toFixed(2)} to ${((bin + 1) / BINS).toFixed(2)}: ${plural(height, "sample")}`);
    return draw("rect", { x: bin * step + 0.5, y: HEIGHT - tall, width: step - 1, height: tall, rx: 1 }, title);
  });
  const ticks = [0, 0.5, 1].map((at) =>
    draw("text", { x: at * WIDTH, y: HEIGHT + 13, "text-anchor": ["start", "middle", "end"][at * 2] }, String(at)),
  );
  const axis = draw("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT });
  const least = draw("line", { class: "least", x1: 0, x2: 0, y1: 0, y2: HEIGHT });
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + 16}`, "aria-hidden": "true" }, ...bars, axis, least, ...ticks);
}

function showOverview() {
  const [kind, least] = [byId("kind").value, byId("least").value * WIDTH];
  for (const button of byId("overview").children) {
    button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
    const line = button.querySelector(".least");
    line.setAttribute("transform", `translate(${least})`);
    line.setAttribute("visibility", least > 0 ? "visible" : "hidden");
  }
}
