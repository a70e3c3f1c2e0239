"""What stands around an answer: tokens of a chat template, thinking, a section that is called the answer."""

from __future__ import annotations

import re

__all__ = [
    "END_MARKER",
    "END_OF_TURN",
    "after_thinking",
    "ends_in_marker",
    "has_open_thinking",
    "in_answer",
    "without_tokens",
]

END_MARKER = "(* END *)"
"""What the seed's prompt asked a model to end with."""

_START_OF_TURN = re.compile(
    r"\s*(?:<\|im_start\|>(?:assistant)?|<\|start_header_id\|>assistant<\|end_header_id\|>|<start_of_turn>model\b|(?:<s>\s*)?\[/INST\])\s*"
)
_TOKENS = (
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|end_of_text|>",
    "<|end|>",
    "<|return|>",
    "<end_of_turn>",
    "<eos>",
    "<file_sep>",
    "<|file_sep|>",
    "</s>",
    "<｜end▁of▁sentence｜>",
)

# A model that goes on after its turn writes the next one. "</s>" is a tag of HTML, too: it counts at a line's end.
END_OF_TURN = re.compile(
    "|".join(re.escape(token) for token in _TOKENS if token != "</s>") + r"|</s>(?=[ \t]*(?:\n|\Z|<s>))"
)


def without_tokens(text: str) -> str:
    """The text without the tokens of a chat template, which some servers leave at its two ends."""
    start = _START_OF_TURN.match(text)
    begin = start.end() if start else 0
    end = len(text)
    while True:
        while end > begin and text[end - 1].isspace():
            end -= 1
        if not text.endswith(_TOKENS, begin, end):
            return text[begin:end]
        end -= next(len(token) for token in _TOKENS if text.endswith(token, begin, end))


def ends_in_marker(text: str) -> bool:
    """Whether it ends in ``END_MARKER``, a closing fence aside."""
    end = text.rstrip()
    for char in "`~":
        if end.endswith(char * 3):
            end = end.rstrip(char).rstrip()
    return end.endswith(END_MARKER)


_THINK = re.compile(r"^[ \t]*<think(?:ing)?>.*?(?P<end></think(?:ing)?>|\Z)", re.MULTILINE | re.DOTALL | re.IGNORECASE)
# A tag alone at an end of its line: the text "</think>" within a literal of a program is not one.
_THINK_END = re.compile(r"(?:^[ \t]*</think(?:ing)?>|</think(?:ing)?>[ \t]*$)", re.MULTILINE | re.IGNORECASE)
_FINAL = "<|channel|>final<|message|>"  # of templates that think in a channel of its own
_ANSWER = re.compile(r"^[ \t]*<answer>(?P<text>.*?)(?:</answer>|\Z)", re.MULTILINE | re.DOTALL | re.IGNORECASE)


def after_thinking(text: str) -> str:
    """The text without thinking sections; some templates open one in the prompt, so an end may have no beginning."""
    final = text.rfind(_FINAL)
    if final >= 0:
        return text[final + len(_FINAL) :]
    if "think" not in text.lower():
        return text
    rest = _THINK.sub("", text)
    end = 0
    for match in _THINK_END.finditer(rest):
        end = match.end()
    return rest[end:]


def has_open_thinking(text: str) -> bool:
    return any(not match["end"] for match in _THINK.finditer(text))


def in_answer(text: str) -> str:
    """What stands in the last ``<answer>`` section that is not empty; without one, the whole text."""
    if "<answer>" not in text.lower():
        return text
    sections = [match["text"] for match in _ANSWER.finditer(text) if match["text"].strip()]
    return sections[-1] if sections else text
