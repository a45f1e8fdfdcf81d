// Wires the page: what is changed, what is asked, and what is shown.

const PAUSE = 250;
const field = (id) => document.getElementById(id);
const state = document.body.dataset;
let typed = 0;
let again = false;
let busy = false;
let ready = false;
// The node that somebody chose: the code may not name it for a while.
let wantedNode = "";

addEventListener("error", () => { state.errors = Number(state.errors) + 1; });
addEventListener("unhandledrejection", () => { state.errors = Number(state.errors) + 1; });

function say(name, text) {
  state.state = name;
  field("said").textContent = text;
}

function request() {
  const questions = ["check"];
  const [ref, other] = [field("ref").value.trim(), field("other").value.trim()];
  if (!(view in OF_WORDS) || ref) questions.push(view);
  if (view in OF_WORDS) questions.push("catalog");
  return { ...program, ref, other: view === "why" ? other : "", questions };
}

// Asks again as soon as the answer is here: typing never waits.
async function refresh() {
  if (!ready) return;
  if (busy) { again = true; return; }
  busy = true;
  const late = setTimeout(() => { say("working", "Computing"); field("stop").hidden = false; }, 400);
  const start = performance.now();
  const asked = request(), of = view;
  try {
    const { nodes, answers } = await ask(asked);
    showNodes(nodes);
    const found = showFindings(answers.check);
    markFiles();
    if (of === view) showAnswer(answers[view]);
    if (answers.catalog && view in OF_WORDS) offerRefs(answers.catalog);
    const time = `${Math.round(performance.now() - start)} ms`;
    const name = found.cycle ? "cycle" : found.errors ? "failed" : found.findings ? "findings" : "ready";
    const count = `${found.findings} finding${found.findings === 1 ? "" : "s"}`;
    say(name, `${found.cycle ? "Cycle" : found.findings ? count : found.unknown ? "Partly known" : "Clean"} \u00b7 ${time}`);
  } catch (error) {
    say("failed", "Stopped");
    field("findings").replaceChildren(make("div", { class: "finding error" }, error.message));
  } finally {
    clearTimeout(late);
    field("stop").hidden = true;
    busy = false;
    state.answers = Number(state.answers || 0) + 1;
  }
  if (again) { again = false; refresh(); }
}

edited = () => {
  clearTimeout(typed);
  typed = setTimeout(refresh, PAUSE);
};

function showNodes(nodes) {
  const select = field("node");
  field("node-label").hidden = nodes.length < 2;
  program.node = nodes.includes(wantedNode) ? wantedNode : nodes.length > 1 ? nodes[0] : "";
  fill(select, nodes.map((one) => [one, one]), program.node);
}

// Files with findings say so.
function markFiles() {
  for (const tab of field("files").children) {
    const of = marks.filter((one) => one.file === tab.dataset.name);
    tab.classList.toggle("marked", of.some((one) => one.severity === "error"));
    tab.classList.toggle("warned", of.length > 0 && of.every((one) => one.severity !== "error"));
  }
}

function offerRefs(answer) {
  const catalog = readJson(answer.out);
  const refs = ((catalog && catalog.resources) || []).map((one) => `${one.type}[${one.title}]`);
  field("refs").replaceChildren(...refs.map((one) => make("option", { value: one })));
}

function fill(select, rows, value) {
  select.replaceChildren(...rows.map(([name, text]) => make("option", { value: name }, text)));
  select.value = value;
}

// A path without the folders that Puppet expects there.
function shortName(name) {
  const short = name.replace(/^(?:modules|site-modules|site)\//, "").replace(/(^|\/)manifests\//, "$1");
  return Object.keys(program.files).some((one) => one !== name && one === short) ? name : short;
}

function showFiles() {
  const tabs = fileNames().map((name) => {
    const tab = make("button", { type: "button", role: "tab", "aria-selected": String(name === open) }, shortName(name));
    tab.dataset.name = name;
    tab.addEventListener("click", () => openFile(name));
    tab.addEventListener("dblclick", () => renameFile(name));
    tab.title = `${name}: double-click to rename or delete`;
    return tab;
  });
  const add = make("button", { type: "button", title: "New file" }, "+");
  add.addEventListener("click", addFile);
  field("files").replaceChildren(...tabs, add);
  markFiles();
}

function openFile(name, line, column) {
  if (!(name in program.files)) return;
  showFile(name, line, column);
  showFiles();
}

function addFile() {
  const name = prompt("Path of the new file, such as modules/web/manifests/init.pp or data/common.yaml");
  if (!name || name in program.files) return;
  program.files[name.trim()] = "";
  openFile(name.trim());
  edited();
}

function renameFile(name) {
  const next = prompt("New path; leave it empty to delete the file", name);
  if (next === null || next === name || next in program.files) return;
  const text = program.files[name];
  delete program.files[name];
  if (next.trim()) program.files[next.trim()] = text;
  openProgram({ ...program, open: next.trim() });
}

function openProgram(one) {
  program = { files: one.files, system: one.system || "", version: one.version || "", node: one.node || "" };
  wantedNode = program.node;
  const systems = settings.systems.map((name) => [name, name]);
  const none = "facts.json" in program.files ? "facts.json" : "not known";
  fill(field("system"), [["", none], ...systems], program.system);
  field("version").value = program.version;
  showFile(one.open in program.files ? one.open : mainFile(program.files));
  showFiles();
  refresh();
}

function openSample(name) {
  const sample = settings.samples.find((one) => one.name === name);
  if (!sample) return;
  field("ref").value = field("other").value = "";
  openProgram({ files: { ...sample.files }, system: sample.system });
}

function showView(name) {
  view = name;
  for (const tab of field("views").children) tab.setAttribute("aria-selected", String(tab.dataset.name === name));
  field("other").hidden = field("before-word").hidden = name !== "why";
  field("answer").textContent = "";
  if (name !== "graph") shownGraph = "";
  showAnswer(null);
  refresh();
}

async function linkOf() {
  return location.href.replace(/#.*$/, "") + await programToHash(program);
}

function showText(title, hint, text) {
  field("dialog-title").textContent = title;
  field("dialog-hint").textContent = hint;
  field("dialog-text").value = text;
  field("copy").textContent = "Copy";
  field("dialog").showModal();
  field("dialog-text").select();
  field("dialog-text").scrollTop = 0;
}

function setUp() {
  fill(field("example"), [["", settings.title || "Choose\u2026"], ...settings.samples.map((one) => [one.name, one.title])], "");
  fill(field("version"), settings.versions, "");
  field("title").textContent = settings.server ? `play ${settings.title}` : "playground";
  field("example").addEventListener("change", (event) => {
    if (event.target.value) openSample(event.target.value);
    else if (settings.program) openProgram({ files: { ...settings.program } });
  });
  for (const name of ["system", "version", "node"]) {
    field(name).addEventListener("change", (event) => {
      program[name] = event.target.value;
      wantedNode = program.node;
      refresh();
    });
  }
  field("views").append(...Object.entries(VIEWS).map(([name, text]) => {
    const tab = make("button", { type: "button", role: "tab", "aria-selected": "false" }, text);
    tab.dataset.name = name;
    tab.addEventListener("click", () => showView(name));
    return tab;
  }));
  field("asked").addEventListener("submit", (event) => { event.preventDefault(); refresh(); });
  field("stop").addEventListener("click", () => stop("you pressed Stop"));
  field("link").addEventListener("click", async () => {
    const link = await linkOf();
    state.link = link;
    showText("A link to this program", "The program is in the link itself: nothing was sent anywhere.", link);
  });
  field("report").addEventListener("click", async () => {
    if (busy) return;
    const { answers } = await ask({ ...program, questions: ["report", "cycles"] });
    const link = settings.server ? "(from `catgraph play`)" : await linkOf();
    showText("Bug report", "Say what you expected, and paste it into an issue. Remove what is private first.",
      bugReport(Object.values(answers), link));
  });
  field("copy").addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(field("dialog-text").value); } catch {
      field("dialog-text").select();
      document.execCommand("copy");
    }
    field("copy").textContent = "Copied";
  });
  addEventListener("hashchange", readLink);
  divide();
}

// The divider between program and answers follows the pointer and the arrow keys.
function divide() {
  const divider = field("divider"), left = field("left");
  const set = (width) => { left.style.width = `${Math.max(18, Math.min(80, width))}%`; };
  divider.addEventListener("pointerdown", (event) => {
    divider.setPointerCapture(event.pointerId);
    field("graph").inert = true;
    const move = (one) => set(100 * one.clientX / innerWidth);
    divider.addEventListener("pointermove", move);
    divider.addEventListener("pointerup", () => {
      divider.removeEventListener("pointermove", move);
      field("graph").inert = false;
    }, { once: true });
  });
  divider.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -3, ArrowRight: 3 }[event.key];
    if (by) set(100 * left.offsetWidth / innerWidth + by);
  });
}

async function readLink() {
  const one = await programFromHash(location.hash);
  if (one) openProgram(one);
  return one !== null;
}

async function start() {
  setUp();
  const linked = await readLink();
  if (!linked && settings.program) openProgram({ files: { ...settings.program } });
  else if (!linked) { openSample(settings.samples[0].name); field("example").value = settings.samples[0].name; }
  showView("graph");
  try {
    await engine.start((done, text) => {
      field("progress").value = done;
      if (text) field("said").textContent = text;
    });
  } catch (error) {
    say("failed", `It cannot start: ${error.message}`);
    return;
  }
  field("progress").hidden = true;
  ready = true;
  refresh();
}

start();
