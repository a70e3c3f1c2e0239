"""Whether problems can be trusted: what is measured on them, without any model.

mutation    do the tests kill programs that are almost right?
"""
