"""Two evaluations side by side: what ``ocaml-env compare`` reads, works out and shows."""
