"""Functions that modules have in Ruby: read as a tree, and evaluated here without any Ruby.

Only what is understood exactly is evaluated, within bounds of steps, depth and size. Everything
else (files, the clock, unknown methods) ends the evaluation, and the value is Unknown.
"""
