"""The dependency rules of the packages, checked by reading the imports of every module."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "ocaml_env"
INTEGRATIONS = PACKAGE / "integrations"

# A room is a module or folder of `ocaml_env`, or the whole of `agents` or `benchmarks`. A room imports only from lines
# above its own, or from the left of its own line. `examples` and `tests` are no rooms: nothing may import them.
HOUSE = (
    ("errors", "display"),
    ("verdict", "problem"),
    ("extract", "feedback", "prompt", "reward", "curriculum", "rollout"),
    ("engine",),
    ("verifiers",),
    ("kills",),
    ("problems",),
    ("audit",),
    ("episode",),
    ("env", "vector"),
    ("evaluation",),
    ("integrations", "server"),
    ("__init__",),
    ("commands", "__main__"),
    ("agents",),
    ("benchmarks",),
)
ROOMS = tuple(room for line in HOUSE for room in line)
MOST_ROOMS, MOST_FLOORS, MOST_ARROWS = 26, 11, 157  # raised last by one arrow: drawing shows its progress

BASE = ("errors", "problem", "verdict")
# In order: each module may use the earlier ones.
PURE = ("feedback", "prompt", "extract", "reward", "curriculum")
# The integration is here because its library's own interface consists of Gymnasium's spaces.
HOME_OF_GYMNASIUM = ("ocaml_env", "ocaml_env.env", "ocaml_env.vector", "ocaml_env.integrations.stable_baselines3")
# `ocaml-env serve` imports these when it starts to serve. The client is not among them.
SERVING = ("app", "guard", "metrics", "run", "schema")
# Models in this process: only an evaluation that names one, or the agents, import them.
IN_PROCESS = ("generating", "hf", "local", "prefix_cache")
# Likewise only for a model behind a server.
SERVED = ("openai_api",)
HEAVY = frozenset({"accelerate", "datasets", "peft", "ray", "torch", "transformers", "trl", "vllm"})
# A pure module works on values only. With these modules it could use files, clocks, processes, environment or chance.
IMPURE = frozenset(
    {
        *(
            "asyncio",
            "datetime",
            "importlib",
            "io",
            "logging",
            "multiprocessing",
            "os",
            "pathlib",
            "platform",
            "random",
        ),
        *(
            "secrets",
            "shutil",
            "signal",
            "socket",
            "subprocess",
            "sys",
            "tempfile",
            "threading",
            "time",
            "urllib",
            "uuid",
        ),
    }
)
IMPURE_CALLS = frozenset({"breakpoint", "eval", "exec", "input", "open", "print", "__import__"})


@dataclass(frozen=True, kw_only=True)
class Import:
    """One imported module.

    Attributes:
        module: its full name; ``from a import b`` counts as ``a.b`` if that is a module of this package.
        line: its line number.
        deferred: True inside a function or under TYPE_CHECKING, so that importing the module does not import it.
    """

    module: str
    line: int
    deferred: bool

    @property
    def top(self) -> str:
        return self.module.split(".")[0]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources(folder: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts)


@cache
def imports(path: Path) -> list[Import]:
    return list(_imports(ast.parse(path.read_text(encoding="utf-8")), deferred=False))


def _imports(node: ast.AST, *, deferred: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(module=alias.name, line=node.lineno, deferred=deferred)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"line {node.lineno}: relative import"
        assert node.module is not None
        for alias in node.names:
            whole = f"{node.module}.{alias.name}"
            yield Import(module=whole if _is_ours(whole) else node.module, line=node.lineno, deferred=deferred)
    elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        for then in node.body:
            yield from _imports(then, deferred=True)
        for otherwise in node.orelse:
            yield from _imports(otherwise, deferred=deferred)
    else:
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            yield from _imports(child, deferred=deferred or inside)


def _is_ours(module: str) -> bool:
    path = ROOT.joinpath(*module.split("."))
    ours = module.split(".")[0] in ("ocaml_env", "agents", "benchmarks")
    return ours and (path.with_suffix(".py").is_file() or (path / "__init__.py").is_file())


def _offences(path: Path, allowed: frozenset[str]) -> list[str]:
    """Returns the imports of a file that are neither in the standard library nor allowed."""
    return [
        f"{path.relative_to(ROOT)}:{found.line} imports {found.module}"
        for found in imports(path)
        if found.top not in sys.stdlib_module_names and not _under(found.module, allowed)
    ]


def _under(module: str, names: frozenset[str]) -> bool:
    return any(module == name or module.startswith(name + ".") for name in names)


def _ours(*names: str) -> frozenset[str]:
    return frozenset(f"ocaml_env.{name}" for name in names)


ALL = sources("ocaml_env")


def test_the_reader_of_imports_sees_every_kind(tmp_path: Path) -> None:
    file = tmp_path / "sample.py"
    file.write_text(
        "import torch\n"
        "from ocaml_env import problem\n"
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    import trl\n"
        "def f():\n    import gymnasium.spaces\n"
        "try:\n    import peft\nexcept ImportError:\n    pass\n"
    )
    assert [(found.module, found.deferred) for found in imports(file)] == [
        ("torch", False),
        ("ocaml_env.problem", False),
        ("typing", False),
        ("trl", True),
        ("gymnasium.spaces", True),
        ("peft", False),
    ]


# --- the house --------------------------------------------------------------------------------------------------------


def room_of(module: str) -> str:
    """Returns the room of a module. The room of ``ocaml_env`` itself is ``__init__``."""
    top, *rest = module.split(".")
    return top if top != "ocaml_env" else rest[0] if rest else "__init__"


@cache
def arrows_between_modules() -> dict[str, set[str]]:
    """Maps each of our modules to the modules of ours that it imports, deferred imports included.

    ``from ocaml_env import __version__`` does not count: Python runs the package before its modules, so the number is
    already defined.
    """
    graph: dict[str, set[str]] = {}
    for folder in ("ocaml_env", "agents", "benchmarks"):
        for path in sources(folder):
            text = path.read_text(encoding="utf-8").replace("from ocaml_env import __version__\n", "\n")
            found = _imports(ast.parse(text), deferred=False)
            name = module_name(path)
            graph[name] = {
                imported.module for imported in found if imported.top in ("ocaml_env", "agents", "benchmarks")
            } - {name}
    return graph


@cache
def arrows_between_rooms() -> dict[str, set[str]]:
    house: dict[str, set[str]] = {}
    for module, imported in arrows_between_modules().items():
        room = room_of(module)
        house.setdefault(room, set()).update({room_of(target) for target in imported} - {room})
    return house


def test_every_room_has_its_place() -> None:
    assert sorted(arrows_between_rooms()) == sorted(ROOMS)


def test_a_room_imports_only_from_rooms_above_it() -> None:
    for place, room in enumerate(ROOMS):
        assert (room, arrows_between_rooms()[room] - set(ROOMS[:place])) == (room, set())


def test_modules_have_no_import_cycle_even_with_deferred_imports() -> None:
    TopologicalSorter(arrows_between_modules()).prepare()  # raises CycleError, which names the cycle


def test_the_house_stays_small() -> None:
    house = arrows_between_rooms()
    floors: dict[str, int] = {}
    for room in TopologicalSorter(house).static_order():
        floors[room] = 1 + max((floors[below] for below in house[room]), default=0)
    arrows = sum(map(len, house.values()))
    say = sys.stdout.write  # `pytest -s` shows the house
    say(f"{len(house)} rooms, {max(floors.values())} floors, {arrows} arrows\n")
    for room in sorted(house, key=lambda room: (floors[room], room)):
        say(f"  floor {floors[room]:>2}  {room:<13} imports {', '.join(sorted(house[room])) or 'nothing'}\n")
    assert len(house) <= MOST_ROOMS
    assert max(floors.values()) <= MOST_FLOORS
    assert arrows <= MOST_ARROWS


def test_nothing_imports_the_examples() -> None:
    tops = {
        found.top for folder in ("ocaml_env", "agents", "benchmarks") for p in sources(folder) for found in imports(p)
    }
    assert "examples" not in tops


@pytest.mark.parametrize("name", BASE)
def test_the_base_uses_the_standard_library_only(name: str) -> None:
    for path in _files_of(name):
        assert _offences(path, _ours(*BASE)) == []


@pytest.mark.parametrize("name", PURE)
def test_a_pure_module_uses_only_the_base_and_earlier_pure_modules(name: str) -> None:
    below = PURE[: PURE.index(name)]
    for path in _files_of(name):
        assert _offences(path, _ours(*BASE, *below, name)) == []


@pytest.mark.parametrize("name", PURE)
def test_a_pure_module_has_no_files_clock_environment_or_chance(name: str) -> None:
    for path in _files_of(name):
        assert [found.module for found in imports(path) if found.top in IMPURE] == []
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert called & IMPURE_CALLS == set()


def _files_of(name: str) -> list[Path]:
    """Returns the files of a room: one file, or all files of a folder."""
    return [path for path in ALL if module_name(path).split(".")[1:2] == [name]]


def test_every_module_that_a_rule_names_exists() -> None:
    known = {module_name(path) for path in ALL}
    assert {*_ours(*BASE, *PURE, "engine"), *HOME_OF_GYMNASIUM} <= known


def test_the_engine_uses_problems_and_verdicts_but_no_rewards() -> None:
    engine = [path for path in ALL if module_name(path).startswith("ocaml_env.engine")]
    assert engine
    assert [offence for path in engine for offence in _offences(path, _ours(*BASE, "engine"))] == []


def test_gymnasium_appears_in_the_environments_only() -> None:
    users = [path for path in ALL if "gymnasium" in {found.top for found in imports(path)}]
    assert [path for path in users if module_name(path) not in HOME_OF_GYMNASIUM] == []


def test_the_library_never_imports_agents_benchmarks_or_tests() -> None:
    above = {"agents", "benchmarks", "scripts", "tests"}
    assert [path for path in ALL if {found.top for found in imports(path)} & above] == []


def test_agents_never_import_benchmarks() -> None:
    assert [path for path in sources("agents") if "benchmarks" in {found.top for found in imports(path)}] == []


def test_the_doctor_reads_runs_without_torch() -> None:
    heavy = {"accelerate", "datasets", "peft", "torch", "transformers", "trl"}
    users = [path.name for path in sources("agents/health") if {found.top for found in imports(path)} & heavy]
    assert users == ["callback.py"]


def test_importing_needs_the_core_dependencies_and_no_more() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    core, server = (
        {re.split(r"[^A-Za-z0-9_-]", line)[0].replace("-", "_") for line in lines}
        for lines in (project["dependencies"], project["optional-dependencies"]["server"])
    )
    for path in ALL:
        allowed = {*core, "ocaml_env"}
        if path.parent == INTEGRATIONS and path.stem != "__init__":
            allowed.add(path.stem)  # the module has the name of its library
        if module_name(path) in _ours(*(f"server.{name}" for name in SERVING)):
            allowed |= server
        if module_name(path) in _ours(*(f"evaluation.models.{name}" for name in IN_PROCESS)):
            allowed |= {"peft", "torch", "transformers"}  # the extra `hf`
        if module_name(path) in _ours(*(f"evaluation.models.{name}" for name in SERVED)):
            allowed.add("aiohttp")  # the extra `evaluate`
        needed = {found.top for found in imports(path) if not found.deferred}
        assert (path, needed - sys.stdlib_module_names - allowed) == (path, set())


def test_an_integration_is_imported_by_nothing_of_the_library() -> None:
    users = [path for path in ALL if any(found.module.startswith("ocaml_env.integrations") for found in imports(path))]
    assert [path for path in users if path.parent != INTEGRATIONS] == []
    assert imports(INTEGRATIONS / "__init__.py") == []


def test_models_with_dependencies_are_imported_only_on_demand() -> None:
    heavy = _ours(*(f"evaluation.models.{name}" for name in (*IN_PROCESS, *SERVED)))
    for path in ALL:
        if module_name(path) not in heavy:
            assert [found.module for found in imports(path) if found.module in heavy and not found.deferred] == []


def test_modules_that_serve_are_imported_only_on_demand() -> None:
    serving = _ours(*(f"server.{name}" for name in SERVING))
    for path in ALL:
        if module_name(path) not in serving:
            assert [found.module for found in imports(path) if found.module in serving and not found.deferred] == []


_IMPORT_ALL = """
import importlib, pkgutil, sys
import ocaml_env
for module in pkgutil.walk_packages(ocaml_env.__path__, "ocaml_env."):
    if not (module.name.endswith(".__main__") or ".integrations." in module.name or module.name in sys.argv[1:]):
        importlib.import_module(module.name)
print(*sorted({name.split(".")[0] for name in sys.modules}))
"""


def test_importing_every_module_loads_no_deep_learning_library() -> None:
    left_out = sorted(_ours(*(f"evaluation.models.{name}" for name in (*IN_PROCESS, *SERVED))))
    left_out += [] if find_spec("fastapi") else sorted(_ours(*(f"server.{name}" for name in SERVING)))
    program = [sys.executable, "-c", _IMPORT_ALL, *left_out]
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, timeout=120)
    loaded = set(done.stdout.split())
    assert done.stderr == ""
    assert "ocaml_env" in loaded
    assert loaded & HEAVY == set()
