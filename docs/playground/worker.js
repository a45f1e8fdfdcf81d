// The worker of the playground: pyodide.js, which follows this text, runs catgraph in it.
// It has all its files in memory, and the page's policy lets it ask for nothing.

const answered = { python: null };
// Pyodide asks whether this loads scripts by their addresses: it does not.
self.importScripts = () => { throw new TypeError("not here"); };

async function begin(parts) {
  const address = (name, type) => URL.createObjectURL(new Blob([parts[name]], { type }));
  self.fetch = async (resource) => {
    const name = String(resource.url || resource).split("/").pop();
    if (!(name in parts)) throw new Error(`${name} is not a part of this page`);
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(parts[name], { headers: { "Content-Type": type } });
  };
  const module = await import(address("pyodide.asm.mjs", "text/javascript"));
  const python = await loadPyodide({
    indexURL: "https://parts.invalid/",
    createPyodideModule: module.default,
lockFileContents: new TextDecoder().decode(parts["pyodide-lock.json"]),
    stdout: () => {}, stderr: () => {},
  });
  python.unpackArchive(parts["catgraph.zip"], "zip", { extractDir: "/code" });
  python.runPython(new TextDecoder().decode(parts["boot.py"]));
  answered.python = python.globals.get("answer");
}

self.onmessage = async ({ data }) => {
  if (data.parts) {
    try {
      await begin(data.parts);
      self.postMessage({ ready: true });
    } catch (error) {
      self.postMessage({ failed: String(error && error.message || error) });
    }
    return;
  }
  try {
    self.postMessage({ id: data.id, answer: answered.python(data.request) });
  } catch (error) {
    self.postMessage({ id: data.id, error: String(error && error.message || error) });
  }
};
