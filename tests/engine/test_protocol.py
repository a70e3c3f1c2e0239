"""Messages between Python and a checker: they arrive as sent, and malformed ones are a ProtocolError."""

from __future__ import annotations

import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ocaml_env.engine.protocol import HEADER_BYTES, Value, decode, encode, frame, frame_length
from ocaml_env.engine.toolchain import build_engine
from ocaml_env.engine.worker import Worker
from ocaml_env.errors import EngineError, ProtocolError
from ocaml_env.verifiers.local import Verifier

keys = st.text(alphabet=st.characters(max_codepoint=127), max_size=8)
values: st.SearchStrategy[Value] = st.recursive(
    st.one_of(st.integers(), st.binary(max_size=50)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=20,
)
messages = st.dictionaries(keys, values, max_size=5)


@given(messages)
def test_decoding_undoes_encoding(message: dict[str, Value]) -> None:
    assert decode(encode(message)) == message


@given(st.text())
@example("\ud800")
@example("\x00")
def test_text_is_sent_as_utf8(text: str) -> None:
    assert decode(encode({"text": text})) == {"text": text.encode("utf-8", "surrogatepass")}


@given(messages, st.data())
def test_a_message_cut_short_is_malformed(message: dict[str, Value], data: st.DataObject) -> None:
    whole = encode(message)
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(ProtocolError):
        decode(whole[:cut])


@given(st.binary(max_size=60))
@example(b"d1:ai1eei1e")
@example(b"l" * 100_000)
@example(b"d" * 100_000)
@example(b"d1:a")
@example(b"di1ei2ee")
@example(b"d1:ae")
@example(b"d2:\xff\xffi1ee")
@example(b"d1:a99999999999:xe")
@example(b"d1:a-1:xe")
@example(b"d1:ai--1ee")
@example(b"d1:aiee")
@example(b"d1:ai1_0ee")
@example(b"d1:ai" + b"9" * 10_000 + b"ee")
@example(b"i1e")
@example(b"le")
@example(b"4:spam")
@example(b"")
def test_any_bytes_are_a_message_or_a_protocol_error(data: bytes) -> None:
    try:
        message = decode(data)
    except ProtocolError:
        return
    assert isinstance(message, dict)
    assert decode(encode(message)) == message


@given(st.binary(max_size=100))
def test_a_frame_announces_its_length(payload: bytes) -> None:
    framed = frame(payload)
    assert frame_length(framed[:HEADER_BYTES]) == len(payload)
    assert framed[HEADER_BYTES:] == payload


# --- the checker's side ---


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"op": "dance"},
        {"op": 3},
        {"op": "evaluate"},
        {
            "op": "evaluate",
            "key": "not installed",
            "code": "",
            **dict.fromkeys(["test_cpu_us", "total_cpu_us", "memory_bytes", "output_bytes"], 1),
        },
        {"op": "install", "key": "k", "kind": "function"},
        {"op": "install", "key": "k", "kind": "function", "signature": [], "prelude": "", "tests": []},
    ],
)
def test_the_checker_answers_a_wrong_message_with_a_fault(verifier: Verifier, message: dict[str, Value]) -> None:
    worker = Worker(build_engine(), sandbox="best-effort")
    try:
        worker.start()
        answer = worker._checkers["function"].exchange(message)
        assert "fault" in answer
    finally:
        worker.close()


@pytest.mark.parametrize("payload", [b"", b"i1e", b"garbage", b"d", b"d1:a"])
def test_the_checker_answers_garbage_with_a_fault(verifier: Verifier, payload: bytes) -> None:
    worker = Worker(build_engine(), sandbox="best-effort")
    try:
        worker.start()
        checker = worker._checkers["function"]
        assert checker.process.stdin
        checker.process.stdin.write(frame(payload))
        checker.process.stdin.flush()
        assert "fault" in checker.receive()
    finally:
        worker.close()


@pytest.mark.parametrize(
    "greeting",
    [frame(b"garbage"), frame(b"i1e"), frame(b"de"), frame(b"d6:layersle5:ocaml6:4.13.1e")[:9], struct.pack("<I", 5)],
    ids=["garbage", "no dictionary", "nothing in it", "cut short", "no payload"],
)
def test_a_malformed_greeting_of_the_checker_is_an_engine_error(
    verifier: Verifier, tmp_path_factory: pytest.TempPathFactory, greeting: bytes
) -> None:
    folder = tmp_path_factory.mktemp("checker")
    (folder / "greeting").write_bytes(greeting)
    program = folder / "checker"
    program.write_text(f"#!/bin/sh\ncat {folder / 'greeting'}\n")
    program.chmod(0o755)
    built = build_engine()
    worker = Worker(type(built)(checker=program, runner=built.runner, version=built.version, folder=folder))
    with pytest.raises(EngineError):
        worker.start()
    worker.close()
