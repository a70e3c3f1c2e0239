"""The families, one a file: ``FAMILY`` is what each is about, and all else how its problems are made."""
