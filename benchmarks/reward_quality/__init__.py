"""How good a reward is: answers of known severity, what each preset pays for them, and what follows from that."""
