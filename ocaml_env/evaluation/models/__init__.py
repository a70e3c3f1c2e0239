"""The models that are evaluated, behind one interface."""
