"""The capability policy, checked against every value of the installed OCaml.

`audit_policy.ml` reads the compiled interfaces of the standard library and `Str` and prints the policy's decision on
each value. The tests state the right decisions, for any installed OCaml version.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "ocaml"
ENGINE = Path(__file__).parents[2] / "ocaml_env" / "engine" / "ocaml"

# Each line is a family of attacks that broke the engine, or would break it.
DANGEROUS = """
    Stdlib__Obj: magic repr obj field set_field tag size new_block dup add_offset raw_field set_raw_field truncate
    Stdlib__Marshal: to_channel to_string to_bytes from_channel from_string from_bytes
    Stdlib: open_in open_in_bin open_in_gen open_out open_out_bin open_out_gen input_value output_value
    Stdlib: do_at_exit do_domain_local_at_exit unsafe_really_input
    Stdlib__Pervasives: open_in open_out input_value output_value do_at_exit
    Stdlib__Sys: command signal set_signal remove rename readdir getcwd chdir mkdir rmdir file_exists is_directory
    Stdlib__Int32: format
    Stdlib__Int64: format
    Stdlib__Nativeint: format
    Stdlib__Bytes: unsafe_escape
    Stdlib__Uchar: unsafe_to_char
    Stdlib__Bigarray: reshape reshape_2 reshape_3 Genarray.sub_left Genarray.sub_right
    Str: replace_matched
    Stdlib__Lexing: engine new_engine
    Stdlib__Parsing: yyparse peek_val
    Stdlib__Callback: register register_exception
    Stdlib__Hashtbl: randomize
    Stdlib__MoreLabels: Hashtbl.randomize
    Stdlib__Printexc: catch set_uncaught_exception_handler get_callstack convert_raw_backtrace_slot
    Stdlib__Gc: finalise finalise_last create_alarm delete_alarm Memprof.start
    Stdlib__Digest: file channel input S.file S.channel S.input
    Stdlib__Filename: temp_file open_temp_file temp_dir
    Stdlib__Scanf: Scanning.open_in Scanning.open_in_bin Scanning.from_file Scanning.from_file_bin
    Stdlib__In_channel: open_bin open_text open_gen with_open_bin with_open_text input_bigarray
    Stdlib__Out_channel: open_bin open_text open_gen with_open_bin with_open_text output_bigarray
    Stdlib__Oo: new_method public_method_label
    Stdlib__Domain: spawn at_exit DLS.get
    Stdlib__Effect: perform Deep.match_with Shallow.continue_with
    Stdlib__Mutex: lock
    Stdlib__Condition: wait
    Stdlib__Ephemeron: K1.get_key_copy K2.get_data_copy
    Stdlib__Weak: get_copy
    CamlinternalFormat: make_printf type_format
    CamlinternalOO: send params
"""

FOR_PROGRAMS = """
    Stdlib: exit at_exit stdin read_line read_int read_float input_line
    Stdlib: input_char really_input_string close_in close_out
    Stdlib__Pervasives: exit at_exit stdin read_line
    Stdlib__Scanf: scanf Scanning.stdin Scanning.from_channel
    Stdlib__Arg: parse
    Stdlib__Lexing: from_channel
    Stdlib__In_channel: stdin input_all input_line
"""

FOR_EVERYBODY = """
    Stdlib: print_string stdout flush output_string prerr_endline ^^ compare max_int
    Stdlib__Printf: printf sprintf
    Stdlib__Format: printf std_formatter asprintf
    Stdlib__Scanf: sscanf bscanf Scanning.from_string
    Stdlib__Sys: argv word_size opaque_identity getenv_opt time interactive
    Stdlib__Printexc: to_string print_backtrace record_backtrace
    Stdlib__Random: self_init int State.make
    Stdlib__Gc: compact stat set
    Stdlib__Filename: concat basename extension
    Stdlib__Bigarray: Array1.create Array2.get Array1.unsafe_get Genarray.create
    Stdlib__Array: unsafe_get unsafe_set
    Stdlib__Bytes: unsafe_to_string unsafe_of_string unsafe_get unsafe_blit unsafe_blit_string unsafe_fill
    Stdlib__BytesLabels: unsafe_blit unsafe_blit_string unsafe_fill
    Stdlib__String: unsafe_blit
    Stdlib__StringLabels: unsafe_blit
    Stdlib__Char: unsafe_chr
    Stdlib__Uchar: unsafe_of_int
    Stdlib__Lexing: from_string lexeme
    Stdlib__Oo: copy id
    Stdlib__Atomic: make incr
    Stdlib__Map: Make.find_opt S.add
    Stdlib__Hashtbl: Make.replace hash create
    Str: regexp global_replace split
"""

# Primitives that trust their arguments, or have an effect outside the program.
DANGEROUS_PRIMITIVES = """
    %array_unsafe_get %array_unsafe_set %bytes_unsafe_get %bytes_unsafe_set %string_unsafe_get %string_unsafe_set
    %floatarray_unsafe_get %floatarray_unsafe_set %caml_ba_unsafe_ref_1 %caml_ba_unsafe_set_1 %caml_string_get64u
    %caml_bytes_get64u %caml_bytes_set64u %obj_size %obj_field %obj_set_field %obj_is_int %perform %send %sendself
    caml_blit_bytes caml_blit_string caml_fill_bytes caml_fill_string caml_array_blit caml_array_sub caml_array_append
    caml_array_concat caml_array_fill caml_floatarray_blit caml_int32_format caml_int64_format caml_nativeint_format
    caml_format_int caml_format_float caml_obj_tag caml_obj_set_tag caml_obj_block caml_obj_with_tag caml_obj_truncate
    caml_obj_add_offset caml_obj_raw_field caml_obj_set_raw_field caml_md5_string caml_md5_chan caml_ba_reshape
    caml_lex_engine caml_new_lex_engine caml_parse_engine caml_weak_get caml_ephe_get_key caml_output_value_to_string
    caml_input_value_from_bytes caml_register_named_value caml_install_signal_handler caml_gc_set caml_final_register
    caml_sys_system_command caml_sys_open caml_sys_close caml_sys_exit caml_sys_remove caml_sys_rename caml_sys_getcwd
    caml_ml_open_descriptor_in caml_ml_open_descriptor_out caml_static_alloc caml_dynlink_open_lib caml_reify_bytecode
    caml_realloc_global caml_get_global_data caml_get_public_method caml_get_current_callstack caml_memprof_start
    caml_alloc_dummy caml_update_dummy caml_set_oo_id re_replacement_text
"""

VARIANTS = {
    "ArrayLabels": "Array",
    "BytesLabels": "Bytes",
    "ListLabels": "List",
    "StringLabels": "String",
}


@dataclass(frozen=True, kw_only=True)
class Value:
    """One value of an interface and the policy's decision on it."""

    unit: str
    path: str
    primitive: str | None
    status: str
    in_functions: bool
    in_programs: bool
    becomes: str  # "itself", "nothing", or the primitive that replaces its own

    @property
    def name(self) -> str:
        """Returns a name such as `Stdlib__Scanf.Scanning.open_in`."""
        return f"{self.unit}.{self.path}"

    @property
    def usable(self) -> bool:
        """Says if some candidate can call it."""
        return self.in_functions or self.in_programs


@dataclass(frozen=True, kw_only=True)
class Audit:
    """The report of `audit_policy.ml` on the installed version."""

    values: Mapping[str, Value]
    units: Mapping[str, str]  # offered, known or refused
    imports: frozenset[tuple[str, str]]
    aliases: frozenset[tuple[str, str, str]]
    listed: frozenset[str]


def named(table: str) -> list[str]:
    """Reads a table of `Unit: path path ...` lines."""
    lines = [line.split(": ", 1) for line in table.splitlines() if line.strip() and not line.startswith("#")]
    return [f"{unit.strip()}.{path}" for unit, paths in lines for path in paths.split()]


def output_of(*command: str | Path, cwd: Path) -> str:
    """Runs a command of the toolchain and returns its output."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """Compiles the policy with its audit program, runs it, and reads the report."""
    if shutil.which("ocamlfind") is None:
        if os.environ.get("CI"):
            pytest.fail("ocamlfind is not installed")
        pytest.skip("ocamlfind is not installed")
    build = tmp_path_factory.mktemp("policy")
    sources = [ENGINE / "policy.mli", ENGINE / "policy.ml", HERE / "audit_policy.ml"]
    for source in sources:
        shutil.copy(source, build)
    output_of(
        *("ocamlfind", "ocamlc", "-package", "compiler-libs.common", "-linkpkg", "-o", "audit"),
        *(source.name for source in sources),
        cwd=build,
    )
    library = Path(output_of("ocamlfind", "ocamlc", "-where", cwd=build))
    interfaces = [
        *sorted(library.glob("stdlib*.cmi")),
        *sorted(library.glob("camlinternal*.cmi")),
        Path(output_of("ocamlfind", "query", "str", cwd=build)) / "str.cmi",
    ]
    lines = [line.split("\t") for line in output_of(build / "audit", *interfaces, cwd=build).splitlines()]
    values = [
        Value(
            unit=unit,
            path=path,
            primitive=None if primitive == "-" else primitive,
            status=status,
            in_functions=functions == "true",
            in_programs=programs == "true",
            becomes=becomes,
        )
        for kind, *fields in lines
        if kind == "value"
        for unit, path, primitive, status, functions, programs, becomes in [fields]
    ]
    return Audit(
        values={value.name: value for value in values},
        units={fields[0]: fields[1] for kind, *fields in lines if kind == "unit"},
        imports=frozenset((fields[0], fields[1]) for kind, *fields in lines if kind == "import"),
        aliases=frozenset((fields[0], fields[1], fields[2]) for kind, *fields in lines if kind == "alias"),
        listed=frozenset(".".join(fields) for kind, *fields in lines if kind == "listed"),
    )


def test_the_audit_sees_the_whole_library(audit: Audit) -> None:
    assert len(audit.values) > 2_500
    assert {"Stdlib.exit", "Stdlib__Hashtbl.Make.find", "Stdlib__Map.S.add", "Str.regexp"} <= audit.values.keys()


def test_every_value_that_can_be_named_is_classified(audit: Audit) -> None:
    assert [value.name for value in audit.values.values() if value.status == "unclassified"] == []


def test_every_unit_of_the_library_is_known(audit: Audit) -> None:
    assert [unit for unit, standing in audit.units.items() if standing == "refused"] == []


def test_every_interface_imported_by_a_known_unit_is_known(audit: Audit) -> None:
    assert {imported for _, imported in audit.imports} <= audit.units.keys()


def test_aliases_lead_only_to_audited_units(audit: Audit) -> None:
    for unit, path, target in audit.aliases:
        head = target.split(".", 1)[0]
        inside = any(name.startswith(f"{unit}.{head}.") for name in audit.values)
        assert head in audit.units or inside, f"{unit}.{path} = {target}"


def test_every_reachable_external_is_safe_or_replaced(audit: Audit) -> None:
    assert [
        f"{value.name} = {value.primitive}"
        for value in audit.values.values()
        if value.usable and value.primitive is not None and value.becomes == "nothing"
    ] == []


def test_no_unchecked_or_outward_primitive_is_reached(audit: Audit) -> None:
    dangerous = set(DANGEROUS_PRIMITIVES.split())
    assert [
        f"{value.name} = {value.primitive}"
        for value in audit.values.values()
        if value.usable and value.primitive in dangerous and value.becomes in {"itself", "nothing", *dangerous}
    ] == []


def test_dangerous_primitives_are_not_called_safe() -> None:
    text = (ENGINE / "policy.ml").read_text(encoding="utf-8")
    safe = text.split("let safe_primitives", 1)[1].split("let checked_primitives", 1)[0].replace("{|", " ").split()
    assert "%array_safe_get" in safe
    assert set(safe) & set(DANGEROUS_PRIMITIVES.split()) == set()


def test_dangerous_values_are_withheld_from_everybody(audit: Audit) -> None:
    present = [audit.values[name] for name in named(DANGEROUS) if name in audit.values]
    assert len(present) > 80
    assert [value.name for value in present if value.usable or not value.status.startswith("withheld")] == []


def test_input_and_exit_are_for_programs_only(audit: Audit) -> None:
    present = [audit.values[name] for name in named(FOR_PROGRAMS) if name in audit.values]
    assert len(present) > 15
    assert [value.name for value in present if value.in_functions or not value.in_programs] == []


def test_harmless_values_are_for_everybody(audit: Audit) -> None:
    assert [name for name in named(FOR_EVERYBODY) if not audit.values[name].in_functions] == []
    assert [name for name in named(FOR_EVERYBODY) if not audit.values[name].in_programs] == []


def test_only_units_offered_have_values_for_candidates(audit: Audit) -> None:
    for value in audit.values.values():
        if value.usable and value.status != "for the compiler":
            assert audit.units[value.unit] == "offered", value.name


def test_values_kept_for_the_compiler_are_in_units_closed_to_candidates(audit: Audit) -> None:
    kept = [value for value in audit.values.values() if value.status == "for the compiler"]
    assert kept
    assert all(value.unit.startswith("Camlinternal") for value in kept)


def test_a_stand_in_replaces_an_ordinary_value_or_a_bare_conversion(audit: Audit) -> None:
    stand_ins = [value for value in audit.values.values() if value.status.startswith("stands for")]
    assert stand_ins
    assert all(value.primitive in {None, "%identity"} for value in stand_ins)


def test_re_exported_values_have_the_same_status(audit: Audit) -> None:
    def original(value: Value) -> Value | None:
        if value.unit == "Stdlib__Pervasives":
            return audit.values.get(f"Stdlib.{value.path}")
        if value.unit == "Stdlib__MoreLabels":
            return audit.values.get("Stdlib__" + value.path)
        unit = VARIANTS.get(value.unit.removeprefix("Stdlib__"))
        return audit.values.get(f"Stdlib__{unit}.{value.path}") if unit else None

    pairs = [(value, source) for value in audit.values.values() if (source := original(value)) is not None]
    assert len(pairs) > 400
    assert [value.name for value, source in pairs if value.status != source.status] == []


def test_every_name_in_the_policy_and_in_these_tests_exists_in_some_version(audit: Audit) -> None:
    elsewhere = set(named((HERE / "version_dependent.txt").read_text(encoding="utf-8")))
    names = {*audit.listed, *named(DANGEROUS), *named(FOR_PROGRAMS), *named(FOR_EVERYBODY)}
    # The old name of `Stdlib`, absent from OCaml 5, shares the lists of `Stdlib`.
    names = {name.replace("Stdlib__Pervasives.", "Stdlib.") for name in names}
    assert sorted(names - audit.values.keys() - elsewhere) == []
