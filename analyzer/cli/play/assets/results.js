// The answers beside the program: findings with their places, the graph, and what a command prints.

const VIEWS = {
  graph: "Graph", cycles: "Cycles", order: "Order", why: "Why", worlds: "Worlds",
  message: "Puppet's message", impact: "Impact", catalog: "Catalog",
};
const OF_WORDS = { why: "why", impact: "impact" };
const PLACE = /([\w][\w./-]*\.(?:pp|epp|ya?ml|toml|json)):(\d+)(?::(\d+))?/g;
const FEW = 60;
const FEW_GAPS = 12;
let view = "graph";
let shownGraph = "";

// Text in which each place of a file of the program leads there.
function withPlaces(text) {
  const content = document.createDocumentFragment();
  let at = 0;
  for (const match of text.matchAll(PLACE)) {
    if (!(match[1] in program.files)) continue;
    content.append(text.slice(at, match.index), placeButton(match[0], match[1], match[2], match[3]));
    at = match.index + match[0].length;
  }
  content.append(text.slice(at));
  return content;
}

function placeButton(text, file, line, column) {
  const button = make("button", { type: "button", class: "place" }, text);
  button.addEventListener("click", () => openFile(file, Number(line), Number(column || 1)));
  return button;
}

function showFindings(answer) {
  const box = document.getElementById("findings");
  const report = readJson(answer.out);
  if (!report) {
    setMarks(marksOfErrors(answer.errors));
    box.replaceChildren(make("pre", { class: "finding error" }, withPlaces(answer.errors || answer.out)));
    return { cycle: false, errors: true, findings: 1 };
  }
  const list = report.findings;
  setMarks(list.flatMap(marksOf));
  const items = list.slice(0, FEW).map(findingBox);
  if (list.length > FEW) items.push(make("p", { class: "muted" }, `${list.length - FEW} more findings`));
  if (!list.length) items.push(make("p", { class: "clean" }, "Nothing to report."));
  const notes = [...report.unreadable, ...report.incomplete].slice(0, FEW_GAPS).map((one) =>
    make("p", { class: "muted" }, withPlaces(gapText(one))));
  const summary = make("p", { class: "muted lines" }, withPlaces(report.summary));
  box.replaceChildren(...items, ...notes, summary);
  return { cycle: list.some((one) => one.code === "CG301"), errors: list.some((one) => one.severity === "error"),
    findings: list.length, unknown: notes.length };
}

// What is unknown, as the command tells it.
function gapText(gap) {
  if (typeof gap === "string") return gap;
  const place = gap.file && gap.line ? `${gap.file}:${gap.line}:${gap.column}: ` : "";
  return `${place}unknown: ${gap.message || `${gap.name}: ${gap.reason}`}`;
}

function readJson(text) {
  try { return JSON.parse(text); } catch { return null; }
}

// A finding is marked at its place; a cycle at each of its steps.
function marksOf(finding) {
  const first = { ...finding, short: shortened(finding.message) };
  const steps = (finding.steps || []).filter((one) => one.line && one.line !== finding.line)
    .map((one) => ({ file: one.file, line: one.line, column: one.column, severity: finding.severity,
      message: one.text, short: shortened(one.text) }));
  return finding.line ? [first, ...steps] : steps;
}

function marksOfErrors(text) {
  return [...text.matchAll(/^(\S+?):(\d+):(\d+): (error|warning): (.*)$/gm)].map((match) => ({
    file: match[1], line: Number(match[2]), column: Number(match[3]), severity: match[4],
    message: match[5], short: shortened(match[5]),
  }));
}

function shortened(text) {
  return text.length > 90 ? `${text.slice(0, 88)}\u2026` : text;
}

function findingBox(finding) {
  const box = make("div", { class: `finding ${finding.severity}` });
  const place = finding.file && finding.line
    ? placeButton(`${finding.file}:${finding.line}`, finding.file, finding.line, finding.column) : null;
  box.append(make("p", {}, make("span", { class: "code" }, finding.code), finding.message, " ", place));
  if (finding.steps && finding.steps.length) {
    box.append(make("ol", {}, ...finding.steps.map((step) => make("li", {}, step.text, " ",
      step.file ? placeButton(`${step.file}:${step.line}`, step.file, step.line, step.column) : null))));
  }
  for (const note of finding.notes || []) {
    box.append(make("p", { class: note.startsWith("to break") ? "cut" : "muted" }, withPlaces(note)));
  }
  for (const fix of finding.fixes || []) {
    const button = make("button", { type: "button", class: "fix" }, `Fix: ${fix.what}`);
    if (fix.unsafe) button.title = "This changes what Puppet does.";
    button.addEventListener("click", () => applyFix(fix));
    box.append(button);
  }
  return box;
}

function applyFix(fix) {
  const edits = [...fix.edits].sort((a, b) => b.start - a.start);
  for (const edit of edits) {
    // Places count characters; a text of JavaScript counts some of them twice.
    const letters = [...program.files[edit.file]];
    letters.splice(edit.start, edit.end - edit.start, edit.text);
    program.files[edit.file] = letters.join("");
  }
  if (edits.length) showFile(edits[0].file);
  edited();
}

function showAnswer(answer) {
  const graph = document.getElementById("graph"), text = document.getElementById("answer");
  const drawn = view === "graph";
  graph.hidden = !drawn;
  text.hidden = drawn;
  document.getElementById("asked").hidden = !(view in OF_WORDS);
  if (!answer) {
    text.textContent = view in OF_WORDS ? "Name a resource, such as Service[nginx]." : "";
    document.getElementById("command").textContent = "";
    return;
  }
  document.getElementById("command").textContent =
    `$ ${answer.command.map(quotedWord).join(" ")}    # exit code ${answer.code}`;
  if (drawn) {
    showGraph(graph, answer);
    return;
  }
  const errors = make("span", { class: "errors" }, withPlaces(answer.errors));
  text.replaceChildren(withPlaces(answer.out), errors);
}

function quotedWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

// The page of `catgraph graph`, in a frame that may run nothing but its own script.
function showGraph(box, answer) {
  const key = answer.out || answer.errors;
  if (key === shownGraph) return;
  shownGraph = key;
  if (!answer.out) {
    box.replaceChildren(make("p", {}, withPlaces(answer.errors)));
    return;
  }
  const frame = make("iframe", { sandbox: "allow-scripts", title: "The graph" });
  frame.srcdoc = answer.out;
  const reveal = () => {
    frame.classList.add("shown");
    for (const other of [...box.children]) if (other !== frame) other.remove();
  };
  frame.addEventListener("load", () => setTimeout(reveal, 60));
  box.append(frame);
}
