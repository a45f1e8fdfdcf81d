// Compiles the modules of a zip file with the Python of Pyodide, so that no browser has to:
// node compile.mjs FOLDER_OF_PYODIDE IN.zip OUT.zip
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, source, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/` });
python.FS.writeFile("/in.zip", readFileSync(source));
python.runPython(`
# Nothing is compressed here: the page compresses the whole, which makes it smaller.
import zipfile, importlib.util, marshal
before = zipfile.ZipFile("/in.zip")
after = zipfile.ZipFile("/out.zip", "w")
for name in before.namelist():
    data = before.read(name)
    # The text of this one is compared with that of the tables.
    if name.endswith(".py") and name != "catgraph/grammars/table.py":
        code = compile(data, name, "exec", dont_inherit=True)
        name += "c"
        # Flags 1: the source is not looked for.
        data = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(code)
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    after.writestr(info, data)
after.close()
`);
writeFileSync(target, python.FS.readFile("/out.zip"));
