"""The language server: a folder of cases for each feature, the index, and the protocol."""
