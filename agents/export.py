"""Merges the model of a run into one ordinary folder, for any reader of Hugging Face models.

    python -m agents.export grpo_runs/first --out my-model

An adapter is merged in single precision. The result has the stored precision of the model, or of the adapter's base, on
any machine; --dtype sets another.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import AutoConfig

from agents.processes import quiet_libraries
from ocaml_env import ConfigError
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.evaluation.models.hf import base_of, load_policy

__all__ = ["export", "main"]


def export(run: Path, out: Path, *, dtype: str = "auto") -> None:
    """Writes the full weights and the tokenizer of a run, a model or an adapter.

    Args:
        run: its folder, or a GGUF file.
        out: a new folder.
        dtype: a type of torch by its name, or ``auto`` for the stored type of the model, or of the adapter's base.

    Raises:
        ConfigError: if there is no model, or ``out`` is not empty.
    """
    if out.exists() and any(out.iterdir()):
        raise ConfigError(f"{out} is not empty: give a new folder")
    source = run / "model" if (run / "model").is_dir() else run
    policy = load_policy(str(source), dtype="float32")
    model = policy.model
    if hasattr(model, "merge_and_unload"):
        model = model.merge_and_unload()
    model.to(_stored(source) if dtype == "auto" else getattr(torch, dtype)).save_pretrained(out)
    policy.tokenizer.save_pretrained(out)


def _stored(source: Path) -> torch.dtype:
    if source.is_file():
        return torch.float16  # a GGUF file has weights of this type, or quantized blocks with scales of it
    return AutoConfig.from_pretrained(base_of(source)).dtype or torch.float32


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns the exit code: 0 done, 2 wrong usage."""
    parser = parser_of("python -m agents.export", __doc__)
    parser.add_argument("run", type=Path, help="folder of a run, a model or an adapter; or a GGUF file")
    parser.add_argument("--out", type=Path, required=True, help="a new folder")
    parser.add_argument(
        "--dtype",
        choices=("auto", "float32", "bfloat16", "float16"),
        default="auto",
        help="type of the weights (auto: that of the stored model, or of the adapter's base)",
    )
    options = parser.parse_args(arguments)
    quiet_libraries()
    export(options.run, options.out, dtype=options.dtype)
    print(f"{options.out} holds the merged model")
    return 0


if __name__ == "__main__":
    sys.exit(main())
