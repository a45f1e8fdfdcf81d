# Classes come from the classifier: one file for each node in `nodes`.
File { mode => '0644' }
