"""The benchmark ``ocamlcode-1``: frozen problems, fixed settings, one score. ``docs/benchmark.md`` has its promises."""
