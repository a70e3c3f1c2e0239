"""Long runs and heavy load: leaks, hostile texts, and the service under load."""
