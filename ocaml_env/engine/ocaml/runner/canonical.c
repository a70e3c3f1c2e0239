/* Values as bytes, in one of three encodings. The canonical one is for polymorphic equality: two values encode to the same
   bytes exactly when `=` holds between them. What `=` refuses or never finds equal (closures, abstract blocks, nan) is not
   encoded but named. Both the candidate's answer and the expected value go through here, in two different processes, and
   only the bytes meet. The exact one keeps nan and the sign of zero: for the leaves of a test, over which the checker
   computes (see data.mli). What is shown of a value is exact, too, names what cannot be encoded in its place, and is cut
   off if it is long: for people (see value_printer.mli).

   The traversal is iterative, bounded in depth and in output, so that a cycle or a huge shared value ends as "too
   large". No memory is allocated on the OCaml heap. */
#define CAML_INTERNALS /* for the tags and the names of custom blocks */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <caml/alloc.h>
#include <caml/bigarray.h>
#include <caml/custom.h>
#include <caml/fail.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/printexc.h>

#include "report.h"

enum { DEPTH_MAX = 1 << 16, CANONICAL_MAX = 1 << 20, SHOWN_MAX = 1 << 14, SHOWN_TEXT_MAX = 256, TEXT_MAX = 500 };
enum encoding { CANONICAL, EXACT, SHOWN };

static struct { value *next; mlsize_t left; } pending[DEPTH_MAX];
static size_t size, most;
static enum encoding encoding;

static void begin(enum encoding chosen) {
  encoding = chosen;
  most = chosen == EXACT ? REPORT_PAYLOAD_MAX : chosen == CANONICAL ? CANONICAL_MAX : SHOWN_MAX;
  size = 0;
}

static int put(const void *bytes, size_t count) {
  if (count > most - size) return 0;
  memcpy(report_payload + size, bytes, count);
  size += count;
  return 1;
}

static int put_head(char kind, int64_t number) {
  unsigned char head[9];
  head[0] = (unsigned char)kind;
  for (int i = 0; i < 8; i++) head[1 + i] = (unsigned char)((uint64_t)number >> (8 * i));
  return put(head, sizeof head);
}

/* -0. equals 0., so they share one canonical encoding. Returns 0 when there is no room; the caller has excluded nan. */
static int put_double(double d) {
  if (d == 0. && encoding == CANONICAL) d = 0.;
  return put(&d, sizeof d);
}

static const char *const too_large = "a value that is cyclic or larger than 1 MiB when written out";
static const char *const not_a_number = "nan, which equals nothing";

static int is_refused(double d) { return d != d && encoding == CANONICAL; }

static const char *encode_bigarray(value v) {
  if (encoding != CANONICAL) return "a bigarray";
  struct caml_ba_array *array = Caml_ba_array_val(v);
  int kind = array->flags & CAML_BA_KIND_MASK;
  /* Equality looks at the kind, the layout and the dimensions before the elements. */
  if (!put_head('B', array->flags & (CAML_BA_KIND_MASK | CAML_BA_LAYOUT_MASK))) return too_large;
  if (!put_head('n', array->num_dims)) return too_large;
  uintnat elements = 1;
  for (intnat i = 0; i < array->num_dims; i++) {
    if (!put_head('n', array->dim[i])) return too_large;
    elements *= (uintnat)array->dim[i];
  }
  if (elements > most) return too_large;
  switch (kind) {
  case CAML_BA_FLOAT32:
  case CAML_BA_COMPLEX32: {
    float *data = array->data;
    uintnat count = kind == CAML_BA_COMPLEX32 ? 2 * elements : elements;
    for (uintnat i = 0; i < count; i++) {
      if (is_refused(data[i])) return not_a_number;
      if (!put_double(data[i])) return too_large;
    }
    return NULL;
  }
  case CAML_BA_FLOAT64:
  case CAML_BA_COMPLEX64: {
    double *data = array->data;
    uintnat count = kind == CAML_BA_COMPLEX64 ? 2 * elements : elements;
    for (uintnat i = 0; i < count; i++) {
      if (is_refused(data[i])) return not_a_number;
      if (!put_double(data[i])) return too_large;
    }
    return NULL;
  }
  case CAML_BA_SINT8:
  case CAML_BA_UINT8:
  case CAML_BA_CHAR:
    return put(array->data, elements) ? NULL : too_large;
  case CAML_BA_SINT16:
  case CAML_BA_UINT16:
    return put(array->data, 2 * elements) ? NULL : too_large;
  case CAML_BA_INT32:
    return put(array->data, 4 * elements) ? NULL : too_large;
  case CAML_BA_INT64:
  case CAML_BA_CAML_INT:
  case CAML_BA_NATIVE_INT:
    return put(array->data, 8 * elements) ? NULL : too_large;
  default:
    return "a bigarray of an unknown kind";
  }
}

static const char *encode_custom(value v) {
  const char *identifier = Custom_ops_val(v)->identifier;
  if (!strcmp(identifier, "_j")) return put_head('L', Int64_val(v)) ? NULL : too_large;
  if (!strcmp(identifier, "_i")) return put_head('l', Int32_val(v)) ? NULL : too_large;
  if (!strcmp(identifier, "_n")) return put_head('N', Nativeint_val(v)) ? NULL : too_large;
  if (!strncmp(identifier, "_bigarr", 7)) return encode_bigarray(v);
  return "an abstract value";
}

/* Exceptions and extension constructors are equal when they are the same slot. Those of the standard library get their
   numbers before any code of a problem runs, so name and number agree between processes; those of a candidate or of a
   prelude never meet an expected value, since no test whose right side has one is split. */
static const char *encode_slot(value v) {
  if (encoding == EXACT) return "an exception or an object";
  if (Wosize_val(v) != 2 || !Is_block(Field(v, 0)) || Tag_val(Field(v, 0)) != String_tag) return "an object";
  mlsize_t length = caml_string_length(Field(v, 0));
  if (encoding == SHOWN) {
    if (!put_head('E', (int64_t)length)) return too_large;
  } else if (!put_head('E', Long_val(Field(v, 1))) || !put_head('n', (int64_t)length)) return too_large;
  return put(String_val(Field(v, 0)), length) ? NULL : too_large;
}

/* NULL when the encoding of [v] was added to the payload, else what stands in the way. */
static const char *encode(value v) {
  size_t depth = 0;
  const char *obstacle = NULL;
  for (;;) {
    if (Is_long(v)) {
      if (!put_head('i', Long_val(v))) return too_large;
    } else {
      switch (Tag_val(v)) {
      case Forward_tag:
        v = Forward_val(v);
        continue;
      case String_tag: {
        mlsize_t length = caml_string_length(v);
        if (encoding == SHOWN && length > SHOWN_TEXT_MAX) {
          /* The whole length, then the beginning. */
          if (!put_head('t', (int64_t)length)) return too_large;
          length = SHOWN_TEXT_MAX;
        }
        if (!put_head('s', (int64_t)length) || !put(String_val(v), length)) return too_large;
        break;
      }
      case Double_tag: {
        double d = Double_val(v);
        if (is_refused(d)) return not_a_number;
        if (!put("d", 1) || !put_double(d)) return too_large;
        break;
      }
      case Double_array_tag: {
        mlsize_t count = Wosize_val(v) / Double_wosize;
        /* In OCaml 5.3 `Array.sub` gives an empty array of floats this tag; every other empty array has tag 0. */
        if (!(count ? put_head('D', (int64_t)count) : put_head('b', 0))) return too_large;
        for (mlsize_t i = 0; i < count; i++) {
          double d = Double_flat_field(v, i);
          if (is_refused(d)) return not_a_number;
          if (!put_double(d)) return too_large;
        }
        break;
      }
      case Custom_tag:
        obstacle = encode_custom(v);
        break;
      case Object_tag:
        obstacle = encode_slot(v);
        break;
      case Closure_tag:
      case Infix_tag:
        obstacle = "a function";
        break;
      case Lazy_tag:
        obstacle = "a lazy value that was not forced";
        break;
      case Abstract_tag:
        obstacle = "an abstract value";
        break;
      default: {
        if (Tag_val(v) > Lazy_tag || Tag_val(v) >= 244) {
          obstacle = "an abstract value";
          break;
        }
        mlsize_t fields = Wosize_val(v);
        if (!put_head('b', ((int64_t)fields << 8) | Tag_val(v))) return too_large;
        if (fields > 0) {
          if (fields > 1) {
            if (depth == DEPTH_MAX) return too_large;
            pending[depth].next = &Field(v, 1);
            pending[depth].left = fields - 1;
            depth++;
          }
          v = Field(v, 0);
          continue;
        }
      }
      }
      if (obstacle) {
        if (encoding != SHOWN || obstacle == too_large || !put_head('?', 0)) return obstacle;
        obstacle = NULL;
      }
    }
    if (depth == 0) return NULL;
    v = *pending[depth - 1].next++;
    if (--pending[depth - 1].left == 0) depth--;
  }
}

value ocaml_env_report_value(value v) {
  begin(CANONICAL);
  const char *obstacle = encode(v);
  if (obstacle) report_text('U', obstacle);
  else report_send('V', size);
  return Val_unit;
}

/* --- leaves of tests: called by the code of a test itself (see leaves.ml) --- */

/* The values of an atom's leaves, as they are now. */
value ocaml_env_report_leaves(value atom, value leaves) {
  begin(EXACT);
  put_head('v', Long_val(atom));
  const char *obstacle = encode(leaves);
  if (obstacle) {
    begin(EXACT);
    put_head('u', Long_val(atom));
    put(obstacle, strlen(obstacle));
  }
  report_send('L', size);
  return Val_unit;
}

/* That an atom raised: which of [slots], the exception's text and its arguments. One that is not among the slots is raised
   again, unless the test catches all. */
value ocaml_env_report_raised(value atom, value slots, value catches_all, value exception) {
  CAMLparam1(exception);
  value slot = Tag_val(exception) == Object_tag ? exception : Field(exception, 0);
  intnat which = -1;
  if (Is_block(slots))
    for (mlsize_t i = 0; i < Wosize_val(slots); i++)
      if (Field(slots, i) == slot) which = (intnat)i;
  if (which < 0 && !Bool_val(catches_all)) caml_raise(exception);
  begin(EXACT);
  put_head('x', Long_val(atom));
  put_head('i', which);
  char *text = caml_format_exception(exception);
  size_t length = text ? strlen(text) : 0;
  if (length > TEXT_MAX) length = TEXT_MAX;
  put_head('s', (int64_t)length);
  put(text, length);
  free(text);
  size_t before = size;
  mlsize_t fields = exception == slot ? 1 : Wosize_val(exception);
  put_head('b', (int64_t)(fields - 1) << 8);
  for (mlsize_t i = 1; i < fields; i++)
    if (encode(Field(exception, i))) {
      /* No pattern looks at what cannot be written. */
      size = before;
      put_head('b', 0);
      break;
    }
  report_send('L', size);
  CAMLreturn(Val_unit);
}

/* --- values for people: called by the code of examples (see example.ml) --- */

/* The value of a part of an example, as it is now: as much of it as there is room for. */
value ocaml_env_show(value part, value v) {
  begin(SHOWN);
  put_head('w', Long_val(part));
  encode(v);
  report_send('L', size);
  return v;
}

/* That a part raised. */
value ocaml_env_show_raised(value part, value exception) {
  begin(SHOWN);
  put_head('y', Long_val(part));
  encode(exception);
  report_send('L', size);
  caml_raise(exception);
}
