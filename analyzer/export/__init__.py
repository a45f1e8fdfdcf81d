"""Output formats: `graph` for tools, `page` for the browser, `reports` for findings, `runs`.

Read `graph/view` first. Each format is a file with a function from values to text. `encode`,
`values` and `redact` are shared.
"""
