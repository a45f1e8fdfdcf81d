"""Functions of stdlib on text: names of files, escapes, digests, patterns."""
