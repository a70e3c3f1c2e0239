"""Removes the frame of an answer: chat-template tokens, thinking, and the ``<answer>`` section's tags."""

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
"""The mark that the seed's prompt asked a model to end with."""

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

# A model that goes on after its turn writes the next one. "</s>" is also an HTML tag: it counts only at a line's end.
END_OF_TURN = re.compile(
    "|".join(re.escape(token) for token in _TOKENS if token != "</s>") + r"|</s>(?=[ \t]*(?:\n|\Z|<s>))"
)


def without_tokens(text: str) -> str:
    """Removes tokens of a chat template at the two ends of a text; some servers leave them there."""
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
    """True if the text ends in ``END_MARKER``; a closing fence may follow."""
    end = text.rstrip()
    for char in "`~":
        if end.endswith(char * 3):
            end = end.rstrip(char).rstrip()
    return end.endswith(END_MARKER)


_THINK = re.compile(r"^[ \t]*<think(?:ing)?>.*?(?P<end></think(?:ing)?>|\Z)", re.MULTILINE | re.DOTALL | re.IGNORECASE)
# The tag counts only at the beginning or end of a line: "</think>" may stand in a literal of a program.
_THINK_END = re.compile(r"(?:^[ \t]*</think(?:ing)?>|</think(?:ing)?>[ \t]*$)", re.MULTILINE | re.IGNORECASE)
_FINAL = "<|channel|>final<|message|>"  # of templates with a channel for thinking
_ANSWER = re.compile(r"^[ \t]*<answer>(?P<text>.*?)(?:</answer>|\Z)", re.MULTILINE | re.DOTALL | re.IGNORECASE)


def after_thinking(text: str) -> str:
    """Removes thinking sections. Some templates open one in the prompt, so an end tag may have no beginning."""
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
    """The content of the last non-empty ``<answer>`` section; without one, the whole text."""
    if "<answer>" not in text.lower():
        return text
    sections = [match["text"] for match in _ANSWER.finditer(text) if match["text"].strip()]
    return sections[-1] if sections else text
