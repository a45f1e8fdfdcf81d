// The search box: by text, `type:` and `file:`, all words together.

const input = document.getElementById("search");
const hitList = document.getElementById("hits");
const MOST_HITS = 60;
let hits = [];
let chosen = 0;

function matches(node, word) {
  if (word.startsWith("type:")) return node.type.toLowerCase().startsWith(word.slice(5));
  if (word.startsWith("file:")) return place(node).toLowerCase().includes(word.slice(5));
  return node.ref.toLowerCase().includes(word);
}

function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const found = nodes.filter((node) => words.every((word) => matches(node, word)));
  const exact = text.trim().toLowerCase();
  const rank = (node) => {
    const title = node.title.toLowerCase();
    return title === exact || node.ref.toLowerCase() === exact ? 0 : title.startsWith(exact) ? 1 : 2;
  };
  return found.map((node) => [rank(node), node]).sort((a, b) => a[0] - b[0] || a[1].id - b[1].id)
    .map((pair) => pair[1]);
}

function showHits() {
  hits = find(input.value);
  chosen = 0;
  hitList.replaceChildren();
  hits.slice(0, MOST_HITS).forEach((node, i) => {
    const row = element("li", { role: "option", id: `hit-${i}` }, node.ref);
    const where = place(node);
    if (where) row.append(element("div", { class: "muted place" }, ...breakable(where)));
    row.addEventListener("pointerdown", (event) => { event.preventDefault(); take(i); });
    hitList.append(row);
  });
  if (input.value.trim() && hits.length !== Math.min(hits.length, MOST_HITS)) {
    hitList.append(element("li", { class: "note" }, `${hits.length - MOST_HITS} more`));
  }
  if (input.value.trim() && !hits.length) {
    hitList.append(element("li", { class: "note" }, `No ${data.words.one} matches`));
  }
  const open = Boolean(input.value.trim());
  hitList.hidden = !open;
  input.setAttribute("aria-expanded", String(open));
  choose(0);
}

function choose(number) {
  const last = Math.min(hits.length, MOST_HITS) - 1;
  chosen = Math.max(0, Math.min(last, number));
  hitList.querySelectorAll("[role=option]").forEach((row, i) => {
    row.setAttribute("aria-selected", String(i === chosen));
    if (i === chosen) row.scrollIntoView({ block: "nearest" });
  });
  if (last >= 0) input.setAttribute("aria-activedescendant", `hit-${chosen}`);
  else input.removeAttribute("aria-activedescendant");
}

function take(number) {
  closeHits();
  if (hits[number]) goTo({ node: hits[number].id });
}

function closeHits() {
  hitList.hidden = true;
  input.setAttribute("aria-expanded", "false");
}

input.addEventListener("input", showHits);
input.addEventListener("focus", () => { if (input.value.trim()) showHits(); });
input.addEventListener("blur", closeHits);
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") { event.preventDefault(); choose(chosen + 1); }
  else if (event.key === "ArrowUp") { event.preventDefault(); choose(chosen - 1); }
  else if (event.key === "Enter") { event.preventDefault(); take(chosen); }
  else if (event.key === "Escape") { input.value = ""; closeHits(); canvas.focus(); }
});
