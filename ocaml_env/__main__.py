"""``python -m ocaml_env`` is the command ``ocaml-env``."""

from ocaml_env.commands.cli import program

if __name__ == "__main__":
    program()
