"""Sources of rows, their formats, and errors in them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocaml_env.errors import ConfigError
from ocaml_env.problems.importers import Imported, Reason, import_problems
from ocaml_env.verifiers.local import Verifier
from tests.problems.importers.rows import ADD, FIRST, SUB, Import, jsonl, only, write_csv


def ids(rows: Iterable[Imported]) -> list[str]:
    return [row.problem.id if row.problem else row.error for row in rows]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_csv_is_read_with_and_without_a_byte_order_mark(encoding: str, tmp_path: Path, verifier: Verifier) -> None:
    path = write_csv(tmp_path / "set.csv", [ADD, FIRST], encoding=encoding)
    assert ids(import_problems(path, verifier=verifier)) == ["add", "first"]


def test_line_ends_of_windows_change_nothing(tmp_path: Path, verifier: Verifier) -> None:
    def problems(name: str, content: bytes) -> list[str]:
        (tmp_path / name).write_bytes(content)
        return [repr(row.problem).replace(name, "") for row in import_problems(tmp_path / name, verifier=verifier)]

    text = write_csv(tmp_path / "set.csv", [ADD, FIRST]).read_bytes().replace(b"\r\n", b"\n")
    assert problems("unix.csv", text) == problems("windows.csv", text.replace(b"\n", b"\r\n"))
    lines = jsonl(tmp_path / "set.jsonl", [ADD, FIRST]).read_bytes()
    assert problems("unix.jsonl", lines) == problems("windows.jsonl", lines.replace(b"\n", b"\r\n"))


def test_a_csv_may_have_another_delimiter(tmp_path: Path, verifier: Verifier) -> None:
    row = 'add;"(** Adds. *)\nlet add (x : int) (y : int) : int =";add 1 2 = 3\n'
    for mark in ";\t|":
        (tmp_path / "set.csv").write_text(f"id;prompt;tests\n{row}".replace(";", mark))
        assert ids(import_problems(tmp_path / "set.csv", verifier=verifier)) == ["add"]


def test_a_bad_line_of_csv_leaves_the_others(tmp_path: Path, verifier: Verifier) -> None:
    path = write_csv(tmp_path / "set.csv", [ADD, FIRST])
    content = path.read_bytes()
    row = content[content.index(b"first,") :]
    path.write_bytes(
        content
        + row.replace(b"first,", b"latin,").replace(b"The", b"Th\xe9")
        + b"surplus,a,b,c\r\nshort\r\n"
        + row.replace(b"first,", b"last,")
    )
    found = list(import_problems(path, verifier=verifier))
    assert [row.reason for row in found] == [
        None,
        None,
        Reason.BAD_TEXT,
        Reason.UNREADABLE,
        Reason.MISSING,
        None,
    ]
    assert found[2].error == "row 3, id 'latin': the field 'prompt' is not UTF-8 text"
    assert "more cells than the header" in found[3].error


def test_a_bad_line_of_jsonl_leaves_the_others(tmp_path: Path, verifier: Verifier) -> None:
    path = tmp_path / "set.jsonl"
    lines = [json.dumps(ADD), "{oops", "[1]", "", json.dumps(FIRST | {"id": "bad"}), json.dumps(FIRST)]
    path.write_bytes(b"\xef\xbb\xbf" + "\n".join(lines).encode().replace(b'"bad"', b'"b\xffd"'))
    found = list(import_problems(path, verifier=verifier))
    assert [(row.row, row.reason) for row in found] == [
        (1, None),
        (2, Reason.UNREADABLE),
        (3, Reason.UNREADABLE),
        (5, Reason.BAD_TEXT),
        (6, None),
    ]


@given(
    rows=st.lists(st.sampled_from([ADD, FIRST, {"id": "ü" * 40_000}]), min_size=1, max_size=5),
    indent=st.sampled_from([None, 1]),
)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_json_is_read_item_by_item(
    rows: list[dict[str, str]], indent: int | None, tmp_path: Path, verifier: Verifier
) -> None:
    path = tmp_path / "set.json"
    path.write_text(json.dumps([ADD, *rows], indent=indent, ensure_ascii=False))
    assert [row.raw for row in import_problems(path, verifier=verifier)] == [ADD, *rows]


def test_truncated_json_gives_the_rows_before_the_cut(tmp_path: Path, verifier: Verifier) -> None:
    path = tmp_path / "set.json"
    path.write_text(json.dumps([ADD, FIRST])[:-20])
    good, bad = import_problems(path, verifier=verifier)
    assert good.problem is not None
    assert (bad.row, bad.reason) == (2, Reason.UNREADABLE)


def test_parquet_and_a_data_set_by_name_are_read(
    tmp_path: Path, verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``datasets`` accepts a local folder with a hub name as a data set, so this needs no network."""
    datasets = pytest.importorskip("datasets")
    folder = tmp_path / "somebody" / "ocaml-problems"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for split, row in (("train", ADD), ("test", SUB | {"id": "sub"})):
        datasets.Dataset.from_list([row]).to_parquet(folder / f"{split}.parquet")
    found = list(import_problems(folder / "test.parquet", verifier=verifier))
    assert (found[0].repaired, found[0].stop_tokens[0]) == (5, "\n\n")
    found = list(import_problems("hub:somebody/ocaml-problems", verifier=verifier, split="train"))
    assert [(row.row, row.id, row.problem and row.problem.split) for row in found] == [(1, "add", "train")]
    found = list(import_problems(folder, verifier=verifier))
    assert [row.row for row in found] == ["test.parquet:1", "train.parquet:1"]


def test_an_invalid_parquet_file_is_an_error(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "set.parquet").write_text("no")
    with pytest.raises(ConfigError, match="is not a Parquet file"):
        list(import_problems(tmp_path / "set.parquet"))


@pytest.mark.parametrize("source", ["set.parquet", "hub:somebody/ocaml-problems"])
def test_without_the_extra_the_error_says_how_to_install_it(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "set.parquet").write_text("")
    monkeypatch.chdir(tmp_path)
    for name in ("datasets", "pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError, match=r"pip install ocaml-env\[datasets\]"):
        list(import_problems(source))


def test_an_unknown_schema_is_an_error_with_its_columns_and_the_known_schemas(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "set.csv", [{"id": "a", "text": "b"}])
    with pytest.raises(ConfigError) as caught:
        list(import_problems(path))
    assert "its columns are id, text" in str(caught.value)
    assert "assertions needs prompt, problem, statement, question or description" in str(caught.value)
    assert "(if 'text' is meant: --columns tests=text)" in str(caught.value)


def test_the_format_is_found_although_the_first_rows_are_bad(imported: Import) -> None:
    assert [row.reason for row in imported("{", {"id": "x"}, ADD)] == [Reason.UNREADABLE, Reason.MISSING, None]
    assert [row.reason for row in imported("{", "{")] == [Reason.UNREADABLE, Reason.UNREADABLE]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "assertion"}, "did you mean 'assertions'?"),
        ({"limit": 0}, "limit must be None or a whole number from 1"),
    ],
)
def test_a_bad_argument_is_refused_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", r"\?")):
        import_problems("set.csv", **options)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere.csv", "there is no file or folder 'nowhere.csv'"),
        ("x" * 5000, "there is no file or folder"),
        (__file__, "cannot tell how to read"),
        (
            str(Path(__file__).parents[2] / "engine" / "jail"),
            "holds no problems: give a folder with a .csv, .jsonl, .json or .parquet file",
        ),
        ("hub:a b", "is no name of a data set"),
    ],
)
def test_an_unusable_source_is_refused(source: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        next(import_problems(source))


def test_rows_are_read_lazily(tmp_path: Path, verifier: Verifier) -> None:
    """The file ends with invalid JSON that is never reached."""
    path = jsonl(tmp_path / "set.jsonl", [*(ADD | {"id": f"p{n}"} for n in range(50)), "{"])
    rows = import_problems(path, verifier=verifier)
    assert [next(rows).id for _ in range(3)] == ["p0", "p1", "p2"]
    rows.close()
    assert len(list(import_problems(path, verifier=verifier, limit=7))) == 7


def test_order_is_kept_with_several_workers(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "set.jsonl", (ADD | {"id": f"p{n}"} for n in range(40)))
    with Verifier(workers=2, sandbox="best-effort") as two:
        assert ids(import_problems(path, verifier=two)) == [f"p{n}" for n in range(40)]


def test_a_split_is_chosen_by_its_column(imported: Import) -> None:
    rows = [ADD | {"split": "train"}, FIRST | {"split": "test"}]
    row, problem = only(imported(*rows, split="test"))
    assert (row.row, problem.id, problem.split) == (2, "first", "eval")


def test_text_after_an_array_of_json_is_an_error(tmp_path: Path, verifier: Verifier) -> None:
    path = tmp_path / "two.json"
    path.write_text(f"[{json.dumps(ADD)}]\n[{json.dumps(FIRST)}]\n")
    rows = list(import_problems(path, verifier=verifier))
    assert [bool(row.problem) for row in rows] == [True, False]
    assert "follows the end of the array" in rows[1].error
