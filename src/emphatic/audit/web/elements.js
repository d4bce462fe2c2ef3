// Elements of the page. Text always goes in as text: nothing from the data is ever parsed as HTML.

const byId = (id) => document.getElementById(id);

function make(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

function draw(tag, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
