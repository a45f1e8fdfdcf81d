// The data of the page, and the pictures made of it.

const data = JSON.parse(document.getElementById("data").textContent);
const KINDS = ["before", "notify", "contains"];
const ROLES = ["", "", "Admitted", "Completed"];
const AUTO = 1, IN_CYCLE = 2, IMPLIED = 4, REVERSED = 8, ONLY_IN_CYCLE = 16;
const NODE_HEIGHT = 36;

const nodes = data.nodes.map((row, id) => {
  const [type, title, role, file, line, container, home, inCycle, width, folded, parameters] = row;
  const plain = `${data.types[type]}[${title}]`;
  return {
    id, title, role, line, container, home, inCycle, width, folded, parameters,
    type: data.types[type],
    file: file < 0 ? null : data.files[file],
    ref: ROLES[role] ? `${ROLES[role]}[${plain}]` : plain,
    incoming: [], outgoing: [], contents: [], cycles: [],
  };
});

const edges = data.edges.map((row, id) => {
  const [source, target, kind, form, by, position, rule, file, line, bits, count, many] = row;
  return {
    id, source, target, kind, form, by, position, line, bits, count, many,
    rule: rule < 0 ? null : data.rules[rule],
    file: file < 0 ? null : data.files[file],
  };
});

for (const edge of edges) {
  if (edge.bits & ONLY_IN_CYCLE) continue;
  nodes[edge.source].outgoing.push(edge);
  nodes[edge.target].incoming.push(edge);
}
for (const node of nodes) {
  if (node.container >= 0) nodes[node.container].contents.push(node);
}
data.cycles.forEach((cycle, number) => {
  for (const id of cycle.members) nodes[id].cycles.push(number);
});

const byRef = new Map(nodes.map((node) => [node.ref, node]));

function capital(word) {
  return data.words[word][0].toUpperCase() + data.words[word].slice(1);
}

function place(thing) {
  if (!thing.file) return "";
  return thing.line ? `${thing.file}:${thing.line}` : thing.file;
}

// What made an edge, as a sentence about its two ends.
function sentence(edge) {
  const source = nodes[edge.source].ref, target = nodes[edge.target].ref;
  if (edge.bits & REVERSED) return `${target} completes after ${source}, which it contains`;
  const pattern = data.forms[edge.form] ? data.forms[edge.form][1] : "{0}, {1}";
  const text = pattern.replace(/\{([01])\}/g, (_, end) => (end === "0" ? source : target));
  if (edge.rule) return `${text} (automatic, rule ${edge.rule})`;
  if (edge.many) return `${text} (a list of ${edge.many[1]} that ${edge.many[0]} ${data.words.many} share)`;
  return text;
}

// Cuts a text in the middle, as the ends of a path tell most.
function shortened(text, length) {
  const characters = Array.from(text.replace(/\s+/g, " "));
  if (characters.length <= length) return characters.join("");
  const head = Math.ceil((length - 1) * 0.4);
  return characters.slice(0, head).join("") + "\u2026" +
    characters.slice(characters.length - (length - 1 - head)).join("");
}

// A picture, ready to draw: typed arrays over local numbers of nodes and of edges. An edge of a
// picture stands for all the edges of the page between what its ends stand for.
class Scene {
  constructor(row, number) {
    this.row = row;
    this.number = number;
    this.kind = row.kind;
    this.subject = row.subject;
    this.ids = row.kind === "all" ? Array.from({ length: row.nodes }, (_, i) => i) : row.nodes;
    this.ready = false;
  }

  get title() {
    if (this.kind === "all") return `All ${data.view === "relationships" ? data.words.many : "nodes"}`;
    if (this.kind === "classes") return capital("classes");
    if (this.kind === "class") return nodes[this.subject].ref;
    return data.cycles.length > 1 ? `Cycle ${this.subject + 1}` : "Cycle";
  }

  prepare() {
    if (this.ready) return this;
    const count = this.ids.length;
    this.local = new Map(this.ids.map((id, i) => [id, i]));
    this.x = Float32Array.from(this.row.x);
    this.y = Float32Array.from(this.row.y);
    this.half = Float32Array.from(this.ids, (id) => nodes[id].width / 2);
    this.labels = new Array(count).fill("");
    this.labelRoom = new Int16Array(count).fill(-1);
    this.left = 0; this.top = 0; this.right = 200; this.bottom = 60;
    for (let i = 0; i < count; i++) {
      this.right = Math.max(this.right, this.x[i] + this.half[i]);
      this.bottom = Math.max(this.bottom, this.y[i] + NODE_HEIGHT / 2);
    }
    this.mergeEdges();
    this.route();
    this.ready = true;
    return this;
  }

  // The local node that stands for a node of the page, or -1.
  standIn(id) {
    let found = this.local.get(id);
    if (found === undefined && this.kind !== "cycle") found = this.local.get(nodes[id].home);
    return found === undefined ? -1 : found;
  }

  mergeEdges() {
    const size = this.ids.length;
    const merged = new Map();
    const taken = this.row.edges ? this.row.edges.map((id) => edges[id]) : edges;
    for (const edge of taken) {
      const s = this.standIn(edge.source), t = this.standIn(edge.target);
      if (s < 0 || t < 0) continue;
      if (s === t && edge.source !== edge.target) continue;
      if (this.kind === "class" && !this.touches(edge)) continue;
      const list = merged.get(s * size + t);
      if (list) list.push(edge); else merged.set(s * size + t, [edge]);
    }
    this.members = Array.from(merged.values());
    this.source = Int32Array.from(merged.keys(), (key) => Math.floor(key / size));
    this.target = Int32Array.from(merged.keys(), (key) => key % size);
    this.style = new Uint8Array(this.members.length);
    this.hidden = new Uint8Array(this.members.length);
    const kept = this.row.kept && new Set();
    for (let i = 0; kept && i < this.row.kept.length; i += 2) {
      kept.add(this.local.get(this.row.kept[i]) * size + this.local.get(this.row.kept[i + 1]));
    }
    this.members.forEach((list, e) => {
      this.style[e] = styleOf(list);
      const implied = kept
        ? !kept.has(this.source[e] * size + this.target[e])
        : list.every((edge) => edge.bits & IMPLIED);
      this.hidden[e] = implied ? 1 : 0;
    });
    this.adjacent = Array.from({ length: size }, () => []);
    for (let e = 0; e < this.members.length; e++) {
      this.adjacent[this.source[e]].push(e);
      if (this.source[e] !== this.target[e]) this.adjacent[this.target[e]].push(e);
    }
  }

  touches(edge) {
    return nodes[edge.source].home === this.subject || nodes[edge.target].home === this.subject;
  }

  // Fills `curve`: of each edge, from `first[e]` on, its start and then for each piece the two
  // control points and the end of a cubic curve. `box` is around all of it.
  route() {
    const size = this.ids.length;
    const bends = new Map();
    for (const [s, t, ...points] of this.row.bends) {
      bends.set(this.local.get(s) * size + this.local.get(t), points);
    }
    const curve = [], first = [];
    for (let e = 0; e < this.source.length; e++) {
      first.push(curve.length);
      const between = bends.get(this.source[e] * size + this.target[e]) || [];
      addCurve(curve, this.ends(this.source[e], this.target[e], between));
    }
    first.push(curve.length);
    this.curve = Float32Array.from(curve);
    this.first = Int32Array.from(first);
    this.box = new Float32Array(this.source.length * 4);
    for (let e = 0; e < this.source.length; e++) {
      let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
      for (let p = first[e]; p < first[e + 1]; p += 2) {
        x0 = Math.min(x0, curve[p]); x1 = Math.max(x1, curve[p]);
        y0 = Math.min(y0, curve[p + 1]); y1 = Math.max(y1, curve[p + 1]);
      }
      this.box.set([x0 - 5, y0 - 5, x1 + 5, y1 + 5], e * 4);
    }
  }

  // The points of an edge. What leads upwards leaves and arrives off the middle, so that it does
  // not hide what leads down.
  ends(s, t, between) {
    const down = this.y[t] > this.y[s];
    const aside = down ? 0 : Math.min(this.half[s], this.half[t]) * 0.55;
    const reach = down ? NODE_HEIGHT / 2 : -NODE_HEIGHT / 2;
    if (s === t) {
      const right = this.x[s] + this.half[s] * 0.6, y = this.y[s] + NODE_HEIGHT / 2;
      return [right - 14, y, right, y + 22, right + 14, y];
    }
    return [this.x[s] + aside, this.y[s] + reach, ...between, this.x[t] + aside, this.y[t] - reach];
  }
}

// Adds a smooth curve through points: vertical at its ends, along its neighbours between.
function addCurve(curve, points) {
  const last = points.length - 2;
  curve.push(points[0], points[1]);
  for (let p = 0; p < last; p += 2) {
    const dy = points[p + 3] - points[p + 1];
    const out = p === 0 ? [0, dy * 0.45] : slope(points, p, dy);
    const into = p + 2 === last ? [0, dy * 0.45] : slope(points, p + 2, dy);
    curve.push(points[p] + out[0], points[p + 1] + out[1], points[p + 2] - into[0],
      points[p + 3] - into[1], points[p + 2], points[p + 3]);
  }
}

function slope(points, p, dy) {
  const wide = points[p + 2] - points[p - 2], high = points[p + 3] - points[p - 1] || 1;
  return [wide / high * dy * 0.36, dy * 0.36];
}

// Bits of a drawn edge: its kind, 4 automatic, 8 on a cycle.
function styleOf(list) {
  const kind = list.some((e) => e.kind === 1) ? 1 : list.some((e) => e.kind === 0) ? 0 : 2;
  const auto = list.every((e) => e.bits & AUTO) ? 4 : 0;
  return kind + auto + (list.some((e) => e.bits & IN_CYCLE) ? 8 : 0);
}

const scenes = data.scenes.map((row, number) => new Scene(row, number));
const sceneOf = {
  all: scenes.find((scene) => scene.kind === "all"),
  classes: scenes.find((scene) => scene.kind === "classes"),
  cycle: (number) => scenes.find((s) => s.kind === "cycle" && s.subject === number),
  inside: new Map(scenes.filter((s) => s.kind === "class").map((s) => [s.subject, s])),
};
