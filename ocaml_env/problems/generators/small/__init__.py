"""Tables of small tasks, for levels 1 and 2: one module a family."""
