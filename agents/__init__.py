"""Things that act and learn: policies, and the training of one."""
