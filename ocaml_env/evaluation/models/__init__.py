"""Models for evaluation, behind one interface."""
