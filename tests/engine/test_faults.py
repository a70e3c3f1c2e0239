"""What goes wrong around the engine: every verdict stays right and in order, or there is one clear exception.

Nothing hangs, and neither a process nor a descriptor is left. What would spoil this process (signals, forks, exhausted
descriptors, a hidden OCaml) happens in a Python of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import ocaml_env
from ocaml_env.engine import build_engine, checker_process
from ocaml_env.engine.toolchain import Engine
from ocaml_env.engine.worker import Worker
from ocaml_env.errors import EngineError, ToolchainError, WorkerCrashed
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Verdict
from ocaml_env.verifier import Verifier
from tests.engine.processes import alive, children, descendants, gone, open_descriptors, wait_until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
    pytest.mark.usefixtures("verifier"),  # builds the engine once, or skips
]

ROOT = Path(ocaml_env.__file__).parents[1]


def can_mount() -> bool:
    """Whether a process may have mounts of its own: as root, and not below a chroot."""
    unshare = shutil.which("unshare")
    return unshare is not None and subprocess.run([unshare, "-m", "true"], capture_output=True).returncode == 0


needs_mounts = pytest.mark.skipif(not can_mount(), reason="needs root, to mount")

ENDLESS = "let rec add a b = add b a\nlet negate a = -a"
BRIEF = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.1)


@pytest.fixture
def own() -> Iterator[Verifier]:
    with Verifier(workers=2, cache_size=0) as verifier:
        yield verifier


@pytest.fixture
def processes_of(own: Verifier) -> Callable[[], list[int]]:
    """The checkers that ``own`` has started."""
    others = set(children(os.getpid()))

    def now() -> list[int]:
        return [pid for pid in children(os.getpid()) if pid not in others]

    return now


def batch(add: Problem, count: int) -> list[tuple[Problem, str]]:
    """Right, wrong, ill-typed and endless candidates in turn, all different."""
    kinds = [add.reference, "let add a b = a\nlet negate a = -a", "let add a b = a + c\nlet negate a = -a", "let x = ("]
    todo = [(add, f"{kinds[n % len(kinds)]}\n(* {n} *)") for n in range(count)]
    todo[count // 2] = (add, ENDLESS)
    return todo


def right(add: Problem, verifier: Verifier, count: int) -> list[Verdict]:
    return verifier.verify_many(batch(add, count))


# --- killed processes ---


def kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("victim", ["checker", "below the checker"])
def test_killed_processes_cost_no_verdict_of_a_batch(
    verifier: Verifier, own: Verifier, processes_of: Callable[[], list[int]], add: Problem, victim: str
) -> None:
    """One kill a batch: a candidate whose process is killed twice is given up with an error, and rightly."""
    add = replace(add, limits=BRIEF)
    expected = right(add, verifier, 60)
    own.verify_many([(add, "let x = ("), (add, "let y = (")])
    for round in range(6):

        def kill_one(pause: float = 0.02 * round) -> None:
            time.sleep(pause)
            for checker in processes_of()[:1]:
                kill([checker] if victim == "checker" else descendants(checker))

        killer = threading.Thread(target=kill_one, daemon=True)
        killer.start()
        assert own.verify_many(batch(add, 60)) == expected
        killer.join()


@pytest.mark.parametrize("level", ["checker", "runner"])
def test_a_process_that_was_killed_while_idle_is_replaced(
    own: Verifier, processes_of: Callable[[], list[int]], add: Problem, level: str
) -> None:
    before = own.verify(add, add.reference)
    (checker,) = processes_of()
    targets = [checker] if level == "checker" else descendants(checker)
    kill(targets)
    assert wait_until(lambda: gone(targets))
    assert own.verify(add, add.reference) == before


def test_a_problem_is_installed_although_the_process_for_expected_values_was_killed(
    own: Verifier, processes_of: Callable[[], list[int]], add: Problem, last: Problem
) -> None:
    own.check(add)
    (checker,) = processes_of()
    kill(descendants(checker))
    assert own.verify(last, last.reference).passed


def test_a_process_that_is_killed_again_and_again_is_one_clear_error(
    own: Verifier, processes_of: Callable[[], list[int]], add: Problem
) -> None:
    stop = threading.Event()

    def kill_always() -> None:
        while not stop.wait(0.001):
            kill(processes_of())

    killer = threading.Thread(target=kill_always, daemon=True)
    killer.start()
    try:
        with pytest.raises(EngineError):
            own.verify_many([(add, f"{ENDLESS} (* {n} *)") for n in range(200)])
    finally:
        stop.set()
        killer.join()
    assert own.verify(add, add.reference).passed


def test_a_process_that_does_not_answer_is_given_up_and_replaced(
    own: Verifier, processes_of: Callable[[], list[int]], add: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.check(add)
    (checker,) = processes_of()
    monkeypatch.setattr(checker_process, "BACKSTOP_SECONDS", 1.0)
    os.kill(checker, signal.SIGSTOP)
    with pytest.raises(WorkerCrashed, match="did not answer"):
        own.verify(add, add.reference)
    monkeypatch.undo()
    assert gone([checker])
    assert own.verify(add, add.reference).passed


def test_a_program_that_is_not_the_checker_is_one_clear_error(tmp_path: Path) -> None:
    built = build_engine()
    for checker, error in ((Path(shutil.which("true") or ""), EngineError), (tmp_path / "none", ToolchainError)):
        worker = Worker(Engine(checker=checker, runner=built.runner, version=built.version, folder=tmp_path))
        with pytest.raises(error, match=checker.name):
            worker.start()
        worker.close()


# --- nothing is left ---


def test_closing_leaves_neither_processes_nor_descriptors(add: Problem, total: Problem) -> None:
    add = replace(add, limits=BRIEF)
    others = set(children(os.getpid()))
    descriptors = open_descriptors()
    started: list[int] = []
    for _ in range(3):
        with Verifier(workers=2, cache_size=0) as verifier:
            verifier.verify_many(
                [(add, add.reference), (total, total.reference), (add, ENDLESS), (add, "let x = (")] * 2
            )
            mine = [pid for pid in children(os.getpid()) if pid not in others]
            started += mine + [pid for checker in mine for pid in descendants(checker)]
    assert len(started) >= 9
    assert wait_until(lambda: gone(started))
    assert open_descriptors() == descriptors


def test_a_verifier_that_is_only_forgotten_leaves_nothing(add: Problem) -> None:
    others = set(children(os.getpid()))
    descriptors = open_descriptors()
    verifier = Verifier(workers=1)
    verifier.check(add)
    started = [pid for pid in children(os.getpid()) if pid not in others]
    assert started
    del verifier
    assert wait_until(lambda: gone(started))
    assert open_descriptors() == descriptors


def test_crashes_and_limits_leave_neither_processes_nor_descriptors(own: Verifier, add: Problem) -> None:
    add = replace(add, limits=BRIEF)
    own.check(add)
    hostile = [
        ENDLESS,
        "let add a b = Array.length (Array.make 100_000_000 a) + b\nlet negate a = -a",
        "let rec add a b = 1 + add a b\nlet negate a = -a",
        f"let x = {'(' * 5000}",
    ]
    own.verify_many([(add, code) for code in hostile])
    before = (len(descendants(os.getpid())), open_descriptors())
    own.verify_many([(add, f"{code}\n(* again *)") for code in hostile * 5])
    assert wait_until(lambda: len(descendants(os.getpid())) <= before[0])
    assert open_descriptors() <= before[1]


# --- a Python of its own ---


PRELUDE = """
import os, signal, sys, threading, time
from ocaml_env.errors import *
from ocaml_env.problem import Problem, Limits
from ocaml_env.verifier import Verifier
from tests.engine.processes import children, descendants, wait_until

tests = ("add 1 2 = 3", "add 5 5 = 10")
problem = Problem(id="add", statement="s", signature="val add : int -> int -> int", tests=tests)
right = "let add a b = a + b"
endless = "let rec add a b = add b a"

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in a shell's background is started without

def say(*words):
    print(*words, flush=True)
"""


def start(script: str, *, command: tuple[str, ...] = (), **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*command, sys.executable, "-c", PRELUDE + textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Python 3.12 and newer warn of every fork beside threads, also of threads that have just ended.
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore::DeprecationWarning", **environment},
    )


def run(script: str, *, command: tuple[str, ...] = (), seconds: float = 120, **environment: str) -> list[str]:
    """The lines that a script prints. It must end by itself, and well."""
    process = start(script, command=command, **environment)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        pytest.fail(f"it hangs: {script}")
    assert process.returncode == 0, err
    assert not err
    return out.splitlines()


BUSY = """
    verifier = Verifier(workers=2)
    verifier.verify_many([(problem, right), (problem, right + " ")])
    def announce():
        time.sleep(0.3)
        say(*descendants(os.getpid()))
    threading.Thread(target=announce, daemon=True).start()
"""


@pytest.mark.parametrize("sort", ["idle", "busy"])
def test_when_the_parent_is_killed_every_process_ends(sort: str) -> None:
    todo = (
        "time.sleep(600)"
        if sort == "idle"
        else "verifier.verify_many([(problem, f'{endless} (* {n} *)') for n in range(999)])"
    )
    process = start(BUSY + "    " + todo)
    assert process.stdout
    below = [int(word) for word in process.stdout.readline().split()]
    assert len(below) >= 4
    process.kill()
    process.communicate()
    assert wait_until(lambda: gone(below)), alive(below)


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_a_batch_and_leaves_nothing(workers: int) -> None:
    script = f"""
    verifier = Verifier(workers={workers})
    verifier.verify(problem, right)
    def interrupt():
        time.sleep(0.5)
        say(*descendants(os.getpid()))
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        verifier.verify_many([(problem, f"{{endless}} (* {{n}} *)") for n in range(999)])
    except KeyboardInterrupt:
        say("interrupted")
    say(verifier.verify(problem, right + "  ").passed)
    verifier.close()
    say(wait_until(lambda: not children(os.getpid())))
    """
    below, *said = run(script)
    assert said == ["interrupted", "True", "True"]
    assert wait_until(lambda: gone(map(int, below.split())))


def test_ctrl_c_of_a_whole_terminal_ends_everything() -> None:
    """The signal goes to the whole group, and nobody catches it."""
    process = start(BUSY + "    verifier.verify_many([(problem, f'{endless} (* {n} *)') for n in range(999)])")
    assert process.stdout
    below = [int(word) for word in process.stdout.readline().split()]
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in err
    assert wait_until(lambda: gone(below)), alive(below)


def test_forked_processes_share_a_verifier() -> None:
    script = """
    verifier = Verifier(workers=2, cache_size=0)
    todo = [(problem, right), (problem, "let add a b = a"), (problem, "let add = (")] * 10
    expected = verifier.verify_many(todo)
    forked = []
    for _ in range(2):
        if (child := os.fork()) == 0:
            ok = verifier.verify_many(todo) == expected
            verifier.close()
            ok = ok and not children(os.getpid())
            os._exit(0 if ok else 1)
        forked.append(child)
    say(verifier.verify_many(todo) == expected)
    say([os.waitpid(child, 0)[1] for child in forked])
    say(verifier.verify_many(todo) == expected)
    below = descendants(os.getpid())
    verifier.close()
    say(len(children(os.getpid())))
    """
    assert run(script) == ["True", "[0, 0]", "True", "0"]


def test_a_child_that_forks_and_ends_does_not_end_its_parents_workers() -> None:
    script = """
    verifier = Verifier(workers=1, cache_size=0)
    verifier.verify(problem, right)
    before = children(os.getpid())
    if (child := os.fork()) == 0:
        verifier.close()
        sys.exit(0)
    os.waitpid(child, 0)
    say(verifier.verify(problem, right).passed, children(os.getpid()) == before)
    """
    assert run(script) == ["True True"]


def test_a_fork_while_other_threads_are_judging_does_not_hang() -> None:
    script = """
    verifier = Verifier(workers=2)
    verifier.verify(problem, right)
    going = True
    def work(thread):
        n = 0
        while going:
            n += 1
            assert verifier.verify(problem, f"{right} (* {thread} {n} *)").passed
    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    ended = []
    for n in range(12):
        if (child := os.fork()) == 0:
            signal.alarm(60)
            ok = verifier.verify(problem, f"{right} (* child {n} *)").passed
            verifier.close()
            os._exit(0 if ok else 1)
        ended.append(os.waitpid(child, 0)[1])
    going = False
    for thread in threads:
        thread.join()
    say(ended.count(0))
    """
    assert run(script) == ["12"]


def test_a_fork_while_another_thread_looks_into_the_cache_does_not_hang() -> None:
    """The moment is short, so the lock is held here for it."""
    script = """
    verifier = Verifier(workers=1)
    verifier.verify(problem, right)
    with verifier._cache._lock:
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            threading.Thread(target=lambda: None).start()
            os._exit(0 if verifier.verify(problem, right + " ").passed else 1)
    say(os.waitpid(child, 0)[1])
    """
    assert run(script) == ["0"]


def test_sixteen_threads_share_a_verifier(verifier: Verifier, own: Verifier, add: Problem) -> None:
    expected = right(add, verifier, 64)
    todo = batch(add, 64)
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(lambda pair: own.verify(*pair), todo)) == expected
        batches = threads.map(lambda n: own.verify_many(todo[n * 4 : n * 4 + 4]), range(16))
        assert [verdict for verdicts in batches for verdict in verdicts] == expected


def test_a_process_with_many_open_descriptors_is_served() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < 2000:
        pytest.skip("this machine allows few descriptors")
    script = """
    import resource
    resource.setrlimit(resource.RLIMIT_NOFILE, (2000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    kept = [os.open("/dev/null", os.O_RDONLY) for _ in range(1500)]
    with Verifier(workers=1) as verifier:
        say(verifier.verify(problem, right).passed)
    """
    assert run(script) == ["True"]


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("pass", id="first use"),
        pytest.param("verifier.ocaml_version", id="found"),
        pytest.param(
            "verifier.verify(problem, right); [os.kill(pid, signal.SIGKILL) for pid in descendants(os.getpid())]",
            id="warm",
        ),
    ],
)
def test_a_process_without_free_descriptors_gets_one_clear_error(before: str) -> None:
    script = f"""
    import resource
    with Verifier(workers=1) as verifier:
        {before}
        resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
        kept = []
        try:
            while True:
                kept.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            pass
        try:
            verifier.verify(problem, right + " ")
        except OCamlEnvError as error:
            say(type(error).__name__)
        for fd in kept:
            os.close(fd)
        say(verifier.verify(problem, right).passed)
    """
    name, after = run(script)
    assert name in {"ToolchainError", "EngineError"}
    assert after == "True"


# --- asyncio ---


def test_a_cancelled_batch_stops_and_the_verifier_goes_on(own: Verifier, add: Problem) -> None:
    todo = [(add, f"{ENDLESS} (* {n} *)") for n in range(500)]

    async def cancel() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(own.averify_many(todo), timeout=0.5)

    ended = threading.Event()

    def play() -> None:
        asyncio.run(cancel())
        ended.set()

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    assert ended.wait(60), "the cancelled batch is still being judged"
    thread.join()
    assert own.verify(add, add.reference).passed


def test_many_tasks_share_a_verifier(verifier: Verifier, own: Verifier, add: Problem) -> None:
    expected = right(add, verifier, 24)

    async def ask() -> list[Verdict]:
        return await asyncio.gather(*(own.averify(*pair) for pair in batch(add, 24)))

    assert asyncio.run(ask()) == expected


# --- folders and OCaml itself ---

TELL = """
    try:
        with Verifier(workers=1) as verifier:
            say(verifier.verify(problem, right).passed)
    except OCamlEnvError as error:
        say(type(error).__name__, str(error).replace("\\n", " "))
"""


def bin_without(name: str, folder: Path) -> str:
    """A search path with everything but one program."""
    folder.mkdir()
    for place in os.environ["PATH"].split(":"):
        for program in Path(place).glob("*") if Path(place).is_dir() else ():
            if program.name != name and not (folder / program.name).exists():
                (folder / program.name).symlink_to(program)
    return str(folder)


def test_without_ocaml_there_is_one_clear_message(tmp_path: Path) -> None:
    (said,) = run(TELL, PATH=bin_without("ocamlfind", tmp_path / "bin"))
    assert said.startswith("ToolchainError")
    assert "ocamlfind" in said
    assert "apt-get install" in said


def test_a_cache_folder_that_cannot_be_written_is_passed_over_for_a_private_one(tmp_path: Path) -> None:
    engine = build_engine()
    (tmp_path / "file").touch()
    private = tmp_path / f"ocaml-env-{os.getuid()}"
    shutil.copytree(engine.folder, private / engine.folder.name)
    assert run(TELL, OCAML_ENV_CACHE=str(tmp_path / "file" / "cache"), TMPDIR=str(tmp_path)) == ["True"]


def test_with_no_folder_to_write_there_is_one_clear_message(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    nowhere = tmp_path / "file" / "folder"
    (tmp_path / f"ocaml-env-{os.getuid()}").touch()
    (said,) = run(TELL, OCAML_ENV_CACHE=str(nowhere), TMPDIR=str(tmp_path))
    assert said.startswith("ToolchainError")
    assert "OCAML_ENV_CACHE" in said
    assert str(nowhere) in said


@needs_mounts
def test_a_read_only_cache_folder_with_the_engine_in_it_serves(tmp_path: Path) -> None:
    engine = build_engine()
    shutil.copytree(engine.folder, tmp_path / engine.folder.name)
    script = """
    import subprocess
    subprocess.run(["mount", "--bind", os.environ["OCAML_ENV_CACHE"], os.environ["OCAML_ENV_CACHE"]], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", os.environ["OCAML_ENV_CACHE"]], check=True)
    """
    assert run(script + TELL, command=("unshare", "-m"), OCAML_ENV_CACHE=str(tmp_path)) == ["True"]


FILL = """
    import subprocess
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=SIZE", "none", os.environ["TMPDIR"]], check=True)
"""


@needs_mounts
def test_a_full_temporary_folder_does_not_matter_once_the_engine_is_built(tmp_path: Path) -> None:
    fill = (
        FILL.replace("SIZE", "16k")
        + """
    try:
        with open(os.environ["TMPDIR"] + "/full", "wb") as file:
            file.write(bytes(1_000_000))
    except OSError:
        pass
    """
    )
    engine = build_engine()
    assert run(
        fill + TELL, command=("unshare", "-m"), TMPDIR=str(tmp_path), OCAML_ENV_CACHE=str(engine.folder.parent)
    ) == ["True"]


@needs_mounts
@pytest.mark.parametrize("size", ["64k", "512k"])
def test_building_into_a_full_folder_is_one_clear_message(tmp_path: Path, size: str) -> None:
    """Too small for the sources, and too small for what becomes of them."""
    command = ("unshare", "-m")
    (said,) = run(
        FILL.replace("SIZE", size) + TELL,
        command=command,
        TMPDIR=str(tmp_path),
        OCAML_ENV_CACHE=str(tmp_path / "cache"),
    )
    assert said.startswith("ToolchainError")
    assert "No space left" in said


HIDE = """
    import subprocess
    folder = subprocess.check_output(["ocamlfind", "ocamlc", "-where"], text=True).strip()
    def remove_ocaml():
        subprocess.run(["mount", "-t", "tmpfs", "none", folder], check=True)
        os.environ["PATH"] = "/nowhere"
"""


@needs_mounts
def test_ocaml_may_be_removed_while_the_engine_is_warm() -> None:
    script = (
        HIDE
        + """
    with Verifier(workers=1) as verifier:
        verifier.verify(problem, right)
        remove_ocaml()
        uses = "module M = Map.Make (Int) let s = Str.regexp {|a|} let b = Bigarray.int let p = Scanf.sscanf\\n"
        uses += "let l = Lexing.from_string let c = Complex.one let f = Filename.basename\\n"
        say(verifier.verify(problem, uses + right).outcome)
        say(verifier.verify(problem, "let add a b = Obj.magic a").outcome)
        tests = ("f 1 = f 1", "Str.(string_match (regexp {|a|}) {|a|} 0)")
        other = Problem(id="o", statement="s", signature="val f : int -> int Map.Make(Int).t", tests=tests)
        say(verifier.verify(other, "let f _ = let module M = Map.Make (Int) in M.empty").outcome)
    """
    )
    assert run(script, command=("unshare", "-m")) == ["PASSED", "FORBIDDEN", "PASSED"]


@needs_mounts
def test_a_new_worker_without_ocaml_is_one_clear_error() -> None:
    script = (
        HIDE
        + """
    with Verifier(workers=1) as verifier:
        verifier.verify(problem, right)
        remove_ocaml()
        for pid in descendants(os.getpid()):
            os.kill(pid, signal.SIGKILL)
        try:
            say(verifier.verify(problem, right + " ").outcome)
        except OCamlEnvError as error:
            say(type(error).__name__)
        say(len(children(os.getpid())))
    """
    )
    assert run(script, command=("unshare", "-m")) == ["ToolchainError", "0"]


def test_two_processes_that_build_at_the_same_time_both_get_a_whole_engine(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    both = [start(TELL, OCAML_ENV_CACHE=str(cache), TMPDIR=str(tmp_path)) for _ in range(2)]
    answers = [process.communicate(timeout=500) for process in both]
    assert answers == [("True\n", "")] * 2
    left = {path.name for path in cache.iterdir()}
    key = build_engine().folder.name
    assert left == {key, f"{key}.lock"}
    assert {path.name for path in (cache / key).iterdir()} == {"checker", "runner"}
