/* The checker's own limits. Typing recurses as deep as the code nests, so the stack is made large; memory is bounded so
   that a candidate that blows up a type ends this process and not the machine. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/personality.h>
#include <sys/prctl.h>
#include <signal.h>
#endif
#include <unistd.h>

#include <caml/alloc.h>
#include <caml/fail.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>

static const rlim_t stack_bytes = (rlim_t)512 << 20;
static const rlim_t growth_bytes = (rlim_t)1536 << 20;

/* Addresses are the same in every runner started from here, so that what depends on them (the hash of a closure) does
   not change from run to run. Where the system refuses, only that is lost. */
value ocaml_env_fix_addresses(value unit) {
#ifdef __linux__
  personality(ADDR_NO_RANDOMIZE);
#endif
  return unit;
}

/* After a fork. Where the system has no such thing, this process ends when its input does. */
value ocaml_env_die_with_parent(value unit) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  return unit;
}

/* A file in memory, which both the checker and a runner have open. */
value ocaml_env_memory_file(value unit) {
  (void)unit;
#ifdef __linux__
  int fd = memfd_create("stdout", 0);
#else
  FILE *file = tmpfile();
  int fd = file ? dup(fileno(file)) : -1;
#endif
  if (fd < 0) caml_failwith("a file in memory cannot be made");
  return Val_int(fd);
}

/* Room for large reports, so that a child seldom waits for its reader. Where the system gives less, it waits. */
value ocaml_env_widen_pipe(value fd) {
#ifdef F_SETPIPE_SZ
  fcntl(Int_val(fd), F_SETPIPE_SZ, 1 << 20);
#endif
  return Val_unit;
}

/* The stack limit takes effect at exec. Returns true when the caller should exec itself again. */
value ocaml_env_enlarge_stack(value unit) {
  struct rlimit limit;
  (void)unit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return Val_false;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur >= stack_bytes) return Val_false;
  rlim_t most = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > stack_bytes ? stack_bytes : limit.rlim_max;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur >= most) return Val_false;
  limit.rlim_cur = most;
  return Val_bool(setrlimit(RLIMIT_STACK, &limit) == 0);
}

/* Bounds the address space to what is in use now and some more. Without it (not Linux) the limit is the machine's. */
value ocaml_env_bound_memory(value unit) {
  (void)unit;
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long pages;
  if (file && fscanf(file, "%lu", &pages) == 1) {
    struct rlimit limit;
    limit.rlim_cur = limit.rlim_max = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + growth_bytes;
    setrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = limit.rlim_max = 0;
    setrlimit(RLIMIT_CORE, &limit);
  }
  if (file) fclose(file);
  return Val_unit;
}
