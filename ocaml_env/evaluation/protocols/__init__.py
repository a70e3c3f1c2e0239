"""How a set of problems is asked and scored: our own way, or that of another benchmark."""
