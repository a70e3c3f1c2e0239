"""One verifier in several processes, and in a process that is killed, interrupted or out of descriptors.

Whatever would disturb the process of the tests runs in a separate Python. Nothing hangs, and no process is left.
"""

from __future__ import annotations

import resource
import signal
import sys

import pytest

from tests.engine.another_python import run, start
from tests.engine.processes import alive, gone, wait_until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
    pytest.mark.usefixtures("verifier"),  # builds the engine once, or skips
]

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
    below, *printed = run(script)
    assert printed == ["interrupted", "True", "True"]
    assert wait_until(lambda: gone(map(int, below.split())))


def test_ctrl_c_of_a_whole_terminal_ends_everything() -> None:
    """The signal goes to the whole process group, and nobody catches it."""
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


def test_a_forked_child_that_ends_does_not_end_its_parents_workers() -> None:
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


def test_a_fork_while_other_threads_are_evaluating_does_not_hang() -> None:
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


def test_a_fork_while_another_thread_reads_the_cache_does_not_hang() -> None:
    """The moment is short, so the test holds the lock itself to hit it."""
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
