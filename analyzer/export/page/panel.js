// The panel: all text goes in as text, never as markup.

const panel = document.getElementById("panel");
const FEW = 40;

function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else made.setAttribute(key, value);
  }
  made.append(...content.filter((one) => one !== null && one !== undefined));
  return made;
}

function action(text, run, style = "link") {
  const button = element("button", { class: style, type: "button" }, text);
  button.addEventListener("click", run);
  return button;
}

const linkTo = (node) => action(node.ref, () => goTo({ node: node.id }));

function heading(text, count) {
  return element("h2", {}, text,
    count === undefined ? null : element("span", { class: "count" }, String(count)));
}

// A list that starts short; the rest comes at a click.
function longList(items, make, style = "list") {
  const list = element("ul", { class: style });
  const add = (some) => list.append(...some.map(make));
  add(items.slice(0, FEW));
  if (items.length > FEW) {
    const more = element("li", {});
    more.append(action(`${items.length - FEW} more`, () => { more.remove(); add(items.slice(FEW)); }));
    list.append(more);
  }
  return list;
}

// A path that may be broken behind its slashes.
function breakable(text) {
  return text.split(/(?<=\/)/).flatMap((piece) => [piece, element("wbr")]);
}

function originLines(edge) {
  const lines = [element("div", { class: "why" }, sentence(edge))];
  const where = edge.file ? place(edge) : "";
  if (where) lines.push(element("div", { class: "why place" }, ...breakable(where)));
  return lines;
}

function edgeClass(edge) {
  const names = [KINDS[edge.kind]];
  if (edge.bits & AUTO) names.push("auto");
  if (edge.bits & IN_CYCLE) names.push("cycle");
  return names.join(" ");
}

function edgeItem(edge, other) {
  const inside = nodes[other].role
    ? element("span", { class: "muted" }, ` ${plural(resourcesOf([other]), data.words.one)}`) : null;
  return element("li", { class: edgeClass(edge) },
    linkTo(nodes[other]), inside, ...originLines(edge));
}

// The number of resources among nodes and in them; a container counts as its contents.
function resourcesOf(ids) {
  const seen = new Set();
  const pending = [...ids];
  let number = 0;
  while (pending.length) {
    const id = pending.pop();
    if (seen.has(id)) continue;
    seen.add(id);
    if (nodes[id].role === 0) number += 1;
    else pending.push(...nodes[id].contents.map((one) => one.id));
  }
  return number;
}

function showPanel(selection) {
  panel.replaceChildren();
  panel.scrollTop = 0;
  if (!selection) showOverview();
  else if (selection.node !== undefined) showNode(nodes[selection.node]);
  else if (selection.cycle !== undefined) showCycle(selection.cycle);
  else showEdge(selection.edges, selection.ends);
}

function showOverview() {
  panel.append(element("h1", {}, data.name));
  const own = edges.filter((edge) => !(edge.bits & ONLY_IN_CYCLE));
  const automatic = own.filter((edge) => edge.bits & AUTO).length;
  panel.append(element("p", { class: "muted" },
    `${plural(data.resources, data.words.one)}, ` +
    plural(own.length, data.view === "containment" ? "containment" : "relationship") +
    (automatic ? `, ${automatic.toLocaleString("en")} of them automatic` : "")));
  if (data.cycles.length) {
    panel.append(heading("Dependency cycles", data.cycles.length));
    panel.append(element("p", {}, data.words.cyclic));
    data.cycles.forEach((cycle, number) => panel.append(cycleBox(cycle, number)));
  } else if (data.view !== "containment") {
    panel.append(element("div", { class: "box" },
      element("p", {}, data.words.clean)));
  }
  if (data.incomplete.length) {
    const box = element("div", { class: "box red", id: "incomplete" });
    box.append(...data.incomplete.map((line) => element("p", {}, line)));
    panel.append(heading("Incomplete"), box);
  }
  panel.append(heading("How to read the graph"));
  panel.append(element("p", { class: "muted" }, data.view === "containment"
    ? "Each resource is contained in the one above it."
    : `Arrows point to the ${data.words.one} that is ${data.words.later}. ` +
      `Click a ${data.words.one} or an arrow to see the code that ordered it.`));
  if (sceneOf.classes) {
    panel.append(element("p", { class: "muted" },
      (data.small ? "" : `${capital("many")} are folded into their ${data.words.classes} at first. `) +
      `Double-click a ${data.words.class} to look inside.`));
  }
  panel.append(heading("Types", data.types.length));
  const counts = new Map();
  for (const node of nodes) counts.set(node.type, (counts.get(node.type) || 0) + 1);
  const rows = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  panel.append(longList(rows, ([type, count]) => {
    const dot = element("span", {}, "\u25a0 ");
    dot.style.color = typeColors.get(type);
    return element("li", {}, dot, action(`${type}`, () => searchFor(`type:${type.toLowerCase()}`)),
      element("span", { class: "muted" }, `  ${count.toLocaleString("en")}`));
  }, "list plain"));
}

function cycleBox(cycle, number) {
  const box = element("div", { class: "box red" });
  const title = data.cycles.length > 1 ? `Cycle ${number + 1}` : "The cycle";
  box.append(element("p", {}, action(`${title}: ${plural(cycle.members.length, "member")}`,
    () => goTo({ cycle: number }))));
  const names = [...cycle.path, cycle.path[0]].map((id) => nodes[id].ref);
  const shown = names.length > 9 ? [...names.slice(0, 6), "\u2026", ...names.slice(-2)] : names;
  box.append(element("p", { class: "place" }, shown.join(" \u2192 ")));
  return box;
}

function crumbs(node) {
  const chain = [];
  const seen = new Set();
  for (let up = node.container; up >= 0 && !seen.has(up); up = nodes[up].container) {
    seen.add(up);
    chain.unshift(nodes[up]);
  }
  if (!chain.length) return null;
  const line = element("p", { class: "crumbs" }, "in ");
  chain.forEach((holder, i) => line.append(i ? " \u203a " : "", linkTo(holder)));
  return line;
}

function showNode(node) {
  panel.append(element("h1", {}, node.ref));
  if (node.file) panel.append(element("p", { class: "place", id: "declared" }, ...breakable(place(node))));
  const holders = crumbs(node);
  if (holders) panel.append(holders);
  for (const number of node.cycles) {
    const title = data.cycles.length > 1 ? `on cycle ${number + 1}` : "on a dependency cycle";
    panel.append(element("p", {}, action(title, () => goTo({ cycle: number }), "badge")));
  }
  const actions = element("p", { class: "actions" });
  if (sceneOf.inside.has(node.id) && !(scene.kind === "class" && scene.subject === node.id)) {
    actions.append(action("Look inside", () => goTo({ node: node.id, scene: sceneOf.inside.get(node.id) })));
  }
  const home = sceneOf.inside.get(node.home);
  if (node.home !== node.id && home && home !== scene) {
    actions.append(action(`Show in ${nodes[node.home].ref}`, () => goTo({ node: node.id, scene: home })));
  }
  if (scene !== sceneOf.all) {
    actions.append(action("Show among all", () => goTo({ node: node.id, scene: sceneOf.all })));
  }
  if (actions.childNodes.length) panel.append(actions);
  const before = node.incoming.filter((edge) => edge.kind !== 2);
  const after = node.outgoing.filter((edge) => edge.kind !== 2);
  if (before.length) {
    panel.append(heading("Applied before it", resourcesOf(before.map((edge) => edge.source))));
    panel.append(longList(before, (edge) => edgeItem(edge, edge.source)));
  }
  if (after.length) {
    panel.append(heading("Applied after it", resourcesOf(after.map((edge) => edge.target))));
    panel.append(longList(after, (edge) => edgeItem(edge, edge.target)));
  }
  if (!before.length && !after.length && data.view !== "containment") {
    panel.append(element("p", { class: "muted" }, "No relationships of its own."));
  }
  if (node.parameters.length) panel.append(heading("Parameters"), parameterTable(node));
  if (node.contents.length) {
    panel.append(heading("Contains", node.contents.length));
    panel.append(longList(node.contents, (one) => element("li", {}, linkTo(one)), "list plain"));
  }
}

function parameterTable(node) {
  const table = element("table");
  for (const [name, text, cause] of node.parameters) {
    const style = text === "[redacted]" ? "redacted" : "";
    const from = cause ? element("div", { class: "why place" }, ...breakable(cause)) : null;
    table.append(element("tr", {}, element("th", { scope: "row" }, name),
      element("td", { class: style }, text, from)));
  }
  return table;
}

function showEdge(list, [source, target]) {
  panel.append(element("p", { class: "kind" }, list.length > 1
    ? `${plural(list.length, "relationship")} between` : describe(list[0])));
  panel.append(element("h1", {}, linkTo(nodes[source]), " \u2192 ", linkTo(nodes[target])));
  panel.append(heading("Declared by", list.length));
  panel.append(longList(list, (edge) => {
    const item = element("li", { class: edgeClass(edge) }, ...originLines(edge));
    if (edge.source !== source || edge.target !== target) {
      item.prepend(element("div", {}, linkTo(nodes[edge.source]), " \u2192 ", linkTo(nodes[edge.target])));
    }
    if (edge.by >= 0 && edge.kind !== 2) {
      item.append(element("div", { class: "why" }, edge.bits & AUTO ? "automatic, by the type of " : "written in ",
        linkTo(nodes[edge.by])));
    }
    if (edge.count > 1) item.append(element("div", { class: "why" }, `stands for ${edge.count}`));
    return item;
  }));
}

function describe(edge) {
  if (edge.kind === 2) return edge.bits & REVERSED ? "The end of a container" : "Contains";
  const order = edge.kind === 1 ? "Applied before, and refreshes it on changes" : "Applied before";
  return edge.bits & AUTO ? `${order} (automatic)` : order;
}

function showCycle(number) {
  const cycle = data.cycles[number];
  const title = data.cycles.length > 1 ? `Cycle ${number + 1} of ${data.cycles.length}` : "Dependency cycle";
  panel.append(element("h1", {}, title));
  panel.append(element("p", { class: "muted" },
    `${plural(cycle.members.length, data.words.one)} wait for each other` +
    (cycle.shortest ? "; this is a shortest cycle." : ".")));
  const steps = element("ol", { class: "list" });
  cycle.steps.forEach((step, i) => {
    const next = cycle.path[(i + 1) % cycle.path.length];
    const item = element("li", { class: "cycle" }, linkTo(nodes[cycle.path[i]]), " \u2192 ",
      linkTo(nodes[next]));
    for (const id of step) item.append(...originLines(edges[id]));
    steps.append(item);
  });
  panel.append(steps);
  panel.append(heading(cycle.cut.length > 1 ? "To break the cycle, remove all of" : "To break the cycle, remove"));
  const box = element("div", { class: "box" });
  for (const text of cycle.cut) box.append(element("p", { class: "place" }, ...breakable(text)));
  panel.append(box);
  panel.append(element("p", { class: "muted" }, cycle.lostCount
    ? `Ordering lost: ${cycle.lost.slice(0, 8).map(([a, b]) => `${a} before ${b}`).join("; ")}` +
      (cycle.lostCount > 8 ? `; and ${cycle.lostCount - 8} more` : "")
    : "No ordering is lost: other relationships imply it."));
  const rest = cycle.members.filter((id) => !cycle.path.includes(id)).map((id) => nodes[id]);
  if (rest.length) {
    panel.append(heading("Other members of this strongly connected component", rest.length));
    panel.append(longList(rest, (one) => element("li", {}, linkTo(one)), "list plain"));
  }
  const actions = element("p", { class: "actions" });
  if (data.cycles.length > 1) {
    const step = (by) => goTo({ cycle: (number + by + data.cycles.length) % data.cycles.length });
    actions.append(action("Previous cycle", () => step(-1)), action("Next cycle", () => step(1)));
  }
  actions.append(action("Overview", () => select(null)));
  panel.append(actions);
}

function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
