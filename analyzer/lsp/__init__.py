"""Serves the relationship graph to editors by the Language Server Protocol.

Read `start` first, then `server`: it is the only file that knows pygls. It keeps nearly everything
in turns on one thread; rows that are `slow` run on another, and end when they are cancelled.
`handlers` has what notifications do, `state` what is open and on disk, `index` the facts of each
file (what it declares and uses, with places), `checks` the diagnostics, `reference` what can be
said of a name, `describe` the same in Markdown, `features` the answers to requests about Puppet's
files, and `languages` those about other ones: policies, Hiera's data and `catgraph.toml`.

How to add a feature, such as hover:

1. A file `features/hover.py` with one pure function of a picture of the workspace and a request:

       def answer(snapshot: Snapshot, asked: Asked) -> types.Hover | None:

   `asked` has the `path`, its `text` and `facts`, the offsets `start` and `end` (equal for a
   position), and lsprotocol's `params` for what else a method has: a new name, a context. The
   answer is lsprotocol's value. Offsets count characters; `snapshot.range(path, start, end)` and
   `snapshot.location(found)` turn them into what the editor counts, whatever that is.

2. A row in `features/table.py`, in the order of the methods:

       Feature(types.TEXT_DOCUMENT_HOVER, "hover"),

   `options` are lsprotocol's: `types.CompletionOptions(trigger_characters=["$", ":"])`. A file
   that answers two methods has a second row with `function="prepare"`.

   What a code lens or a code action calls is a row of `COMMANDS` there.

3. A folder `tests/lsp/hover` with a text file for each case: files under `== path`, `<|>` where
   the cursor is (two marks: a range), `-- name: value` for parameters, and below `----` the answer
   as text. `pytest tests/lsp --update` writes answers: read them before you keep them. A row with
   another function has its cases marked by `-- function: prepare`.

An answer for another language is a row of `languages/table.py` in place of 2, with its cases in
`tests/lsp/languages/MODULE`; what is wrong with one of its texts is a row of `checks/languages.py`.

What a feature may ask of a snapshot, in milliseconds and without evaluating anything:

- `text(path)`, `tokens(path)` (also of half-written code), `checked(path).tree` (None then),
  `facts(path)`: `symbol_at`, `use_at`, `around`, `outwards`; `index.facts` for kinds and names.
- `meaning(path, use)`: the declarations of what is used. `find(kind, name, path)`: those of a name,
  as seen from a file. `members(found, name, kinds)`: parameters and variables of a class or define.
- `index.used.get((kind, name))` and `index.declared.get((kind, name))`: the files with a use or a
  declaration of a name, for references and completion; `index.names(kind)`: all names of a kind.
- `places.module(name, path)`, `places.environment(path)`, `places.file(kind, name, path)`: the
  modules of the compiler. There is no other search for modules.
- `pictures.get(path, ())`: the catalogs of an open file, as they were compiled last: resources with
  places, containers, order, and edges with their origins. Empty before the first compile.
- `fixes.get(path, ())`: the findings of an open file whose fixes were tested, until the next edit.
- `reference.cursor.place_at(text, offset)`: what may be written at a place, also in half-written
  code; `reference.attributes`, `.functions`, `.definitions` and `.values`: attributes of any type,
  signatures of any function, parameters with their comments, values in data and in facts.
- `options`: what the client configures; `documents`: what is open; `encoding`, `roots`.

`features.occurrences` finds the uses of a declaration, `features.neighbours` what comes before and
after a resource. Changes of texts are `state.edits.Change`: `edit_of` makes the editor's edit of
them, `snapshot_with` shows what they lead to. `raise Refused("why")` where a request cannot be
carried out: the editor shows that.

An answer is a function of the snapshot alone: no state in a feature, but `functools.lru_cache` on
texts. A feature that raises is one message to the user, and the server goes on. What takes longer
than 20 ms belongs into the index, or into the process that compiles (`checks.compiling`), which
hands plain values on (`state.pictures`).

Facts come from tokens, not from trees, so that half-written code has symbols too. They depend on
one text alone: an edited file is the work of one file, and the answers after any edits are those
of a fresh server.
"""
