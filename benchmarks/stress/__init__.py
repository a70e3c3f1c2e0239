"""Long runs and heavy load: what leaks, what breaks, what the service takes."""
