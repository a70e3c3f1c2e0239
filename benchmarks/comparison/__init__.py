"""Two evaluations side by side: what ``benchmarks.compare`` reads, works out and shows."""
