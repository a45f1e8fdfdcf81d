"""The results of a compile: the catalog, automatic relationships and the record."""
