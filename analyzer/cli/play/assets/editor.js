// The editor: a text area over its coloured copy, with findings at their lines.

const area = document.getElementById("text");
const colours = document.getElementById("colours");
const gutter = document.getElementById("gutter");
const scroller = document.getElementById("editor");
const RANKS = { error: 3, warning: 2, note: 1 };
let marks = [];
let edited = () => {};

function make(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else made.setAttribute(key, value);
  }
  made.append(...content.filter((one) => one !== null && one !== undefined));
  return made;
}

function marksByLine() {
  const lines = new Map();
  for (const mark of marks.filter((one) => one.file === open)) {
    const before = lines.get(mark.line);
    if (!before || RANKS[mark.severity] > RANKS[before.severity]) lines.set(mark.line, mark);
  }
  return lines;
}

function paint() {
  const text = area.value;
  const found = marksByLine();
  const here = text.slice(0, area.selectionStart).split("\n").length;
  const focused = document.activeElement === area;
  const rows = [], numbers = [];
  colouredLines(text, open).forEach((line, i) => {
    const mark = found.get(i + 1);
    const row = make("span", { class: "line" });
    if (mark) {
      row.classList.add(mark.severity === "error" ? "hit" : "near");
      row.dataset.said = mark.short;
    } else if (focused && i + 1 === here) row.classList.add("here");
    let column = 1;
    for (const [style, part] of line) {
      const begin = column, end = column + part.length;
      column = end;
      if (mark && mark.column >= begin && mark.column < end) {
        const before = part.slice(0, mark.column - begin);
        if (before) row.append(make("span", { class: style }, before));
        row.append(make("span", { class: `${style} wavy` }, part.slice(mark.column - begin)));
      } else row.append(style ? make("span", { class: style }, part) : part);
    }
    rows.push(row);
    const number = make("span", { class: mark ? mark.severity : i + 1 === here ? "here" : "" }, String(i + 1));
    if (mark) number.title = mark.message;
    numbers.push(number);
  });
  colours.replaceChildren(...rows);
  gutter.replaceChildren(...numbers);
}

function setMarks(list) {
  marks = list;
  paint();
}

function showFile(name, line = 0, column = 1) {
  open = name;
  area.value = program.files[name] ?? "";
  area.readOnly = !(name in program.files);
  if (line) {
    const lines = area.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    area.focus({ preventScroll: true });
    area.setSelectionRange(at + column - 1, at + column - 1);
    scroller.scrollTop = Math.max(0, (line - 6) * 20);
  } else {
    area.setSelectionRange(0, 0);
    scroller.scrollTo(0, 0);
  }
  paint();
}

// Keeps the browser's own undo.
function insert(text) {
  document.execCommand("insertText", false, text);
}

area.addEventListener("input", () => {
  program.files[open] = area.value;
  paint();
  edited();
});
area.addEventListener("keydown", (event) => {
  const { selectionStart: from, value } = area;
  const begin = value.lastIndexOf("\n", from - 1) + 1;
  if (event.key === "Escape") area.blur();
  else if (event.key === "Tab" && !event.shiftKey && !event.ctrlKey && !event.altKey) {
    event.preventDefault();
    insert("  ".slice((from - begin) % 2));
  } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const line = value.slice(begin, from);
    insert(`\n${/^[ \t]*/.exec(line)[0]}${/[{([:]\s*$/.test(line) ? "  " : ""}`);
  }
});
for (const name of ["keyup", "pointerup", "focus", "blur"]) area.addEventListener(name, paint);
