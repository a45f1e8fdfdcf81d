"""The playground: a page that asks commands about the files in it, in a browser or over HTTP."""
