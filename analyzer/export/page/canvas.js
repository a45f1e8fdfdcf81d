// The camera and the hands on it: drag, wheel, pinch, keyboard; what is under the pointer.

const canvas = document.getElementById("canvas");
const camera = { x: 0, y: 0, k: 1 };
const SMALLEST = 0.004, LARGEST = 4, READABLE = 0.64;
const still = matchMedia("(prefers-reduced-motion: reduce)");
let size = { width: 1, height: 1, ratio: 1 };
let scene = null;
let requested = false;
let flight = 0;
// What chose the part of the scene that is in view, until somebody moves it.
let framing = null;

function requestDraw() {
  if (requested) return;
  requested = true;
  requestAnimationFrame(() => { requested = false; draw(); });
}

// A new size empties the canvas, so that it is painted again in the same frame.
function resize() {
  const box = canvas.getBoundingClientRect();
  const width = Math.max(1, box.width), height = Math.max(1, box.height);
  const ratio = devicePixelRatio || 1;
  if (width === size.width && height === size.height && ratio === size.ratio) return;
  size = { width, height, ratio };
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  if (framing) framing();
  draw();
}

function toWorld(px, py) {
  return [(px - size.width / 2) / camera.k + camera.x, (py - size.height / 2) / camera.k + camera.y];
}

function zoomAt(px, py, factor) {
  stopFlight();
  const [wx, wy] = toWorld(px, py);
  camera.k = Math.min(LARGEST, Math.max(SMALLEST, camera.k * factor));
  camera.x = wx - (px - size.width / 2) / camera.k;
  camera.y = wy - (py - size.height / 2) / camera.k;
  requestDraw();
}

function pan(dx, dy) {
  stopFlight();
  camera.x -= dx / camera.k;
  camera.y -= dy / camera.k;
  requestDraw();
}

function stopFlight() { flight++; framing = null; }

function flyTo(x, y, k, animated = true) {
  stopFlight();
  const id = flight;
  const from = { ...camera };
  const start = performance.now();
  if (!animated || still.matches) { Object.assign(camera, { x, y, k }); requestDraw(); return; }
  const step = (now) => {
    if (id !== flight) return;
    const t = Math.min(1, (now - start) / 220), s = 1 - (1 - t) ** 3;
    camera.x = from.x + (x - from.x) * s;
    camera.y = from.y + (y - from.y) * s;
    camera.k = from.k * (k / from.k) ** s;
    requestDraw();
    if (t < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

// `inset` is kept free on the left.
function fitBox(left, top, right, bottom, animated, largest = 1.15, inset = 0) {
  const margin = 40;
  const k = Math.max(SMALLEST, Math.min(largest,
    (size.width - inset - 2 * margin) / Math.max(1, right - left),
    (size.height - 2 * margin) / Math.max(1, bottom - top)));
  flyTo((left + right) / 2 - inset / 2 / k, (top + bottom) / 2, k, animated);
  return k;
}

function fit(animated = true) {
  const { left, top, right, bottom } = scene;
  const k = fitBox(left, top, right, bottom, animated);
  const legend = document.getElementById("legend");
  const inset = legend.offsetWidth + 14, high = legend.offsetHeight + 14;
  const covers = scene.ids.some((_, i) =>
    (scene.x[i] - scene.half[i] - (left + right) / 2) * k + size.width / 2 < inset &&
    (scene.y[i] + NODE_HEIGHT / 2 - (top + bottom) / 2) * k + size.height / 2 > size.height - high);
  if (covers && size.width > 3 * inset) fitBox(left, top, right, bottom, animated, 1.15, inset);
  framing = () => fit(false);
}

// The first look at a picture: all of it if that can be read, else its upper part.
function open() {
  fit(false);
  framing = open;
  if (camera.k >= READABLE) return;
  const wide = (size.width - 60) / (scene.right - scene.left);
  camera.k = Math.min(1, Math.max(READABLE, wide));
  const high = size.height / camera.k, roomy = size.width / camera.k;
  camera.y = scene.top - 30 / camera.k + high / 2;
  if (roomy >= scene.right - scene.left) return;
  const upper = Array.from(scene.ids.keys()).filter((i) => scene.y[i] < high * 0.7);
  camera.x = upper.reduce((sum, i) => sum + scene.x[i], 0) / (upper.length || 1);
}

// Shows some local nodes; those of a wide spread as large as they fit, one alone at reading size.
function show(locals, animated = true) {
  if (!locals.length) return;
  let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
  for (const i of locals) {
    x0 = Math.min(x0, scene.x[i] - scene.half[i]); x1 = Math.max(x1, scene.x[i] + scene.half[i]);
    y0 = Math.min(y0, scene.y[i] - NODE_HEIGHT); y1 = Math.max(y1, scene.y[i] + NODE_HEIGHT);
  }
  fitBox(x0, y0, x1, y1, animated, 1);
}

function centre(local, animated = true) {
  flyTo(scene.x[local], scene.y[local], Math.max(camera.k, 0.8), animated);
}

// Centres a node of a picture that has just been opened, unless all of that can be seen.
function reveal(local) {
  const { left, top, right, bottom } = scene;
  const seen = (right - left) * camera.k <= size.width && (bottom - top) * camera.k <= size.height;
  if (local >= 0 && !seen) centre(local, false);
}

function nodeAt(px, py) {
  const [wx, wy] = toWorld(px, py);
  const reach = Math.max(NODE_HEIGHT / 2, 3 / camera.k);
  for (let i = scene.ids.length - 1; i >= 0; i--) {
    if (Math.abs(scene.y[i] - wy) <= reach && Math.abs(scene.x[i] - wx) <= scene.half[i]) return i;
  }
  return -1;
}

// The drawn edge nearest to a point within a few pixels, or -1.
function edgeAt(px, py) {
  const [wx, wy] = toWorld(px, py);
  const near = 6 / camera.k;
  let best = near * near, found = -1;
  for (let e = 0; e < scene.source.length; e++) {
    const b = e * 4, box = scene.box;
    if (wx < box[b] - near || wx > box[b + 2] + near || wy < box[b + 1] - near ||
        wy > box[b + 3] + near || !isDrawn(e)) continue;
    for (let p = scene.first[e]; p + 7 < scene.first[e + 1]; p += 6) {
      const distance = distanceToCurve(wx, wy, p);
      if (distance < best) { best = distance; found = e; }
    }
  }
  return found;
}

// Squared distance to one piece of an edge.
function distanceToCurve(wx, wy, p) {
  const c = scene.curve;
  let best = Infinity, ax = c[p], ay = c[p + 1];
  for (let step = 1; step <= 12; step++) {
    const t = step / 12, u = 1 - t;
    const f0 = u * u * u, f1 = 3 * u * u * t, f2 = 3 * u * t * t, f3 = t * t * t;
    const bx = f0 * c[p] + f1 * c[p + 2] + f2 * c[p + 4] + f3 * c[p + 6];
    const by = f0 * c[p + 1] + f1 * c[p + 3] + f2 * c[p + 5] + f3 * c[p + 7];
    const dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy || 1;
    const along = Math.max(0, Math.min(1, ((wx - ax) * dx + (wy - ay) * dy) / length));
    const ox = wx - ax - along * dx, oy = wy - ay - along * dy;
    best = Math.min(best, ox * ox + oy * oy);
    ax = bx; ay = by;
  }
  return best;
}

const pointers = new Map();
let moved = 0;
let pinch = 0;

canvas.addEventListener("pointerdown", (event) => {
  const target = fromMap(event.offsetX, event.offsetY);
  if (target) { flyTo(target[0], target[1], camera.k); return; }
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
  moved = pointers.size > 1 ? 99 : 0;
  pinch = spread();
});

canvas.addEventListener("pointermove", (event) => {
  const last = pointers.get(event.pointerId);
  if (!last) { hover(event.offsetX, event.offsetY); return; }
  const dx = event.offsetX - last[0], dy = event.offsetY - last[1];
  last[0] = event.offsetX; last[1] = event.offsetY;
  moved += Math.abs(dx) + Math.abs(dy);
  if (moved < 4) return;
  canvas.classList.add("dragging");
  hideTip();
  pan(dx / pointers.size, dy / pointers.size);
  if (pointers.size === 2) {
    const now = spread(), [a, b] = [...pointers.values()];
    if (pinch) zoomAt((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, now / pinch);
    pinch = now;
  }
});

function release(event) {
  if (!pointers.delete(event.pointerId)) return;
  canvas.classList.remove("dragging");
  if (moved < 4 && event.type === "pointerup") clickAt(event.offsetX, event.offsetY);
}
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("pointerleave", () => { if (!pointers.size) hideTip(); });
canvas.addEventListener("dblclick", (event) => {
  if (!fromMap(event.offsetX, event.offsetY)) openAt(event.offsetX, event.offsetY);
});

function spread() {
  const [a, b] = [...pointers.values()];
  return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
}

canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 300 : 1;
  if (event.shiftKey) { pan(-(event.deltaX || event.deltaY) * unit, 0); return; }
  const speed = event.ctrlKey ? 0.01 : 0.0016;
  zoomAt(event.offsetX, event.offsetY, Math.exp(-Math.max(-240, Math.min(240, event.deltaY * unit)) * speed));
}, { passive: false });

const KEYS = {
  ArrowLeft: () => pan(80, 0), ArrowRight: () => pan(-80, 0),
  ArrowUp: () => pan(0, 80), ArrowDown: () => pan(0, -80),
  "+": () => zoomMiddle(1.3), "=": () => zoomMiddle(1.3), "-": () => zoomMiddle(1 / 1.3),
  0: () => fit(), Escape: () => select(null), Enter: () => document.getElementById("panel").focus(),
};

canvas.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

function zoomMiddle(factor) { zoomAt(size.width / 2, size.height / 2, factor); }

document.getElementById("zoom-in").addEventListener("click", () => zoomMiddle(1.4));
document.getElementById("zoom-out").addEventListener("click", () => zoomMiddle(1 / 1.4));
document.getElementById("fit").addEventListener("click", () => fit());
new ResizeObserver(() => requestAnimationFrame(resize)).observe(canvas);
