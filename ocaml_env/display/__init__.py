"""The common look of all reports: text for terminals, the HTML page, its style and its charts."""
