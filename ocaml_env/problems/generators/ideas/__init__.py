"""The families, one a file. ``FAMILY`` describes the family; the rest of a file makes its problems."""
