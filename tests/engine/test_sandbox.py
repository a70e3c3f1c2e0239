"""The claims of the sandbox, one test a claim, for a candidate that has already broken the layer in front.

`jail/attempts.c` stands for a candidate that runs its own machine code: it makes each system call inside the runner's
own jail. `Verifier(_filter=False)` stands for a candidate that passed the capability filter: it may use `external`,
`Obj` and `Sys`, and so can read and write the runner's whole memory.
"""

from __future__ import annotations

import enum
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ocaml_env.engine import checker_process
from ocaml_env.engine.toolchain import SOURCES
from ocaml_env.errors import SandboxUnavailable
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function, outcomes, printed, prints

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jail is Linux's")


class Mask(enum.IntFlag):
    """The layers of ``jail.h``."""

    NONE = 0
    RLIMITS = 1
    DESCRIPTORS = 2
    UID = 4
    LANDLOCK = 8
    SECCOMP = 16


ALL = Mask.RLIMITS | Mask.DESCRIPTORS | Mask.UID | Mask.LANDLOCK | Mask.SECCOMP


@pytest.fixture(scope="module")
def attempt(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Mask], str]:
    """Returns a function from an attempt of ``jail/attempts.c`` and a mask of layers to the attempt's ending."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler, "OCaml's compilers need a C compiler, but none was found"
    folder = tmp_path_factory.mktemp("jail")
    runner = SOURCES / "runner"
    sources = [Path(__file__).parent / "jail" / "attempts.c", runner / "jail.c", runner / "report.c"]
    subprocess.run([compiler, "-O1", "-I", runner, "-o", folder / "attempts", *sources], check=True)

    def run(name: str, mask: Mask) -> str:
        place = tmp_path_factory.mktemp("place")
        place.chmod(0o777)
        (place / "victim").touch(mode=0o666)
        command = [str(folder / "attempts"), name, str(int(mask))]
        answer = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=60, check=True)
        return answer.stdout.strip()

    return run


FILES = [
    "open_for_reading",
    "open_folder",
    "open_own_memory",
    "create_file",
    "open_modern",
    "make_folder",
    "remove_file",
    "change_folder",
    "truncate_file",
    "memory_file",
]
PROCESSES = ["fork", "fork_modern", "library_fork", "execute"]
NETWORK = ["network_socket", "local_socket", "socket_pair"]
DESCRIPTORS = ["pipe", "duplicate", "duplicate_by_fcntl", "descriptor_left_open"]
PARENT = [
    "look_for_parent",
    "stop_parent",
    "signal_everybody",
    "signal_thread_of_parent",
    "read_memory_of_parent",
    "limits_of_parent",
]
ITSELF = [
    "raise_own_limit",
    "sleep",
    "clock_sleep",
    "handle_signal",
    "become_root",
    "be_root",
    "change_root",
    "change_personality",
    "pick_processor",
]
MEMORY = [
    "map_executable",
    "map_writable_executable",
    "make_executable",
    "make_executable_with_key",
    "map_too_much",
    "share_memory",
]
# These may fail on this machine even without a jail, so they have no control.
KERNEL = [
    "trace_parent",
    "unshare",
    "ring",
    "filter_program",
    "watch_faults",
    "performance_events",
    "other_abi_open",
    "old_abi_getpid",
    "truncate_open_file",
]
CONTROLLED = [*FILES, *PROCESSES, *NETWORK, *DESCRIPTORS, *PARENT, *ITSELF, *MEMORY]


@pytest.mark.parametrize("name", [*CONTROLLED, *KERNEL])
def test_the_jail_refuses(attempt: Callable[[str, Mask], str], name: str) -> None:
    ended = attempt(name, ALL)
    assert ended.startswith(("refused", "killed 31")) or ended == "unknown here"


@pytest.mark.parametrize("name", CONTROLLED)
def test_without_a_jail_the_same_attempt_succeeds(attempt: Callable[[str, Mask], str], name: str) -> None:
    needs_root = {"become_root", "be_root", "change_root", "unshare", "raise_own_limit"}
    if name in needs_root and attempt("be_root", Mask.NONE) != "done":
        pytest.skip("needs root to succeed")
    assert attempt(name, Mask.NONE) in ("done", "unknown here")


@pytest.mark.parametrize("name", ["compute", "report", "map_data"])
def test_the_jail_allows_computing_and_reporting(attempt: Callable[[str, Mask], str], name: str) -> None:
    assert attempt(name, ALL) == "done"


@pytest.mark.parametrize(
    "name", [*sorted(set(FILES) - {"change_folder"}), *PROCESSES, *NETWORK, *DESCRIPTORS, "map_too_much"]
)
def test_without_seccomp_the_other_layers_still_refuse(attempt: Callable[[str, Mask], str], name: str) -> None:
    if attempt("be_root", Mask.NONE) != "done":
        pytest.skip("an ordinary user keeps the rights of its own user id")
    assert attempt(name, ALL & ~Mask.SECCOMP).startswith(("refused", "unknown here"))


@pytest.mark.parametrize("name", ["be_root", "become_root", "change_root", "look_for_parent", "read_memory_of_parent"])
def test_the_user_id_alone_refuses_what_root_may(attempt: Callable[[str, Mask], str], name: str) -> None:
    if attempt("be_root", Mask.NONE) != "done":
        pytest.skip("nothing to give up")
    assert attempt(name, Mask.UID).startswith("refused")


@pytest.mark.parametrize("name", sorted(set(FILES) - {"change_folder", "memory_file"}))
def test_landlock_alone_closes_the_file_system(attempt: Callable[[str, Mask], str], name: str) -> None:
    if attempt("open_folder", Mask.LANDLOCK).startswith("broken"):
        pytest.skip("this kernel has no Landlock")
    assert attempt(name, Mask.LANDLOCK).startswith(("refused", "unknown here"))


# --- without the capability filter ---


@pytest.fixture(scope="module")
def unfiltered() -> Iterator[Verifier]:
    with Verifier(workers=1, _filter=False, cache_size=0) as verifier:
        yield verifier


WANTED = prints("nothing prints this")

OPEN = 'external openf : string -> open_flag list -> int -> int = "caml_sys_open"\n'
CHANNEL = 'external out : int -> out_channel = "caml_ml_open_descriptor_out"\n'
LEAVE = 'external leave : int -> \'a = "caml_sys_exit"\n'
GLOBALS = 'external globals : unit -> Obj.t array = "caml_get_global_data"\n'
REPORT = (
    "let number n = String.init 4 (fun i -> Char.chr ((n lsr (8 * i)) land 255))\n"
    'let frame tag payload = String.concat "" [ tag; "\\000"; number 5; number (String.length payload); payload ]\n'
    'let truth = frame "V" "i\\001\\000\\000\\000\\000\\000\\000\\000"\n'
    'let the_end = frame "Z" "0123456789abcdef"\n'
    "let send text = let c = out 3 in output_string c text; flush c\n"
)


def test_the_filter_is_off_here_and_on_elsewhere(unfiltered: Verifier, verifier: Verifier) -> None:
    code = f'{OPEN}let () = print_string (Obj.magic "x")'
    assert unfiltered.verify(prints("x"), code).passed
    assert verifier.verify(prints("x"), code).outcome is Outcome.FORBIDDEN


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "/", "/proc/self/mem", "/proc/self/maps", "/proc/self/environ", "/dev/null", "relative", "/tmp/x"],
)
@pytest.mark.parametrize("flags", ["[Open_rdonly]", "[Open_wronly; Open_creat]"])
def test_no_file_can_be_opened(unfiltered: Verifier, path: str, flags: str) -> None:
    attempt = f'match openf "{path}" {flags} 0o600 with _ -> "opened" | exception Sys_error _ -> "refused"'
    code = f"{OPEN}let () = print_string ({attempt})"
    assert printed(unfiltered.verify(WANTED, code)) == "refused"


@pytest.mark.parametrize(
    "expression",
    [
        'Sys.remove "/tmp/x"',
        'Sys.rename "/tmp/x" "/tmp/y"',
        'Sys.chdir "/tmp"',
        'ignore (Sys.readdir "/")',
        'Sys.mkdir "/tmp/x" 0o700',
        'Sys.rmdir "/tmp/x"',
        'ignore (Sys.file_exists "/")',
        'ignore (Sys.command "true")',
    ],
)
def test_no_call_on_the_file_system_or_a_shell_succeeds(unfiltered: Verifier, expression: str) -> None:
    verdict = unfiltered.verify(prints("done"), f'let () = {expression}; print_string "done"')
    if expression.startswith("ignore (Sys.file_exists"):
        found = unfiltered.verify(WANTED, 'let () = print_string (string_of_bool (Sys.file_exists "/"))')
        assert found.outcome is Outcome.RUNTIME_ERROR or printed(found) == "false"
    else:
        assert verdict.outcome is Outcome.RUNTIME_ERROR


def test_a_forbidden_system_call_ends_the_process_as_a_runtime_error(unfiltered: Verifier) -> None:
    problem = function("val f : int -> int", "f 1 = 1", "f 2 = 2", "f 3 = 3", public=True)
    verdict = unfiltered.verify(problem, 'let f n = if n = 2 then Sys.command "true" else n')
    assert outcomes(verdict) == [Outcome.PASSED, Outcome.RUNTIME_ERROR, Outcome.PASSED]
    assert "signal" in verdict.tests[1].detail


def test_only_the_standard_descriptors_and_the_report_are_open(unfiltered: Verifier) -> None:
    code = (
        f'{CHANNEL}let usable fd = try let c = out fd in output_string c ""; ignore (pos_out c); '
        "(try output_char c 'x'; flush c; true with Sys_error _ -> false) with Sys_error _ -> false\n"
        'let () = for fd = 4 to 2000 do if usable fd then Printf.printf "%d " fd done; print_string "none other"'
    )
    assert printed(unfiltered.verify(WANTED, code)) == "none other"


SECRET = "the-right-answer-that-nobody-knows"

# Looks at every string in reach of the table of globals.
SCAN_GLOBALS = """
external globals : unit -> Obj.t array = "caml_get_global_data"
let prefix = "the-right-"
let found = ref false
let begins at s = String.sub s at (String.length prefix) = prefix
let rec within at s = at + String.length prefix < String.length s && (begins at s || within (at + 1) s)
let seen = Hashtbl.create 1000
let is_new o =
  let key = (Obj.size o, Obj.tag o) in
  not (List.memq o (Hashtbl.find_all seen key)) && (Hashtbl.add seen key o; true)
let rec scan depth (o : Obj.t) =
  if Obj.is_block o && depth < 200 then
    let tag = Obj.tag o in
    if tag = Obj.string_tag then (if within 0 (Obj.obj o) then found := true)
    else if tag < Obj.no_scan_tag && tag <> Obj.infix_tag && tag <> Obj.closure_tag && is_new o then
      for i = 0 to Obj.size o - 1 do scan (depth + 1) (Obj.field o i) done
"""


def secret_problem(*, in_left_side: bool) -> Problem:
    left = f'guess "{SECRET}"' if in_left_side else 'guess ""'
    return function(
        "val guess : string -> string\nval found : unit -> bool",
        f'{left} = "{SECRET}"',
        "found ()",
        limits=Limits(test_cpu_seconds=5, total_cpu_seconds=20),
    )


@pytest.mark.parametrize("in_left_side", [False, True])
def test_expected_values_are_not_in_the_childs_memory(unfiltered: Verifier, in_left_side: bool) -> None:
    """The control: a scan that finds a test's argument would also find its expected value."""
    code = f'{SCAN_GLOBALS}let guess _ = ""\nlet found () = Array.iter (scan 0) (globals ()); !found'
    verdict = unfiltered.verify(secret_problem(in_left_side=in_left_side), code)
    assert outcomes(verdict)[1] is (Outcome.PASSED if in_left_side else Outcome.TEST_FAILURE)


BOOLEANS = function("val f : int -> bool", *(f"f {n} || f {n + 1}" for n in range(6)))
VALUES = function("val f : int -> int", *(f"f {n} = {n * n + 7}" for n in range(6)))


FORGERIES = {
    "a whole report": 'let () = send (frame "I" ""); for _ = 1 to 12 do send truth done; send the_end; leave 0',
    "answers from within a test": "let forge () = for _ = 1 to 12 do send truth done; leave 0",
    "the end alone": "let () = send the_end; leave 0",
    "an early good end": "let () = leave 0",
    "an early end in a test": "let forge () = leave 0",
    "garbage": "let () = send (String.init 1000 (fun i -> Char.chr (i land 255)))",
    "garbage in a test": "let forge () = send (String.make 100 '\\255')",
    "a frame cut short": "let forge () = send (String.sub truth 0 5); leave 0",
    "a length that lies": 'let forge () = send "V\\000\\000\\000\\000\\000\\255\\255\\255\\255"; leave 0',
    "a closed report": "let () = close_out (out 3)",
    "a report closed in a test": "let forge () = close_out (out 3)",
    "a flood": "let forge () = let c = out 3 in while true do output_string c truth done",
    "a flood of one frame": "let forge () = send (frame \"V\" (String.make 50_000_000 'x')); leave 0",
    "an endless wait after the end": "let () = close_out (out 3); while true do () done",
    "a refused layer": 'let () = send (frame "J" "seccomp"); leave 0',
    "a refused layer in a test": 'let forge () = send (frame "J" "seccomp"); leave 0',
    "memory that was never short": 'let forge () = send (frame "M" ""); leave 0',
}


@pytest.mark.parametrize("problem", [BOOLEANS, VALUES], ids=["booleans", "values"])
@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_writing_to_the_report_earns_nothing(
    unfiltered: Verifier, add: Problem, problem: Problem, forgery: str
) -> None:
    forge = "" if "forge" in forgery else "let forge () = ()\n"
    wrong = "false" if problem is BOOLEANS else "0"
    verdict = unfiltered.verify(problem, f"{CHANNEL}{LEAVE}{REPORT}{forgery}\n{forge}let f _ = forge (); {wrong}")
    assert verdict.tests_passed == 0
    assert set(outcomes(verdict)) <= {
        Outcome.RUNTIME_ERROR,
        Outcome.TEST_FAILURE,
        Outcome.TIMEOUT,
        Outcome.MEMORY_LIMIT,
    }
    assert unfiltered.verify(add, add.reference).passed


def test_right_answers_do_not_lend_credit_to_forged_ones(unfiltered: Verifier) -> None:
    code = (
        f"{CHANNEL}{LEAVE}{REPORT}let f n = if n < 3 then n * n + 7 else "
        "(let c = out 3 in for _ = 1 to 3 do output_string c truth done; flush c; leave 0)"
    )
    verdict = unfiltered.verify(VALUES, code)
    assert Outcome.PASSED not in outcomes(verdict)[3:]


def test_a_constant_guess_passes_no_boolean_test(unfiltered: Verifier) -> None:
    for guess in ("true", "false"):
        code = f"{GLOBALS}let f _ = false\nlet cheat = fun () -> {guess}\nlet () = at_exit ignore\n"
        assert unfiltered.verify(BOOLEANS, code).tests_passed == 0


@pytest.mark.parametrize(
    "corruption", ["Obj.magic 0", "Obj.magic 12345678", "Obj.magic 1.5", 'Obj.magic "x"', "Obj.magic (ref 0)"]
)
@pytest.mark.parametrize("signature", ["val v : string", "val v : int list", "val v : int -> int"])
def test_values_of_a_wrong_type_are_failures(
    unfiltered: Verifier, add: Problem, corruption: str, signature: str
) -> None:
    use = {"val v : string": 'v = "abc"', "val v : int list": "v = [1; 2]", "val v : int -> int": "v 1 = 2"}[signature]
    verdict = unfiltered.verify(function(signature, use), f"let v = {corruption}")
    assert not verdict.passed
    assert unfiltered.verify(add, add.reference).passed


def test_a_program_cannot_print_into_the_report(unfiltered: Verifier) -> None:
    verdict = unfiltered.verify(
        prints("x"), f'{CHANNEL}let () = let c = out 3 in output_string c "noise"; flush c; print_string "x"'
    )
    assert verdict.outcome is Outcome.RUNTIME_ERROR


def test_a_program_cannot_read_its_expected_output(unfiltered: Verifier) -> None:
    problem = prints(SECRET, limits=Limits(test_cpu_seconds=5, total_cpu_seconds=5))
    scan = (
        f'{SCAN_GLOBALS}let () = Array.iter (scan 0) (globals ()); print_string (if !found then "found" else "nothing")'
    )
    assert printed(unfiltered.verify(problem, scan)) == "nothing"


# --- reports on the layers ---


def test_a_verdict_lists_the_layers_that_were_on(verifier: Verifier, add: Problem, total: Problem) -> None:
    for problem in (add, total):
        layers = verifier.verify(problem, problem.reference).sandbox
        assert layers == tuple(sorted(layers))
        assert set(layers) >= {"descriptors", "rlimits", "seccomp", "uid"}


def test_a_verdict_of_code_that_never_ran_lists_no_layer(verifier: Verifier, add: Problem) -> None:
    assert verifier.verify(add, "let x = (").sandbox == ()


def test_a_missing_layer_is_an_error_if_the_sandbox_is_required(add: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A layer unknown to every kernel stands for one that this kernel lacks."""
    monkeypatch.setattr(checker_process, "REQUIRED_LAYERS", (*checker_process.REQUIRED_LAYERS, "moat"))
    with Verifier(workers=1) as verifier:
        for _ in range(2):
            with pytest.raises(SandboxUnavailable, match="moat.*best-effort"):
                verifier.verify(add, add.reference)
    with Verifier(workers=1, sandbox="best-effort") as verifier:
        verdict = verifier.verify(add, add.reference)
        assert verdict.passed
        assert "moat" not in verdict.sandbox
