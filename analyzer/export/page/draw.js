// Painting: edges in one path per style, nodes in one per colour, labels where there is room.

const context = canvas.getContext("2d");
const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';

// What the legend switches, and how edges look: [text, colour, dash, heads, shown].
const LOOKS = {
  before: { text: "applied before", color: "edge", dash: [], heads: 1, on: true },
  notify: { text: "notifies (refresh)", color: "amber", dash: [], heads: 2, on: true },
  auto: { text: "automatic", color: "edge", dash: [6, 4], heads: 1, on: true },
  implied: { text: "implied by other edges", color: "edge", dash: [], heads: 1, on: false, faint: true },
  contains: { text: "contains", color: "faint", dash: [2, 4], heads: 0, on: null },
  cycle: { text: "in a cycle", color: "red", dash: [], heads: 1, on: true, fixed: true },
};

// Hues of types; others get one by their name, from the same circle.
const HUES = {
  File: 212, Package: 268, Service: 150, Exec: 24, User: 330, Group: 350, Cron: 46,
  Mount: 186, Notify: 60, Augeas: 96, Concat: 196, Yumrepo: 286, Host: 118,
};
const HOLDERS = ["Class", "Stage", "Node"];
const palette = {};
const typeColors = new Map();

function readPalette() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ground", "surface", "ink", "muted", "faint", "line", "accent", "accent-soft",
    "red", "red-soft", "amber", "edge", "node", "container"]) {
    palette[name] = style.getPropertyValue(`--${name}`).trim();
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  for (const type of data.types) {
    let hue = HUES[type];
    if (hue === undefined) {
      hue = 7;
      for (const letter of type) hue = (hue * 31 + letter.codePointAt(0)) % 360;
    }
    const strength = HOLDERS.includes(type) ? "10%" : dark ? "52%" : "56%";
    typeColors.set(type, `hsl(${hue} ${strength} ${dark ? "64%" : "46%"})`);
  }
}

// Containment is drawn in small pictures, unless the legend says.
function containmentShown() {
  return LOOKS.contains.on ?? (data.view === "containment" || scene.ids.length <= 150);
}

// Whether an edge of the picture is switched on in the legend.
function isDrawn(e) {
  const style = scene.style[e];
  if (scene.hidden[e] && !LOOKS.implied.on) return false;
  if (style & 8) return true;
  if ((style & 3) === 2) return data.view === "expanded" || containmentShown();
  if (style & 4) return LOOKS.auto.on;
  return (style & 3) === 1 ? LOOKS.notify.on : LOOKS.before.on;
}

let marks = new Uint8Array(0);
let anyMark = false;
let markedEdges = [];
const view = { left: 0, top: 0, right: 0, bottom: 0 };

// Groups the picture once: edges by style, nodes by the colour of their type.
function groups() {
  if (scene.groups) return scene.groups;
  const byStyle = Array.from({ length: 16 }, () => []);
  for (let e = 0; e < scene.style.length; e++) byStyle[scene.style[e]].push(e);
  const byColor = new Map();
  scene.ids.forEach((id, i) => {
    const list = byColor.get(nodes[id].type);
    if (list) list.push(i); else byColor.set(nodes[id].type, [i]);
  });
  const ties = [];
  if (data.view === "relationships" && scene.kind !== "cycle") {
    scene.ids.forEach((id, i) => {
      const holder = scene.local.get(nodes[id].container);
      if (holder !== undefined) ties.push(holder, i);
    });
  }
  scene.groups = { byStyle, byColor, ties };
  return scene.groups;
}

function draw() {
  if (!scene) return;
  const began = performance.now();
  const k = camera.k, ratio = size.ratio;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = palette.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(k * ratio, 0, 0, k * ratio,
    (size.width / 2 - camera.x * k) * ratio, (size.height / 2 - camera.y * k) * ratio);
  view.left = camera.x - size.width / 2 / k; view.right = camera.x + size.width / 2 / k;
  view.top = camera.y - size.height / 2 / k; view.bottom = camera.y + size.height / 2 / k;
  const grouped = groups();
  if (containmentShown()) drawTies(grouped.ties);
  for (let style = 0; style < 16; style++) drawEdges(grouped.byStyle[style], style, false);
  drawMarked();
  drawNodes(grouped.byColor);
  drawLabels();
  drawMap();
  report(performance.now() - began);
}

function drawTies(ties) {
  const k = camera.k;
  context.globalAlpha = anyMark ? 0.25 : 0.8;
  context.strokeStyle = palette.line;
  context.lineWidth = Math.max(1, 0.7 / k);
  context.setLineDash(k > 0.3 ? LOOKS.contains.dash : []);
  context.beginPath();
  for (let p = 0; p < ties.length; p += 2) {
    const s = ties[p], t = ties[p + 1];
    const x0 = scene.x[s], y0 = scene.y[s], x1 = scene.x[t], y1 = scene.y[t];
    if (Math.max(y0, y1) < view.top || Math.min(y0, y1) > view.bottom ||
        Math.max(x0, x1) < view.left || Math.min(x0, x1) > view.right) continue;
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
  }
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function setEdgeStyle(style, bold) {
  const k = camera.k;
  const cycle = style & 8, kind = style & 3;
  const color = cycle ? "red" : kind === 1 ? "amber" : kind === 2 ? "faint" : "edge";
  const dash = style & 4 ? LOOKS.auto.dash : kind === 2 ? LOOKS.contains.dash : [];
  const width = (cycle ? 2.2 : kind === 1 ? 1.6 : 1.2) * (bold ? 1.6 : 1);
  context.strokeStyle = context.fillStyle = palette[color];
  context.lineWidth = Math.max(width, (cycle || bold ? 1.3 : 0.55) / k);
  context.setLineDash(k > 0.35 ? dash : []);
}

function drawEdges(list, style, marked) {
  if (!list.length) return;
  const k = camera.k, box = scene.box;
  setEdgeStyle(style, marked);
  const crowd = scene.style.length > 1500 && k < 0.35 ? 0.5 : 0.9;
  context.globalAlpha = marked || style & 8 && !anyMark ? 1 : anyMark ? 0.14 : crowd;
  const coarse = k < 0.18;
  context.beginPath();
  for (let n = 0; n < list.length; n++) {
    const e = list[n], b = e * 4;
    if (box[b] > view.right || box[b + 2] < view.left || box[b + 1] > view.bottom ||
        box[b + 3] < view.top || !(marked || isDrawn(e))) continue;
    traceEdge(e, coarse);
  }
  context.stroke();
  context.setLineDash([]);
  if (k > 0.28) drawHeads(list, style, marked);
  context.globalAlpha = 1;
}

function traceEdge(e, coarse) {
  const c = scene.curve, last = scene.first[e + 1];
  let p = scene.first[e];
  context.moveTo(c[p], c[p + 1]);
  if (coarse) { context.lineTo(c[last - 2], c[last - 1]); return; }
  for (p += 2; p < last; p += 6) {
    context.bezierCurveTo(c[p], c[p + 1], c[p + 2], c[p + 3], c[p + 4], c[p + 5]);
  }
}

function drawHeads(list, style, marked) {
  const box = scene.box, c = scene.curve;
  const heads = (style & 3) === 1 ? 2 : 1;
  const length = marked || style & 8 ? 9 : 7, wide = length * 0.42;
  context.beginPath();
  for (let n = 0; n < list.length; n++) {
    const e = list[n], b = e * 4;
    if (box[b] > view.right || box[b + 2] < view.left || box[b + 1] > view.bottom ||
        box[b + 3] < view.top || !(marked || isDrawn(e))) continue;
    const last = scene.first[e + 1];
    const x = c[last - 2], y = c[last - 1];
    if (y < view.top - 20 || y > view.bottom + 20) continue;
    const back = y > c[last - 3] ? -length : length;
    for (let h = 0; h < heads; h++) {
      const tip = y + back * h * 0.75;
      context.moveTo(x, tip);
      context.lineTo(x - wide, tip + back);
      context.lineTo(x + wide, tip + back);
      context.closePath();
    }
  }
  context.fill();
}

function drawMarked() {
  for (const e of markedEdges) drawEdges([e], scene.style[e], true);
}

function boxes(test) {
  context.beginPath();
  const high = NODE_HEIGHT / 2, round = camera.k > 0.4;
  for (let i = 0; i < scene.ids.length; i++) {
    const x = scene.x[i], y = scene.y[i], half = scene.half[i];
    if (x + half < view.left || x - half > view.right || y + high < view.top ||
        y - high > view.bottom || !test(i)) continue;
    if (round) context.roundRect(x - half, y - high, half * 2, high * 2, 6);
    else context.rect(x - half, y - high, half * 2, high * 2);
  }
}

const NODE_LOOKS = [
  { fill: "node", stroke: "faint", test: (node) => node.role === 0 && !node.inCycle },
  { fill: "container", stroke: "faint", test: (node) => node.role > 0 && !node.inCycle },
  { fill: "red-soft", stroke: "red", test: (node) => node.inCycle },
];

function drawNodes(byColor) {
  for (const dim of anyMark ? [true, false] : [false]) {
    context.globalAlpha = 1;
    for (const look of NODE_LOOKS) {
      boxes((i) => look.test(nodes[scene.ids[i]]) && (!anyMark || !marks[i] === dim));
      context.fillStyle = palette[look.fill];
      context.fill();
      context.globalAlpha = dim ? 0.3 : 1;
      context.strokeStyle = palette[look.stroke];
      context.lineWidth = Math.max(look.stroke === "red" ? 1.6 : 1, 0.5 / camera.k);
      context.stroke();
    }
    drawStripes(byColor, dim);
  }
  context.globalAlpha = 1;
  boxes((i) => marks[i] === 2);
  context.strokeStyle = palette.accent;
  context.lineWidth = Math.max(2.5, 2 / camera.k);
  context.stroke();
}

// The left edge of a node in the colour of its type; all of it where it is too small for text.
function drawStripes(byColor, dim) {
  const high = NODE_HEIGHT / 2 - 5, whole = camera.k < 0.2;
  for (const [type, list] of byColor) {
    context.fillStyle = typeColors.get(type);
    context.beginPath();
    for (let n = 0; n < list.length; n++) {
      const i = list[n], x = scene.x[i], y = scene.y[i], half = scene.half[i];
      if (x + half < view.left || x - half > view.right || y + high < view.top ||
          y - high > view.bottom || (anyMark && !marks[i] !== dim)) continue;
      if (whole) context.rect(x - half, y - high - 5, half * 2, high * 2 + 10);
      else context.rect(x - half + 5, y - high, 3.5, high * 2);
    }
    context.fill();
  }
}

// Two lines at reading size; from further away one line as large as can still be read.
function drawLabels() {
  const k = camera.k, far = k < 0.62;
  const font = far ? Math.min(9.5 / k, 25) : 12;
  if (font * k < 6.5) return;
  const room = (half) => Math.floor((half * 2 - 20) / (font * 0.605));
  context.textBaseline = "alphabetic";
  for (let i = 0; i < scene.ids.length; i++) {
    const x = scene.x[i], y = scene.y[i], half = scene.half[i];
    if (x + half < view.left || x - half > view.right || y + 18 < view.top || y - 18 > view.bottom) {
      continue;
    }
    const letters = room(half);
    const node = nodes[scene.ids[i]];
    if (letters < 6 && letters < node.title.length) continue;
    if (scene.labelRoom[i] !== letters) {
      scene.labels[i] = shortened(node.title, letters);
      scene.labelRoom[i] = letters;
    }
    context.globalAlpha = anyMark && !marks[i] ? 0.35 : 1;
    context.fillStyle = node.inCycle ? palette.red : palette.ink;
    context.font = `${font}px ${FONT}`;
    const left = x - half + 14, wide = half * 2 - 18;
    context.fillText(scene.labels[i], left, far ? y + font * 0.35 : y + 12, wide);
    if (!far) {
      context.fillStyle = palette.muted;
      context.font = `10.5px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
      context.fillText(subtitle(node), left, y - 4, wide);
    }
  }
  context.globalAlpha = 1;
}

function subtitle(node) {
  if (node.role > 1) return `${node.type} ${ROLES[node.role].toLowerCase()}`;
  const held = scene.kind === "classes" || node.folded ? node.folded || inside(node) : 0;
  return held ? `${node.type} \u00b7 ${held}` : node.type;
}

const insideCounts = new Map();
function inside(node) {
  if (!insideCounts.size) {
    for (const one of nodes) {
      if (one.home !== one.id) insideCounts.set(one.home, (insideCounts.get(one.home) || 0) + 1);
    }
    insideCounts.set(-1, 0);
  }
  return insideCounts.get(node.id) || 0;
}

// The whole picture in a corner, while the camera shows only a part of it.
const MAP = { width: 150, height: 170, margin: 14, foot: 56 };

function mapPlace() {
  const wide = scene.right - scene.left, high = scene.bottom - scene.top;
  const scale = Math.min(MAP.width / wide, MAP.height / high);
  const width = Math.max(wide * scale, 24), height = Math.max(high * scale, 24);
  return {
    scale, width, height, left: size.width - MAP.margin - width,
    top: size.height - MAP.foot - height,
    needed: view.left > scene.left + 1 || view.right < scene.right - 1 ||
      view.top > scene.top + 1 || view.bottom < scene.bottom - 1,
  };
}

function mapImage(map) {
  const key = `${size.ratio} ${palette.ground}`;
  if (scene.map && scene.mapKey === key) return scene.map;
  const made = document.createElement("canvas");
  made.width = Math.ceil(map.width * size.ratio);
  made.height = Math.ceil(map.height * size.ratio);
  const brush = made.getContext("2d");
  brush.scale(size.ratio, size.ratio);
  for (const cyclic of [false, true]) {
    brush.fillStyle = cyclic ? palette.red : palette.muted;
    scene.ids.forEach((id, i) => {
      if (Boolean(nodes[id].inCycle) !== cyclic) return;
      const grow = cyclic ? 2 : 0.8;
      const w = Math.max(grow, scene.half[i] * 2 * map.scale), h = Math.max(grow, NODE_HEIGHT * map.scale);
      brush.fillRect(scene.x[i] * map.scale - w / 2, scene.y[i] * map.scale - h / 2, w, h);
    });
  }
  scene.map = made;
  scene.mapKey = key;
  return made;
}

function drawMap() {
  const map = mapPlace();
  if (!map.needed) return;
  const ratio = size.ratio;
  context.setTransform(ratio, 0, 0, ratio, map.left * ratio, map.top * ratio);
  context.globalAlpha = 0.92;
  context.fillStyle = palette.surface;
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(-6, -6, map.width + 12, map.height + 12, 8);
  context.fill();
  context.stroke();
  context.globalAlpha = 1;
  context.drawImage(mapImage(map), 0, 0, map.width, map.height);
  const clamp = (value, most) => Math.max(-3, Math.min(most + 3, value * map.scale));
  const x0 = clamp(view.left, map.width), x1 = clamp(view.right, map.width);
  const y0 = clamp(view.top, map.height), y1 = clamp(view.bottom, map.height);
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  context.strokeRect(x0, y0, Math.max(3, x1 - x0), Math.max(3, y1 - y0));
}

// The point of the picture under a point of the map, or null.
function fromMap(px, py) {
  const map = mapPlace();
  const x = px - map.left, y = py - map.top;
  if (!map.needed || x < -6 || y < -6 || x > map.width + 6 || y > map.height + 6) return null;
  return [x / map.scale, y / map.scale];
}
