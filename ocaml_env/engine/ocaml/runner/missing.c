/* What code calls where something of it is missing or has an error, which was taken out to run the rest. */
#include <caml/fail.h>
#include <caml/mlvalues.h>

#include "report.h"

value ocaml_env_missing(value unit) {
  (void)unit;
  report_is_missing = 1;
  caml_failwith(report_missing_text);
}
