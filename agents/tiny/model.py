"""The tiny policy: its architecture, its tokenizer, and the folder of its weights.

The weights are an ordinary folder of transformers: ``AutoModelForCausalLM.from_pretrained(tiny_path())`` loads them.
Training and sampling treat them as any other model. A prompt is plain text, without a chat template. The tokenizer puts
one token before it, and one for "answer now" after it, to keep prompt and completion apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

__all__ = ["MAX_COMPLETION_TOKENS", "make_model", "make_tokenizer", "tiny_path"]

MAX_COMPLETION_TOKENS = 112
"""The limit of an answer. Every reference of the seen families is within it."""

_PAD, _EOS, _BOS, _ANSWER = "<|pad|>", "<|end|>", "<|task|>", "<|answer|>"

# One digit is one token, and so is one bracket. Letters keep the blank before them, other signs those on both sides. A
# name or a number is then mostly the same token in the statement and in the code, and easy to copy.
_PIECE = (
    r"[0-9]"
    r"| ?[A-Za-z_]+"
    r"| ?[(\[{]"
    r"|[)\]}]"
    r"| ?(?:->|\|>|<>|<=|>=|&&|\|\||[^\sA-Za-z0-9_()\[\]{}]) ?"
    r"|\n[ \n]*"
    r"|[ ]+"
)


def tiny_path() -> Path:
    """The folder of the weights in the repository."""
    return Path(__file__).parent / "weights"


def make_tokenizer(texts: Iterable[str], *, vocabulary: int) -> PreTrainedTokenizerFast:
    """Learns a byte-level BPE of ``vocabulary`` tokens from texts. Decoding restores every encoded text exactly."""
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECE), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[_PAD, _EOS, _BOS, _ANSWER],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bpe.train_from_iterator(texts, trainer)
    bpe.post_processor = processors.TemplateProcessing(
        single=f"{_BOS} $A {_ANSWER}",
        pair=f"{_BOS} $A {_ANSWER} $B {_EOS}",
        special_tokens=[(token, bpe.token_to_id(token)) for token in (_BOS, _ANSWER, _EOS)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        pad_token=_PAD,
        eos_token=_EOS,
        bos_token=_BOS,
        sep_token=_ANSWER,
        padding_side="left",
        clean_up_tokenization_spaces=False,
    )


def make_model(tokenizer: PreTrainedTokenizerFast, *, hidden: int, layers: int, heads: int) -> LlamaForCausalLM:
    """Makes an untrained decoder of the Llama architecture with tied embeddings.

    With Qwen2's architecture ``AutoTokenizer`` would replace the saved pre-tokenizer by Qwen2's own.
    """
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=3 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=1024,
        initializer_range=0.05,  # the usual 0.02 is for wide models
        tie_word_embeddings=True,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    model = LlamaForCausalLM(config)
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    return model
