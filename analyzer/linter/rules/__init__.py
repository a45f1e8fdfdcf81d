"""The rules, a file each; the folder is what a rule looks at."""
