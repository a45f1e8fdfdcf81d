// Where questions are answered: Python in a worker of this page, or the command `catgraph play`.

const PATIENCE = 20_000;
const engine = settings.server ? serverEngine() : workerEngine();
let running = null;

// Answers one request at a time. It ends after some seconds, or when somebody stops it.
async function ask(request) {
  await engine.begun();
  const stopped = new Promise((_, reject) => {
    running = { reject, timer: setTimeout(() => stop(`it took longer than ${PATIENCE / 1000} seconds`), PATIENCE) };
  });
  try {
    return await Promise.race([engine.send(request), stopped]);
  } finally {
    clearTimeout(running.timer);
    running = null;
  }
}

function stop(reason) {
  if (!running) return;
  engine.stop();
  running.reject(new Error(`Stopped: ${reason}. Change the program to try again.`));
}

function serverEngine() {
  let control = new AbortController();
  return {
    start: async () => {},
    begun: async () => {},
    send: async (request) => {
      control = new AbortController();
      const reply = await fetch("answer", {
        method: "POST", body: JSON.stringify(request), signal: control.signal,
        headers: { "Content-Type": "application/json" },
      });
      if (!reply.ok) throw new Error((await reply.text()).trim());
      return reply.json();
    },
    stop: () => { control.abort(); fetch("stop", { method: "POST" }).catch(() => {}); },
  };
}

function workerEngine() {
  const parts = {};
  let worker = null, number = 0, started = null;
  const pending = new Map();

  async function unpack(name) {
    const bytes = Uint8Array.from(atob(globalThis.parts[name]), (one) => one.charCodeAt(0));
    delete globalThis.parts[name];
    parts[name] = (await through(bytes, new DecompressionStream("gzip"))).buffer;
  }

  // A page on disk may not start a worker from a file beside it, but from its own memory.
  function begin() {
    const text = new Blob([parts["worker.js"], "\n", parts["pyodide.js"]], { type: "text/javascript" });
    const address = URL.createObjectURL(text);
    const mine = worker = new Worker(address);
    return new Promise((resolve, reject) => {
      mine.onerror = (event) => reject(new Error(event.message || "the worker cannot be started"));
      mine.onmessage = ({ data }) => {
        if (mine !== worker) return;
        if (data.ready) {
          URL.revokeObjectURL(address);
          resolve();
        } else if (data.failed) {
          reject(new Error(data.failed));
        } else {
          const one = pending.get(data.id);
          pending.delete(data.id);
          if (!one) return;
          if (data.error) one.reject(new Error(data.error));
          else one.resolve(JSON.parse(data.answer));
        }
      };
      mine.postMessage({ parts });
    });
  }

  return {
    start: async (progress) => {
      const names = settings.parts;
      for (const [i, { name, file }] of names.entries()) {
        await new Promise((resolve, reject) => {
          const script = document.createElement("script");
          script.src = file;
          script.onload = resolve;
          script.onerror = () => reject(new Error(`${file} cannot be loaded`));
          document.head.append(script);
        });
        await unpack(name);
        progress(60 * (i + 1) / names.length);
      }
      progress(70, "Starting Python");
      await (started = begin());
    },
    begun: () => started,
    send: (request) => new Promise((resolve, reject) => {
      const id = ++number;
      pending.set(id, { resolve, reject });
      worker.postMessage({ id, request: JSON.stringify(request) });
    }),
    stop: () => {
      pending.clear();
      worker.terminate();
      started = begin();
      started.catch(() => {});
    },
  };
}
