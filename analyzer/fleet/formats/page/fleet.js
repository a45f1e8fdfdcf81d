"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
// Rows and nodes that are shown at once; a search finds the others.
const MOST = 300;
let list = "causes";

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const count = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
const text = ([place, words]) => (place ? `${place}: ${words}` : words);

function nodeButton(number) {
  const name = data.nodes[number];
  const made = element("button", { title: `Show the graph of ${name}` }, name);
  made.addEventListener("click", () => { location.hash = `#node=${encodeURIComponent(name)}`; });
  return made;
}

function nodeList(numbers) {
  const made = element("div", { class: "nodes" }, ...numbers.slice(0, MOST).map(nodeButton));
  if (numbers.length > MOST) made.append(`and ${count(numbers.length - MOST, "more node")}`);
  return made;
}

function causeRow(cause) {
  const made = element("details", {}, element("summary", {},
    element("span", { class: "count" }, count(cause.nodes.length, "node")),
    element("span", { class: cause.severity }, `${cause.severity} ${cause.code} `), cause.title));
  made.addEventListener("toggle", () => {
    if (!made.open || made.children.length > 1) return;
    made.append(element("ul", {}, ...cause.statements.map(
      (one) => element("li", {}, element("code", {}, text(one))))));
    if (cause.path.length) {
      made.append(element("div", { class: "muted" }, `For example ${cause.example}: `,
        element("code", {}, cause.path.join(" \u2192 "))));
    }
    made.append(nodeList(cause.nodes));
  });
  return made;
}

function nodeRow(number) {
  const of = data.causes.filter((cause) => cause.nodes.includes(number));
  const made = element("div", { class: "row" }, nodeButton(number), " ",
    element("span", { class: "muted" }, of.length ? count(of.length, "cause") : "no cause"));
  const reason = data.failed[number];
  if (reason) made.append(element("div", { class: "warning" }, reason));
  return made;
}

function show() {
  const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (found) => words.every((word) => found.toLowerCase().includes(word));
  const rows = list === "causes"
    ? data.causes.filter((one) => has(`${one.code} ${one.title} ${one.statements.map(text).join(" ")} `
      + one.path.join(" ")) || (words.length && one.nodes.some((n) => has(data.nodes[n]))))
    : data.nodes.map((_, number) => number).filter((n) => has(`${data.nodes[n]} ${data.failed[n] || ""}`));
  const shown = rows.slice(0, MOST).map(list === "causes" ? causeRow : nodeRow);
  at("list").replaceChildren(...shown);
  if (rows.length > MOST) at("list").append(`and ${count(rows.length - MOST, "more")}; search to see them`);
  if (!rows.length) at("list").append(words.length ? "Nothing has these words." : "There is no cause.");
  for (const name of ["causes", "nodes"]) at(`show-${name}`).setAttribute("aria-pressed", name === list);
  document.body.dataset.rows = rows.length;
}

async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

async function open() {
  const [, encoded] = /^#node=(.*)$/.exec(location.hash) || [];
  let name = null;
  try { name = encoded === undefined ? null : decodeURIComponent(encoded); } catch { /* no such node */ }
  const number = data.nodes.indexOf(name);
  at("graph").hidden = number < 0;
  at("frame").nextElementSibling?.remove();
  if (number < 0) return;
  at("node").textContent = name;
  const graph = data.graphs[data.graph_of[number]];
  at("frame").hidden = graph === undefined;
  if (graph === undefined) {
    at("frame").after(element("p", {}, data.advice));
    return;
  }
  const page = data.frame[0] + await unpacked(graph) + data.frame[1];
  at("frame").srcdoc = page;
  document.body.dataset.graph = name;
}

at("name").textContent = data.name;
at("summary").textContent = data.summary;
at("search").addEventListener("input", show);
for (const name of ["causes", "nodes"]) {
  at(`show-${name}`).addEventListener("click", () => { list = name; show(); });
}
at("back").addEventListener("click", () => { location.hash = ""; });
addEventListener("hashchange", open);
show();
open();
