/* Answers the runtime's questions about the world alike in every run, records the true causes of memory failures,
   and guards primitives that trust their arguments. The linker's --wrap redirects the runtime's own calls and its
   table of primitives to this file.

   Before [ocaml_env_in_child] is set (in the runner's parent) every function behaves as the original. */
#define CAML_INTERNALS
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <caml/alloc.h>
#include <caml/bigarray.h>
#include <caml/fail.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>

#include "report.h"

int ocaml_env_in_child = 0;

/* Each seed is another one than those before. A test gets what it would get as the first of all: which tests ran before it
   makes no difference. */
static long seeds_given = 0, seeds_given_before_tests = 0;

void ocaml_env_seeds_before_tests(void) { seeds_given_before_tests = seeds_given; }
void ocaml_env_seeds_before_call(void) { seeds_given = seeds_given_before_tests; }

#ifdef __linux__

/* --- the limit on memory: where the runtime is refused some, the child ends at once. A candidate that could catch the
   exception would go on with a full heap, and what its next tests do there depends on the collector's mood. A candidate
   may raise Out_of_memory itself: that is an exception like others. --- */

CAMLnoreturn_start static void end_without_memory(void) CAMLnoreturn_end;
static void end_without_memory(void) {
  report_send('M', 0);
  _exit(123);
}

CAMLnoreturn_start void __real_caml_raise_out_of_memory(void) CAMLnoreturn_end;
CAMLnoreturn_start void __wrap_caml_raise_out_of_memory(void) CAMLnoreturn_end;

void __wrap_caml_raise_out_of_memory(void) {
  if (ocaml_env_in_child) end_without_memory();
  __real_caml_raise_out_of_memory();
}

CAMLnoreturn_start void __wrap_caml_fatal_error(char *format, ...) CAMLnoreturn_end;

void __wrap_caml_fatal_error(char *format, ...) {
  if (ocaml_env_in_child && (strstr(format, "memory") || strstr(format, "alloc"))) end_without_memory();
  const char *prefix = "runner: fatal error: ";
  if (write(2, prefix, strlen(prefix)) < 0 || write(2, format, strlen(format)) < 0 || write(2, "\n", 1) < 0) _exit(124);
  _exit(124);
}

/* --- clocks, seeds, environment --- */

value __real_caml_sys_random_seed(value unit);
value __real_caml_sys_getenv(value name);

/* Fixed seeds: Random.self_init and randomised hash tables give the same numbers in every run. */
value __wrap_caml_sys_random_seed(value unit) {
  if (!ocaml_env_in_child) return __real_caml_sys_random_seed(unit);
  value seed = caml_alloc_small(1, 0);
  Field(seed, 0) = Val_long(20251210 + seeds_given++);
  return seed;
}

/* A clock that advances by one millisecond at each look: a program that measures itself sees time go by, and nothing
   that differs from run to run. */
static double clock_seconds(void) {
  static double now = 0.;
  return now += 0.001;
}

value __wrap_caml_sys_time(value unit) {
  (void)unit;
  return caml_copy_double(clock_seconds());
}

value __wrap_caml_sys_time_include_children(value children) {
  (void)children;
  return caml_copy_double(clock_seconds());
}

value __wrap_caml_sys_getenv(value name) {
  if (!ocaml_env_in_child) return __real_caml_sys_getenv(name);
  caml_raise_not_found();
}

value __wrap_caml_sys_executable_name(value unit) {
  (void)unit;
  return caml_copy_string("program");
}

/* --- the collector's figures depend on what else the process has done: they are all one --- */

static value constant_statistics(void) {
  CAMLparam0();
  CAMLlocal1(record);
  enum { FIELDS = 17, FLOATS = 3 };
  record = caml_alloc(FIELDS, 0);
  for (int i = 0; i < FIELDS; i++) Store_field(record, i, i < FLOATS ? caml_copy_double(1.) : Val_long(1));
  CAMLreturn(record);
}

value __wrap_caml_gc_stat(value unit) {
  (void)unit;
  return constant_statistics();
}

value __wrap_caml_gc_quick_stat(value unit) {
  (void)unit;
  return constant_statistics();
}

/* A full collection moves nothing, so the library stays where it was noted (see service.c). */
value caml_gc_full_major(value unit);
value __wrap_caml_gc_compaction(value unit) { return caml_gc_full_major(unit); }

value __wrap_caml_gc_counters(value unit) {
  CAMLparam1(unit);
  CAMLlocal1(triple);
  triple = caml_alloc(3, 0);
  for (int i = 0; i < 3; i++) Store_field(triple, i, caml_copy_double(1.));
  CAMLreturn(triple);
}

value __wrap_caml_gc_minor_words(value unit) {
  (void)unit;
  return caml_copy_double(0.);
}

value __wrap_caml_get_minor_free(value unit) {
  (void)unit;
  return Val_long(0);
}

/* --- memory that nobody has written yet reads as zero --- */

value __real_caml_create_bytes(value length);
value __wrap_caml_create_bytes(value length) {
  value bytes = __real_caml_create_bytes(length);
  memset(Bytes_val(bytes), 0, caml_string_length(bytes));
  return bytes;
}

value __real_caml_create_string(value length);
value __wrap_caml_create_string(value length) { return __wrap_caml_create_bytes(length); }

static value zero_floats(value array) {
  if (Is_block(array) && Wosize_val(array) > 0) memset((void *)array, 0, Bosize_val(array));
  return array;
}

value __real_caml_floatarray_create(value length);
value __wrap_caml_floatarray_create(value length) { return zero_floats(__real_caml_floatarray_create(length)); }

value __real_caml_make_float_vect(value length);
value __wrap_caml_make_float_vect(value length) { return zero_floats(__real_caml_make_float_vect(length)); }

value __real_caml_ba_create(value kind, value layout, value dimensions);
value __wrap_caml_ba_create(value kind, value layout, value dimensions) {
  value array = __real_caml_ba_create(kind, layout, dimensions);
  memset(Caml_ba_data_val(array), 0, caml_ba_byte_size(Caml_ba_array_val(array)));
  return array;
}

/* --- a function hashes by the address of its code, which depends on what was loaded before --- */

enum { HASH_LOOK = 256 }; /* as many values as the hash function itself looks at, at most */

static int reaches_a_function(value v) {
  value queue[HASH_LOOK];
  int read = 0, written = 0;
  queue[written++] = v;
  while (read < written) {
    v = queue[read++];
    if (!Is_block(v)) continue;
    tag_t tag = Tag_val(v);
    if (tag == Closure_tag || tag == Infix_tag) return 1;
    if (tag == Forward_tag) {
      if (written < HASH_LOOK) queue[written++] = Forward_val(v);
    } else if (tag < No_scan_tag && tag != Object_tag) {
      for (mlsize_t i = 0; i < Wosize_val(v) && written < HASH_LOOK; i++) queue[written++] = Field(v, i);
    }
  }
  return 0;
}

value __real_caml_hash(value count, value limit, value seed, value v);
value __wrap_caml_hash(value count, value limit, value seed, value v) {
  if (Is_block(v) && Tag_val(v) < No_scan_tag && reaches_a_function(v)) return Val_long(0);
  return __real_caml_hash(count, limit, seed, v);
}

/* --- formats: before OCaml 5 a precision that overflows C's int makes vsnprintf fail, and the runtime takes its -1 for
   the length of a string: a read of arbitrary memory. No honest number needs this many digits. --- */

enum { DIGITS_MAX = 100000 };

static void check_format(value format) {
  long number = 0;
  for (const char *at = String_val(format); *at; at++) {
    number = *at >= '0' && *at <= '9' ? number * 10 + (*at - '0') : 0;
    if (number > DIGITS_MAX) caml_invalid_argument("format: width or precision too large");
  }
}

#define GUARD_FORMAT(function) \
  value __real_##function(value format, value number); \
  value __wrap_##function(value format, value number) { \
    check_format(format); \
    return __real_##function(format, number); \
  }

GUARD_FORMAT(caml_format_int)
GUARD_FORMAT(caml_format_float)
GUARD_FORMAT(caml_int32_format)
GUARD_FORMAT(caml_int64_format)
GUARD_FORMAT(caml_nativeint_format)

value __real_caml_hexstring_of_float(value number, value precision, value style);
value __wrap_caml_hexstring_of_float(value number, value precision, value style) {
  if (Long_val(precision) > DIGITS_MAX) caml_invalid_argument("format: precision too large");
  return __real_caml_hexstring_of_float(number, precision, style);
}

#endif
