"""Serves the relationship graph to editors by the Language Server Protocol.

Read `start` first, then `server`, which is the only file that uses pygls. Nearly everything runs in
turns on one thread; `slow` rows run on another, and end when they are cancelled. `handlers` handles
notifications, `state` holds open documents and files on disk, `index` the facts of each file (its
declarations and uses, with places), and `checks` makes the diagnostics. `reference` has the
documentation of names, `describe` formats it in Markdown, `features` answers requests about Puppet
files, and `languages` those about other files: policies, Hiera data and `catgraph.toml`.

How to add a feature, such as hover:

1. A file `features/hover.py` with one pure function of a workspace snapshot and a request:

       def answer(snapshot: Snapshot, asked: Asked) -> types.Hover | None:

   `asked` has the `path`, its `text` and `facts`, the offsets `start` and `end` (equal for a
   position), and lsprotocol's `params` for other parameters: a new name, a context. The answer is
      lsprotocol's value. Offsets count characters; `snapshot.range(path, start, end)` and
      `snapshot.location(found)` convert them to the units of the editor.

2. A row in `features/table.py`, in the order of the methods:

       Feature(types.TEXT_DOCUMENT_HOVER, "hover"),

   `options` are lsprotocol's: `types.CompletionOptions(trigger_characters=["$", ":"])`. A file
   that answers two methods has a second row with `function="prepare"`.

   The command of a code lens or a code action is a row of `COMMANDS` there.

3. A folder `tests/lsp/hover` with a text file for each case: files under `== path`, `<|>` where
   the cursor is (two marks: a range), `-- name: value` for parameters, and below `----` the answer
   as text. `pytest tests/lsp --update` writes answers: read them before you keep them. A row with
   another function has its cases marked by `-- function: prepare`.

An answer for another language is a row of `languages/table.py` in place of 2, with its cases in
`tests/lsp/languages/MODULE`; the check of its texts is a row of `checks/languages.py`.

A feature may ask a snapshot for the following, in milliseconds and without evaluating anything:

- `text(path)`, `tokens(path)` (also of half-written code), `checked(path).tree` (None then),
  `facts(path)`: `symbol_at`, `use_at`, `around`, `outwards`; `index.facts` for kinds and names.
- `meaning(path, use)`: the declarations of a use. `find(kind, name, path)`: those of a name,
  as seen from a file. `members(found, name, kinds)`: parameters and variables of a class or define.
- `index.used.get((kind, name))` and `index.declared.get((kind, name))`: the files with a use or a
  declaration of a name, for references and completion; `index.names(kind)`: all names of a kind.
- `places.module(name, path)`, `places.environment(path)`, `places.file(kind, name, path)`: the
  modules of the compiler. There is no other search for modules.
- `pictures.get(path, ())`: the catalogs of an open file, as they were compiled last: resources with
  places, containers, order, and edges with their origins. Empty before the first compile.
- `fixes.get(path, ())`: the findings of an open file whose fixes were tested, until the next edit.
- `reference.cursor.place_at(text, offset)`: the kind of name expected at a place, also in
  half-written code; `reference.attributes`, `.functions`, `.definitions` and `.values`: attributes
  of any type, signatures of any function, parameters with their comments, values in data.
- `options`: the client's configuration; `documents`: the open texts; `encoding`, `roots`.

`features.occurrences` finds the uses of a declaration, `features.neighbours` the dependencies and
dependents of a resource. Changes of texts are `state.edits.Change`: `edit_of` makes the editor's
edit of them, `snapshot_with` returns the snapshot after them. `raise Refused("why")` if a request
cannot be carried out: the editor shows the message.

An answer is a function of the snapshot alone: no state in a feature, but `functools.lru_cache` on
texts. If a feature raises, the user sees one message, and the server goes on. Work that takes
longer than 20 ms belongs in the index, or in the process that compiles (`checks.compiling`), which
returns plain values (`state.pictures`).

Facts come from tokens, not from trees, so that half-written code has symbols too. They depend on
one text alone: an edit needs only one file to be indexed again, and the answers after any edits are
those of a fresh server.
"""
