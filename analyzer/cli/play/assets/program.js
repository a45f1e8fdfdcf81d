// The program: its files, its settings, and the link that carries it.

const settings = JSON.parse(document.getElementById("settings").textContent);
const MAIN = ["manifests/site.pp", "site.pp"];
let program = { files: {}, system: "", version: "", node: "" };
let open = "";

function mainFile(files) {
  const names = Object.keys(files);
  return MAIN.find((name) => name in files) || names.find((name) => name.endsWith(".pp")) || names[0] || "";
}

// Folders first come last: the site before its modules, data at the end.
function fileNames() {
  const rank = (name) => (name === mainFile(program.files) ? 0 : name.endsWith(".pp") ? 1 : 2);
  return Object.keys(program.files).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function bytesToText(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function textToBytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (one) => one.charCodeAt(0));
}

async function through(bytes, stream) {
  const flow = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(flow).arrayBuffer());
}

async function programToHash(one) {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...one, open }));
  return `#program=${bytesToText(await through(bytes, new CompressionStream("deflate-raw")))}`;
}

// A program from a link, null if there is none; what is not a text is left out.
async function programFromHash(hash) {
  const match = /^#program=([\w-]+)$/.exec(hash);
  if (!match) return null;
  try {
    const bytes = await through(textToBytes(match[1]), new DecompressionStream("deflate-raw"));
    const data = JSON.parse(new TextDecoder().decode(bytes));
    const texts = Object.entries(data.files).filter(([, text]) => typeof text === "string");
    const words = (name) => (typeof data[name] === "string" ? data[name] : "");
    return { files: Object.fromEntries(texts), system: words("system"), version: words("version"),
      node: words("node"), open: words("open") };
  } catch {
    return null;
  }
}

// A fence that no line of the text closes.
function fenced(text, language = "") {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") || !text ? "" : "\n"}${fence}\n`;
}

function bugReport(answers, link) {
  const parts = ["### What I expected, and what happened instead\n\n\n\n### Program\n"];
  parts.push(`catgraph ${settings.catgraph}, Puppet ${program.version || "8"}, ` +
    `facts: ${program.system || (program.files["facts.json"] ? "facts.json" : "none")}` +
    `${program.node ? `, node: ${program.node}` : ""}\n`);
  for (const name of fileNames()) {
    const language = name.endsWith(".pp") ? "puppet" : name.split(".").pop();
    parts.push(`\`${name}\`\n\n${fenced(program.files[name], language)}`);
  }
  parts.push("### Output\n");
  for (const one of answers) {
    parts.push(fenced(`$ ${one.command.join(" ")}\n${one.out}${one.errors}(exit code ${one.code})\n`, "console"));
  }
  parts.push(`### Link\n\n${link}\n`);
  return parts.join("\n");
}
