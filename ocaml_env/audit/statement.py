"""Finds statements that are cut off, by what is cut: a word, a sentence, a bracket, a fence.

A missing full stop alone proves nothing, because many authors end a docstring without one. So a URL, a field such as
``:rtype: list``, a link definition, a list, a table and an example are whole, and so is a last line that may be one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from ocaml_env.audit.finding import Finding
from ocaml_env.problem import Problem
from ocaml_env.problems.similar import words_of

__all__ = ["cut_off", "statement_findings"]

# Words that end no sentence. "or not", "return it" and "the most" do, so those words are not among them.
_LEADS_ON_TEXT = """
a an and are as at be because been between but by can cannot could each every for from has have if in into is its
must of on onto or shall should than that the their then these those to until upon was were when where whether
which while whose will with within without would
"""
_LEADS_ON = frozenset(_LEADS_ON_TEXT.split())
# Of these, the ones that may stand before an example: "the same as", "such as".
_BEFORE_CODE = frozenset({"as", "by", "for", "these", "with"})
# Whole all the same: "how many there are", "what the sum is", "a logical and", "and so on", "one of each".
_WHOLE = re.compile(
    r"""\b(?:there|they|it|he|she|we|you|one)\ (?:has|have|can|could|must|should|will|would|be|been)$
    |\bthere\ (?:is|are|was|were)$
    |\b(?:as|how|if|than|that|what|where|whether|which|who)\b[^.;:]*
        \ (?:they|it|he|she|we|you|one)\ (?:is|are|was|were)$
    |(?<!,\ )(?<!for\ )(?<!in\ )(?<!of\ )(?<!to\ )(?<!by\ )\b(?:how|what|which|where|who|whatever|whichever)\b[^.;:]*
        \ (?:is|are|was|were|be|has|have|can|could|should|would)$
    |\b(?:logical|bitwise|boolean|binary)\ (?:and|or|if)$
    |\b(?:so|then|is|are|turned|it|later|now|built|fill|filled)\ (?:on|in)$|\bof\ each$|\bfrom\ \S+\ on$
    |\b(?:side|number|variable|letter|character|vector|point|string|list|array|value)\ a$
    |\b(?:between|from|than|and|plus|minus)\ a$
    """,
    re.VERBOSE | re.IGNORECASE,
)
# In the description of a parameter: "the list to search in", "the number to get the factorial of".
_STRANDED = re.compile(r"\bto \w+.* (?:at|by|for|from|in|into|of|on|onto|to|with|within)$")

# If so many statements without a full stop are plainly cut, the others without one are cut too: a column's limit.
_PLAINLY_CUT, _SHARE_CUT = 3, 2 / 3

_EXCEPTIONS = frozenset({"Invalid_argument", "Not_found", "Division_by_zero", "End_of_file", "Stack_overflow"})
_EXAMPLE = re.compile(r"^[ \t]*>>>.*\n?(?:[ \t]*\S.*\n?)*", re.MULTILINE)
_FENCED = re.compile(r"^([ \t]*)```.*?^\1[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
_DIRECTIVE = re.compile(  # of reStructuredText, with its indented lines
    r"^([ \t]*)\.\. (?:code(?:-block)?|sourcecode|plot|math|image|figure)::.*\n?"
    r"(?:(?:\1[ \t]+\S.*)?\n)*(?:\1[ \t]+\S.*)?",
    re.MULTILINE,
)
_HEADING = re.compile(
    r"(?:\A|\n)[ \t#*_=]*(?:for )?(?:examples?|usage|doctests?|tests?|e\.g\.?|see also|notes?)\b.{0,12}$", re.IGNORECASE
)
_FIELD = re.compile(r"^\s*(?:[:@\\]\w+|\.\. |\w+ ?: ?\w+$|\w+ ?\([^)]*\) ?:)")
_TYPE_FIELD = re.compile(r"\s*(?::\w+(?: \w+)?:|\w+ ?:) *\S*")
# A last line of one word that begins one of these is cut.
_LABELS_TEXT = """
:param :return: :returns: :rtype: :type :raises @param @return Args: Arguments: Author: Example: Examples: Input: Note:
Output: Parameters Raises: Returns:
"""
_LABELS = frozenset(_LABELS_TEXT.split())
_BARE_LABEL = re.compile(r"\s*[:@]?[A-Za-z]+")
_LINK = re.compile(r"://|^\s*(?:\.\. _|\[[^\]]+\]:)|\bwww\.\S+$|\S+\.\w{2,}/\S*$")
_IN_LIST = re.compile(r"^\s*(?:[-*+|>•]|\(?\w{1,2}[.)]\s|    |\t)")
_CODE = re.compile(r"[={}<>|]|;;|\[[^\]]*;|\blet\b|\bfun\b|->")
_QUOTED = re.compile(r"`[^`]*`|\"[^\"\n]*\"|(?<!\w)'[^'\n]{1,12}'|(?<!\S)[:;]-?[()]|\w+://\S+")
_ENDED = re.compile(r"[.!?:…]['\"`)\]*_]*$")
_ELLIPSIS = re.compile(r"(?:\.\.\.|…)$")
_SEQUENCE = re.compile(r"(?:\d|,\s*(?:(?P<word>[a-z]+)|\S+)|\bso on|\betc|[,)\]}=+*-])\s*\.?(?:\.\.\.|…)$")


@cache
def _english() -> tuple[str, ...]:
    lines = files("ocaml_env.audit").joinpath("words.txt").read_text(encoding="utf-8").splitlines()
    return tuple(sorted(word for line in lines if not line.startswith("#") for word in line.split()))


@dataclass(frozen=True, slots=True)
class _Ending:
    """The last words of a statement's prose.

    Attributes:
        prose: the text without its examples and its code.
        line: the last line.
        code_follows: True if an example or code follows it.
    """

    prose: str
    line: str
    code_follows: bool

    @property
    def is_prose(self) -> bool:
        """True if a full stop is usual at its end."""
        unusual = _FIELD.search(self.line) or _IN_LIST.search(self.line) or _LINK.search(self.line)
        return not unusual and not _is_code(self.line) and len(words_of(self.line)) > 2 and not self.code_follows

    @property
    def is_open(self) -> bool:
        """True if it is prose that ends without a full stop."""
        return self.is_prose and self.line[-1].isalnum()

    @property
    def has_ellipsis(self) -> bool:
        """True if it ends in three dots."""
        return _ELLIPSIS.search(self.line) is not None


def statement_findings(problems: Sequence[Problem], *, fewest_words: int) -> Iterator[Finding]:
    """The findings about the statements of a set, which are compared with each other.

    Args:
        fewest_words: a statement with fewer is reported as short.
    """
    endings = [_ending(problem.statement) for problem in problems]
    common = _common_words(endings)
    said = [
        cut_off(problem.statement, names=_names(problem), common=common) if problem.statement.strip() else ""
        for problem in problems
    ]
    for unended, what in (
        ([at for at, ending in enumerate(endings) if ending.is_open], "without a full stop at the end"),
        ([at for at, ending in enumerate(endings) if ending.has_ellipsis], "with three dots at the end"),
    ):
        plainly = sum(1 for at in unended if said[at])
        if plainly >= _PLAINLY_CUT and plainly >= _SHARE_CUT * len(unended):
            for at in unended:
                said[at] = said[at] or (
                    f"a sentence is cut after {_tail(endings[at].line)}: {plainly} of the {len(unended)} statements "
                    f"{what} are plainly cut"
                )
    for problem, message in zip(problems, said, strict=True):
        count = len(words_of(problem.statement))
        if message:
            yield Finding(check="cut-off", problem_id=problem.id, message=message)
        elif count < fewest_words:
            yield Finding(check="short-statement", problem_id=problem.id, message=f"it has {count} words")


def cut_off(statement: str, *, names: Iterable[str] = (), common: frozenset[str] = frozenset()) -> str:
    """Says what of a statement is cut; "" if nothing is.

    Args:
        names: names of the problem's code, which may end a statement.
        common: further words that are whole.
    """
    text = statement.strip()
    if _has_open_fence(text):
        return "a fence is not closed"
    ending = _ending(text)
    if not ending.line:
        return _open_example(text)
    return _open_text(ending) or _open_example(text) or _open_sentence(ending, frozenset(names), common)


def _ending(statement: str) -> _Ending:
    text = statement.strip()
    blanked = _EXAMPLE.sub(lambda found: "\n" * found[0].count("\n"), _DIRECTIVE.sub("", _FENCED.sub("", text)))
    prose = blanked.rstrip()
    code_follows = not text.endswith(prose[-30:]) if prose else True
    if code_follows:
        prose = _HEADING.sub("", prose).rstrip()
    return _Ending(prose, prose.splitlines()[-1].rstrip() if prose else "", code_follows)


# --- brackets, quotes, tables -----------------------------------------------------------------------------------------


def _open_text(ending: _Ending) -> str:
    """Finds what was opened in the last paragraph and never closed."""
    last = re.split(r"\n\s*\n", ending.prose)[-1]
    if ending.prose.count("`") % 2 and ending.line.count("`") % 2:
        return "a backquote is not closed"
    if bracket := _open_bracket(_QUOTED.sub(" x ", last)):
        return f"a bracket `{bracket}` is not closed"
    if ending.line.count('"') % 2 and re.search(r'(?:^|\s)"\w[^"]*$', ending.line) and not _ENDED.search(ending.line):
        return "a quotation is not closed"
    rows = ending.prose.splitlines()[-2:]
    if len(rows) == 2 and re.fullmatch(r"\s*\|.*\|\s*", rows[0]) and re.fullmatch(r"\s*\|.*[^|\s]\s*", rows[1]):
        return f"a row of a table is cut after {_tail(rows[1])}"
    return ""


def _open_bracket(text: str) -> str:
    """The last bracket that is not closed. Any closing one will do: ``[0, n)`` is whole."""
    opened: list[str] = []
    for found in re.finditer(r"[(\[{](?=\S)|[)\]}]", text):
        if found[0] in "([{":
            opened.append(found[0])
        elif opened:
            opened.pop()
    return opened[-1] if opened else ""


def _open_example(text: str) -> str:
    """Finds a bracket that the last example at the end of a statement leaves open."""
    *_, last = [None, *_EXAMPLE.finditer(text)]
    if last is None or last.end() < len(text):
        return ""
    call = _QUOTED.sub("x", last[0].strip())
    opened = len(re.findall(r"[(\[{]", call)) - len(re.findall(r"[)\]}]", call))
    return "a bracket of its last example is not closed" if opened > 0 else ""


def _has_open_fence(text: str) -> bool:
    fences = [*re.finditer(r"^([ \t]*)```", text, re.MULTILINE)]
    if len(fences) % 2 == 0:
        return False
    # What an indented fence belongs to ends at a line that is less indented.
    indent = len(fences[-1][1])
    return not any(
        line.strip() and len(line) - len(line.lstrip()) < indent for line in text[fences[-1].end() :].splitlines()[1:]
    )


# --- sentences and words ----------------------------------------------------------------------------------------------


def _is_code(line: str) -> bool:
    return _CODE.search(_QUOTED.sub("x", line)) is not None


def _open_sentence(ending: _Ending, names: frozenset[str], common: frozenset[str]) -> str:
    line = ending.line
    if ending.has_ellipsis:
        return "" if _is_sequence(line, ending, names, common) else f"it ends in {_tail(line)}"
    if re.search(r"[\[(<](?:\.\.\.|…|truncated|continued|cut)[\])>]$", line, re.IGNORECASE):
        return f"it ends in {_tail(line)}"
    if _LINK.search(line) or (_IN_LIST.search(line) and _is_code(line)):
        return ""
    if _BARE_LABEL.fullmatch(line) and "\n" in ending.prose and _is_torn(line.strip(), _LABELS):
        return f"a label is cut: {line.strip()!r}"
    before = " before the code" if ending.code_follows else ""
    if re.search(r"(?:,|(?<![:;-])[(\[{]|\w-|\s[-–—])$", line) and not re.fullmatch(r"[\W_]+", line):
        return f"a sentence is cut{before}, after {_tail(line)}"
    if line.endswith(":") and not ending.code_follows and not _FIELD.search(line) and len(words_of(line)) > 3:
        return f"nothing follows {_tail(line)}"
    last = line.split()[-1]
    if "_" in last and _is_torn(last.lstrip("([`"), _EXCEPTIONS | names):
        return f"a name is cut: {_tail(line)}"
    found = re.search(r"(?:^|[\s(\[\"'-])([A-Za-z]+(?:'s)?)$", line)
    if found is None:
        return ""
    if not _TYPE_FIELD.fullmatch(line) and _leads_on(found[1], ending):
        return f"a sentence is cut{before}, after {_tail(line)}"
    return _cut_word(found[1], ending, names, common)


def _is_sequence(line: str, ending: _Ending, names: frozenset[str], common: frozenset[str]) -> bool:
    """True if three dots stand for further items, as in ``1, 2, ...``, and not for the end of a sentence."""
    found = _SEQUENCE.search(line)
    if found is None:
        return False
    word, shown = found["word"] or "", replace(ending, prose=_ELLIPSIS.sub("", ending.prose))
    return word not in _LEADS_ON - {"a"} and not _cut_word(word, shown, names, common)


def _is_torn(text: str, names: Iterable[str]) -> bool:
    """True if the text begins one of the names, and is none itself, but for a colon or a plural."""
    wholes = [name.rstrip(":") for name in names]
    return text.rstrip(":s") not in [whole.rstrip("s") for whole in wholes] and any(
        whole.startswith(text) for whole in wholes
    )


def _leads_on(word: str, ending: _Ending) -> bool:
    line = ending.line
    if re.search(r"(?:^|[.!?] )(?:If|When|Unless|While)(?: [^\s,]+){1,3}$", line):
        return True
    if word not in _LEADS_ON or len(words_of(line)) < 2 or _WHOLE.search(line):
        return False
    if ending.code_follows and word in _BEFORE_CODE:
        return False
    return not (_STRANDED.search(line) and (_FIELD.search(line) or _IN_LIST.search(line)))


def _cut_word(word: str, ending: _Ending, names: frozenset[str], common: frozenset[str]) -> str:
    before = ending.prose[: -len(word)].lower()
    # A single letter is mostly a name.
    if len(word) == 1 or not word.islower() or word in names or re.search(rf"(?<!\w){word}(?!\w)", before):
        return ""
    if word in common or _first_with(_english(), word) == word:
        return ""
    goes_on = [_first_with(_english(), word), *(other for other in common if other.startswith(word))]
    goes_on += re.findall(rf"(?<!\w){word}[a-z]", before)
    return f"a word is cut: {_tail(ending.line)}" if any(goes_on) else ""


def _first_with(words: Sequence[str], beginning: str) -> str:
    """The first of sorted words that begins so; "" if there is none."""
    at = bisect_left(words, beginning)
    return words[at] if at < len(words) and words[at].startswith(beginning) else ""


def _common_words(endings: Iterable[_Ending]) -> frozenset[str]:
    """Words that stand inside of three or more statements: a cut word stands at an end."""
    counts: dict[str, int] = {}
    for ending in endings:
        for word in set(re.findall(r"(?<![\w.'])[a-z]+(?=[ ,.;])", ending.prose)):
            counts[word] = counts.get(word, 0) + 1
    return frozenset(word for word, count in counts.items() if count >= 3)


def _names(problem: Problem) -> frozenset[str]:
    return frozenset(re.findall(r"[A-Za-z_][\w']*", f"{problem.signature}\n{problem.prelude}\n{problem.reference}"))


def _tail(line: str) -> str:
    return repr(line[-30:])
