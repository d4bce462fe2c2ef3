(() => {
"use strict";
const {charts, series, dark} = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
const prefers = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ?? (prefers.matches ? "dark" : "light")) === "dark";

// A colour of the style sheet as the theme has it now.
const probe = document.createElement("i");
probe.hidden = true;
document.body.append(probe);
function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

// Figures are made in light colours; each has its partner in the dark.
const channels = (hex) => [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16)).join(",");
const partners = new Map(Object.entries(dark).flatMap(([light, other]) => [[light, other], [channels(light), channels(other)]]));
function themed(value) {
  if (!isDark()) return value;
  if (Array.isArray(value)) return value.map(themed);
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, themed(part)]));
  if (typeof value !== "string") return value;
  const clear = /^rgba\((\d+,\d+,\d+),([\d.]+)\)$/.exec(value);
  if (clear) return `rgba(${partners.get(clear[1]) ?? clear[1]},${clear[2]})`;
  return partners.get(value) ?? value;
}

function layoutOf(layout) {
  const [ink, soft, line, card] = ["ink", "soft", "line", "card"].map(colour);
  const axis = {gridcolor: line, linecolor: soft, zerolinecolor: soft, tickcolor: soft, zeroline: false, automargin: true, fixedrange: true};
  const whole = {
    autosize: true, margin: {l: 12, r: 12, t: 12, b: 12}, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    colorway: themed(series), font: {family: getComputedStyle(document.body).fontFamily, size: 12.5, color: ink},
    hoverlabel: {bgcolor: card, bordercolor: soft, font: {color: ink}}, dragmode: false, ...layout,
  };
  for (const name of ["xaxis", "yaxis", ...Object.keys(layout).filter((each) => /^[xy]axis\d/.test(each))])
    whole[name] = {...axis, ...whole[name]};
  if (layout.scene) {
    const side = {gridcolor: soft, color: ink, showbackground: false};
    whole.scene = {...layout.scene, ...Object.fromEntries(["xaxis", "yaxis", "zaxis"].map((name) => [name, {...side, ...layout.scene[name]}]))};
    whole.scene.dragmode = matchMedia("(pointer: coarse)").matches ? false : "turntable";  // a finger scrolls the page
  }
  return whole;
}

function draw(figure) {
  const {data, layout} = charts[figure.id];
  const copy = structuredClone({data: themed(data), layout: themed(layoutOf(layout))});  // plotly keeps what it is given
  figure.dataset.drawn = "";
  const plot = figure.querySelector(".plot");
  try {
    Plotly.react(plot, copy.data, copy.layout, {responsive: true, displayModeBar: false});
  } catch (error) {  // the other charts can still be drawn
    plot.textContent = "This chart could not be drawn; its data are below.";
    console.error(figure.id, error);
  }
}

// What is near the screen is drawn, the rest when it is scrolled to.
const figures = [...document.querySelectorAll(".chart")].filter((figure) => figure.id in charts);  // others are pictures
for (const figure of figures) figure.querySelector(".plot").style.height = `${charts[figure.id].layout.height ?? 416}px`;
const near = new IntersectionObserver((entries) => {
  for (const {target, isIntersecting} of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    draw(target);
  }
}, {rootMargin: "400px"});
figures.forEach((figure) => near.observe(figure));

// The theme: as the system has it, until the button is pressed.
const button = document.getElementById("theme");
function remembered() {
  try { return localStorage.getItem("emphatic-theme"); } catch { return null; }  // a browser may keep nothing
}
function apply() {
  button.textContent = isDark() ? "Light theme" : "Dark theme";
  figures.filter((figure) => "drawn" in figure.dataset).forEach(draw);
}
button.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  try { localStorage.setItem("emphatic-theme", root.dataset.theme); } catch { /* until the page is closed, then */ }
  apply();
});
prefers.addEventListener("change", apply);
addEventListener("beforeprint", () => {  // paper is light, and holds all charts
  const redrawn = isDark() ? figures : figures.filter((figure) => !("drawn" in figure.dataset));
  const onScreen = root.dataset.theme;
  root.dataset.theme = "light";
  redrawn.forEach(draw);
  addEventListener("afterprint", () => {
    if (onScreen) root.dataset.theme = onScreen;
    else delete root.dataset.theme;
    if (isDark()) apply();
  }, {once: true});
});
if (["light", "dark"].includes(remembered())) root.dataset.theme = remembered();
button.hidden = false;
apply();

// The contents show where one is.
const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver((entries) => {
  for (const {target, isIntersecting} of entries) {
    const link = links.get(target.id);
    if (isIntersecting) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}, {rootMargin: "-20% 0px -75% 0px"});
document.querySelectorAll("main > section").forEach((section) => seen.observe(section));

// A slider shows one row of its table at a time.
for (const chooser of document.querySelectorAll(".chooser")) {
  const [input, output] = [chooser.querySelector("input"), chooser.querySelector("output")];
  const rows = chooser.querySelectorAll("tbody tr");
  const show = () => {
    const [first, ...rest] = [...rows[input.value].cells].map((cell) => cell.textContent);
    output.textContent = first;
    input.setAttribute("aria-valuetext", first);
    chooser.querySelectorAll("dd").forEach((value, k) => { value.textContent = rest[k]; });
    rows.forEach((row, k) => row.classList.toggle("chosen", k === Number(input.value)));
  };
  input.addEventListener("input", show);
  chooser.querySelector(".slider").hidden = false;
  show();
}
})();
