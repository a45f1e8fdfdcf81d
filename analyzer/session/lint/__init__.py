"""Checks manifests, catalogs and policies with the rules of the lint, and tests fixes.

The stages, each from values to a value: `read` (`read`, `parse`), `catalogs` (`compile_inputs`),
`check` (`check`, `accept`, `gather`) and `results` (`fix`).
"""
