"""A policy small enough to be shipped and trained on a CPU, with the problems that it lives on."""
