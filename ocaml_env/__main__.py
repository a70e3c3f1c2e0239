"""``python -m ocaml_env`` is the command ``ocaml-env``."""

import sys

from ocaml_env.cli import main

if __name__ == "__main__":
    sys.exit(main())
