"""The quality of a reward: answers of known severity, their rewards under each preset, and conclusions."""
