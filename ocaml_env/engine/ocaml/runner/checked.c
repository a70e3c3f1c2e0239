/* Checked versions of functions that trust their arguments. Candidates that name such a function call these instead.
   They raise the same exceptions as the library's checked functions. `policy.ml` has the table. */
#include <stdio.h>
#include <string.h>

#include <caml/fail.h>
#include <caml/mlvalues.h>
#include <caml/version.h>

/* Are there `length` bytes from `start`? */
static int has_bytes(value bytes, value start, value length) {
  intnat size = (intnat)caml_string_length(bytes), from = Long_val(start), count = Long_val(length);
  return count >= 0 && from >= 0 && from <= size - count;
}

static value blit(value source, value from, value target, value to, value length, const char *name) {
  if (!has_bytes(source, from, length) || !has_bytes(target, to, length)) caml_invalid_argument(name);
  memmove(&Byte(target, Long_val(to)), &Byte(source, Long_val(from)), (size_t)Long_val(length));
  return Val_unit;
}

value ocaml_env_blit_bytes(value source, value from, value target, value to, value length) {
  return blit(source, from, target, to, length, "Bytes.blit");
}

value ocaml_env_blit_string(value source, value from, value target, value to, value length) {
  return blit(source, from, target, to, length, "String.blit / Bytes.blit_string");
}

value ocaml_env_fill_bytes(value bytes, value start, value length, value character) {
  if (!has_bytes(bytes, start, length)) caml_invalid_argument("String.fill / Bytes.fill");
  memset(&Byte(bytes, Long_val(start)), Int_val(character), (size_t)Long_val(length));
  return Val_unit;
}

value ocaml_env_char_of_int(value code) {
  if (Long_val(code) < 0 || Long_val(code) > 255) caml_invalid_argument("Char.chr");
  return code;
}

#if OCAML_VERSION >= 50000
#define NO_SCALAR_VALUE "%lX is not a Unicode scalar value"
#else
#define NO_SCALAR_VALUE "%lX is not an Unicode scalar value"
#endif

value ocaml_env_uchar_of_int(value code) {
  intnat i = Long_val(code);
  if (i < 0 || i > 0x10FFFF || (i >= 0xD800 && i <= 0xDFFF)) {
    char text[64];
    snprintf(text, sizeof text, NO_SCALAR_VALUE, (unsigned long)i & ((~0ul) >> 1));
    caml_invalid_argument(text);
  }
  return code;
}
