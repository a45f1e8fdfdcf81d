// What is shown and selected, the address of it, and the start.

let selection = null;
const status = document.body.dataset;
const tip = document.getElementById("tip");
status.errors = "0";
addEventListener("error", () => { status.errors = String(Number(status.errors) + 1); });

// Goes to a node, a cycle or a picture: shows where it is, selects it, opens the panel.
function goTo({ node, cycle, scene: wanted }) {
  if (cycle !== undefined) {
    setScene(sceneOf.cycle(cycle));
    select({ cycle });
    return;
  }
  if (wanted) setScene(wanted);
  else if (scene.standIn(node) < 0 || !scene.local.has(node)) setScene(sceneFor(nodes[node]));
  select({ node });
  const local = scene.standIn(node);
  if (wanted) reveal(local);
  else if (local >= 0) centre(local);
}

// The picture in which a node is best seen: the present one, its class, or all.
function sceneFor(node) {
  if (data.small) return sceneOf.all;
  return sceneOf.inside.get(node.home) || sceneOf.all;
}

function setScene(next) {
  if (scene === next) return;
  scene = next.prepare();
  status.scene = scene.kind;
  marks = new Uint8Array(scene.ids.length);
  anyMark = false;
  markedEdges = [];
  hideTip();
  open();
  showScenes();
  showLegend();
}

function showScenes() {
  const bar = document.getElementById("scenes");
  const rows = [sceneOf.classes, sceneOf.all, ...scenes.filter((s) => s.kind === "cycle").slice(0, 3)];
  if (scene && !rows.includes(scene)) rows.push(scene);
  const shown = rows.filter(Boolean);
  bar.replaceChildren(...(shown.length > 1 ? shown : []).map((one) => {
    const run = () => (one.kind === "cycle" ? goTo({ cycle: one.subject }) : openScene(one));
    const button = action(one.title, run, "");
    button.setAttribute("aria-pressed", String(one === scene));
    button.title = one.title;
    return button;
  }));
}

function openScene(next) {
  setScene(next);
  const node = selection && selection.node;
  const local = node !== undefined && node !== null ? scene.standIn(node) : -1;
  select(local >= 0 ? selection : null);
  reveal(local);
}

function select(next) {
  selection = next;
  mark();
  showPanel(next);
  writeHash();
  requestDraw();
}

function mark() {
  marks.fill(0);
  markedEdges = [];
  if (selection && selection.node !== undefined) {
    const local = scene.standIn(selection.node);
    if (local >= 0) markAround(local);
  } else if (selection && selection.edges) {
    const s = scene.standIn(selection.ends[0]), t = scene.standIn(selection.ends[1]);
    markedEdges = (scene.adjacent[s] || []).filter((e) => scene.source[e] === s && scene.target[e] === t);
    if (s >= 0) marks[s] = 1;
    if (t >= 0) marks[t] = 1;
  } else if (selection && scene.kind !== "cycle") {
    for (const id of data.cycles[selection.cycle].members) {
      const local = scene.standIn(id);
      if (local >= 0) marks[local] = 1;
    }
  }
  anyMark = marks.includes(1) || marks.includes(2);
}

function markAround(local) {
  for (const e of scene.adjacent[local]) {
    if ((scene.style[e] & 3) === 2 && !isDrawn(e)) continue;
    markedEdges.push(e);
    marks[scene.source[e]] = marks[scene.target[e]] = 1;
  }
  for (const one of nodes[scene.ids[local]].contents) {
    const content = scene.local.get(one.id);
    if (content !== undefined) marks[content] = 1;
  }
  marks[local] = 2;
}

function clickAt(px, py) {
  canvas.focus({ preventScroll: true });
  const local = nodeAt(px, py);
  if (local >= 0) { select({ node: scene.ids[local] }); return; }
  const edge = edgeAt(px, py);
  if (edge < 0) { select(null); return; }
  const ends = [scene.ids[scene.source[edge]], scene.ids[scene.target[edge]]];
  select({ edges: scene.members[edge], ends });
}

// A double click looks inside of a class, and from inside of it back at the classes.
function openAt(px, py) {
  const local = nodeAt(px, py);
  if (local < 0) { zoomAt(px, py, 1.6); return; }
  const id = scene.ids[local];
  const within = scene.kind === "class" && scene.subject === id;
  const next = within ? sceneOf.classes : sceneOf.inside.get(id);
  if (next) goTo({ node: id, scene: next });
}

let lastHover = [0, 0];
let hovering = false;

function hover(px, py) {
  lastHover = [px, py];
  if (hovering) return;
  hovering = true;
  requestAnimationFrame(() => { hovering = false; showTip(...lastHover); });
}

function showTip(px, py) {
  const local = nodeAt(px, py);
  const edge = local < 0 ? edgeAt(px, py) : -1;
  canvas.classList.toggle("over", local >= 0 || edge >= 0);
  if (local < 0 && edge < 0) { hideTip(); return; }
  if (local >= 0) {
    const node = nodes[scene.ids[local]];
    tip.textContent = node.file ? `${node.ref}\n${place(node)}` : node.ref;
  } else {
    const list = scene.members[edge];
    const more = list.length > 1 ? `\nand ${list.length - 1} more` : "";
    tip.textContent = `${sentence(list[0])}\n${place(list[0])}${more}`.trim();
  }
  tip.hidden = false;
  tip.style.left = `${Math.max(8, Math.min(px + 14, size.width - tip.offsetWidth - 8))}px`;
  tip.style.top = `${Math.max(8, py + 18 + tip.offsetHeight > size.height ? py - tip.offsetHeight - 10 : py + 18)}px`;
}

function hideTip() { tip.hidden = true; }

function searchFor(text) {
  input.value = text;
  input.focus();
  showHits();
}

// `#ref=File[/etc/motd]` and `#cycle=1` are links into the page.
function writeHash() {
  let hash = "";
  if (selection && selection.node !== undefined) hash = `#ref=${encodeURIComponent(nodes[selection.node].ref)}`;
  else if (selection && selection.cycle !== undefined) hash = `#cycle=${selection.cycle + 1}`;
  status.selected = selection && selection.node !== undefined ? nodes[selection.node].ref : "";
  if (hash === location.hash) return;
  try { history.replaceState(null, "", hash || location.pathname + location.search); } catch { /* file: */ }
}

function readHash() {
  const [, key, value] = /^#(ref|cycle)=(.*)$/.exec(location.hash) || [];
  if (!key) return false;
  let text = value;
  try { text = decodeURIComponent(value); } catch { /* as it stands */ }
  if (key === "cycle" && data.cycles[Number(text) - 1]) goTo({ cycle: Number(text) - 1 });
  else if (key === "ref" && byRef.has(text)) goTo({ node: byRef.get(text).id });
  else return false;
  return true;
}

function report(milliseconds) {
  status.nodes = String(scene.ids.length);
  status.edges = String(scene.source.length);
  status.frame = milliseconds.toFixed(1);
  status.state = "drawn";
}

function showLegend() {
  const list = document.getElementById("kinds");
  const has = {
    before: (e) => e.kind === 0 && !(e.bits & AUTO), notify: (e) => e.kind === 1, auto: (e) => e.bits & AUTO,
    implied: (e) => e.bits & IMPLIED, contains: () => data.view !== "expanded",
    cycle: (e) => e.bits & IN_CYCLE,
  };
  list.replaceChildren();
  for (const [name, look] of Object.entries(LOOKS)) {
    if (!edges.some(has[name])) continue;
    const box = element("input", { type: "checkbox" });
    box.checked = name === "contains" ? containmentShown() : look.on;
    box.disabled = Boolean(look.fixed);
    box.addEventListener("change", () => { look.on = box.checked; requestDraw(); });
    list.append(element("li", {}, element("label", {}, box, sample(look), look.text)));
  }
}

function sample(look) {
  const made = element("canvas", { width: 68, height: 24, "aria-hidden": "true" });
  const brush = made.getContext("2d");
  brush.scale(2, 2);
  brush.strokeStyle = brush.fillStyle = palette[look.color];
  brush.globalAlpha = look.faint ? 0.45 : 1;
  brush.lineWidth = look.color === "edge" || look.color === "faint" ? 1.4 : 2;
  brush.setLineDash(look.dash);
  brush.beginPath(); brush.moveTo(1, 6); brush.lineTo(28, 6); brush.stroke();
  for (let h = 0; h < look.heads; h++) {
    brush.beginPath();
    brush.moveTo(33 - h * 6, 6); brush.lineTo(26 - h * 6, 3); brush.lineTo(26 - h * 6, 9); brush.fill();
  }
  return made;
}

function start() {
  readPalette();
  document.getElementById("name").textContent = data.name;
  const search = document.getElementById("search");
  search.placeholder = data.words.search;
  search.setAttribute("aria-label", `Search ${data.words.many}`);
  const facts = document.getElementById("facts");
  facts.textContent = plural(nodes.length, "node");
  if (data.view !== "containment") {
    facts.append(" \u00b7 ", data.cycles.length
      ? element("span", { class: "alarm" }, plural(data.cycles.length, "dependency cycle"))
      : data.words.verdict);
    if (data.cycles.length && data.incomplete.length) {
      facts.append(" \u00b7 ", element("span", { class: "alarm" }, "incomplete"));
    }
  }
  resize();
  const first = data.small || !sceneOf.classes ? sceneOf.all : sceneOf.classes;
  setScene(first);
  if (!readHash()) {
    if (data.cycles.length && !data.small) goTo({ cycle: 0 });
    else select(null);
  }
  draw();
}

addEventListener("hashchange", readHash);
addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== input) { event.preventDefault(); input.focus(); }
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  readPalette();
  showLegend();
  requestDraw();
});
start();
