/* The runner's parent: takes requests, forks a jailed child for each, collects what the child wrote, answers. */
#define _GNU_SOURCE
#define CAML_INTERNALS
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <caml/alloc.h>
#include <caml/fail.h>
#include <caml/fix_code.h>
#include <caml/instruct.h>
#include <caml/gc_ctrl.h>
#include <caml/intext.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/version.h>
#if OCAML_VERSION >= 50000
#include <caml/domain.h>
extern value caml_gc_minor(value unit); /* a primitive, which no header declares */
#else
#include <caml/major_gc.h>
#include <caml/minor_gc.h>
#endif

#include "jail.h"
#include "report.h"

extern int ocaml_env_in_child;
extern void ocaml_env_seeds_before_tests(void), ocaml_env_seeds_before_call(void);

enum {
  TICK_MS = 5,          /* how often a running child is looked at, at first */
  TICK_MAX_MS = 50,
  WALL_SECONDS = 40     /* the distant backstop against a child that neither computes nor ends */
};

static int request_fd = -1, reply_fd = -1, null_fd = -1, size_fd = -1;
static unsigned layers_on = 0;
static int report_fd = -1, stdout_fd = -1; /* the checker's: the runner itself never reads what a child wrote */
static intnat library_globals = 0;
extern value caml_global_data;

/* A page that the child and its parent share. It begins with the CPU microseconds at which the child got more time, or 0:
   what a hostile child writes there gets it no more than that time. All of it is cleared for the next child, which shall
   not find what an earlier one has left. */
static volatile uint64_t *late_us;
static size_t late_bytes;

static int keep(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 10); }

/* A descriptor whose number the checker put into the environment. */
static int keep_named(const char *name) {
  const char *number = getenv(name);
  if (!number) return -1;
  int given = atoi(number), kept = keep(given);
  close(given);
  return kept;
}

/* Takes over the standard descriptors: requests come on 0 and answers go to 1, under numbers that no child keeps. */
value ocaml_env_runner_start(value unit) {
  request_fd = keep(0);
  reply_fd = keep(1);
  report_fd = keep_named("REPORT_FD");
  stdout_fd = keep_named("STDOUT_FD");
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (request_fd < 0 || reply_fd < 0 || report_fd < 0 || stdout_fd < 0 || null < 0 || (null_fd = keep(null)) < 0) _exit(125);
  dup2(null, 0);
  dup2(null, 1);
  dup2(null, 2);
  if (null > 2) close(null);
  int size = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (size >= 0) size_fd = keep(size), close(size);
  signal(SIGPIPE, SIG_IGN);
  late_bytes = (size_t)sysconf(_SC_PAGESIZE);
  void *page = mmap(NULL, late_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) _exit(125);
  late_us = page;
  jail_prepare();
  return unit;
}

/* (name, status) of every layer, status being JAIL_ON, JAIL_ABSENT or JAIL_BROKEN. */
value ocaml_env_probe_layers(value unit) {
  CAMLparam1(unit);
  CAMLlocal2(all, pair);
  all = caml_alloc(JAIL_LAYERS, 0);
  layers_on = 0;
  for (int layer = 0; layer < JAIL_LAYERS; layer++) {
    int status = jail_probe(layer);
    if (status == JAIL_ON) layers_on |= 1u << layer;
    pair = caml_alloc(2, 0);
    Store_field(pair, 0, caml_copy_string(jail_layer_names[layer]));
    Store_field(pair, 1, Val_int(status));
    Store_field(all, layer, pair);
  }
  CAMLreturn(all);
}

/* --- frames to and from the checker: four bytes of length, little-endian, then the bytes --- */

static int read_all(int fd, unsigned char *at, size_t count) {
  while (count > 0) {
    ssize_t n = read(fd, at, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    at += n;
    count -= (size_t)n;
  }
  return 1;
}

/* The frame that was received last: one buffer outside OCaml's heap, used again and again. Its parts are the request,
   the candidate's image and the tests' image. */
static struct { unsigned char *bytes; size_t room, used; } frame;
static struct { unsigned char *bytes; size_t length; } part[3];

static size_t length_at(const unsigned char *at) {
  return at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

/* The next request, marshalled, or the empty string when the checker is gone. */
value ocaml_env_receive(value unit) {
  unsigned char head[4];
  (void)unit;
  if (!read_all(request_fd, head, 4)) return caml_alloc_string(0);
  size_t length = length_at(head);
  if (length > frame.room) {
    free(frame.bytes);
    frame.bytes = malloc(length);
    frame.room = length;
    if (!frame.bytes) caml_raise_out_of_memory();
  }
  frame.used = length;
  if (!read_all(request_fd, frame.bytes, length)) return caml_alloc_string(0);
  unsigned char *at = frame.bytes;
  for (int i = 0; i < 3; i++) {
    part[i].length = length_at(at);
    part[i].bytes = at + 4;
    at += 4 + part[i].length;
  }
  return caml_alloc_initialized_string(part[0].length, (const char *)part[0].bytes);
}

/* In the child: one of the images, unmarshalled; None if it is empty. */
value ocaml_env_received_image(value which) {
  CAMLparam0();
  CAMLlocal2(image, some);
  int i = Int_val(which) + 1;
  if (part[i].length == 0) CAMLreturn(Val_int(0));
  image = caml_input_value_from_block((char *)part[i].bytes, (intnat)part[i].length);
  some = caml_alloc_small(1, 0);
  Field(some, 0) = image;
  CAMLreturn(some);
}

value ocaml_env_reply(value bytes) {
  size_t length = caml_string_length(bytes);
  unsigned char head[4] = {(unsigned char)length, (unsigned char)(length >> 8), (unsigned char)(length >> 16),
                           (unsigned char)(length >> 24)};
  const unsigned char *parts[2] = {head, (const unsigned char *)String_val(bytes)};
  size_t counts[2] = {4, length};
  for (int i = 0; i < 2; i++) {
    while (counts[i] > 0) {
      ssize_t n = write(reply_fd, parts[i], counts[i]);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) _exit(0); /* the checker is gone */
      parts[i] += n;
      counts[i] -= (size_t)n;
    }
  }
  return Val_unit;
}

/* --- one child --- */

/* Address space of this process, in bytes: what an idle child starts with. */
static uint64_t idle_size(void) {
  char text[64];
  ssize_t n = size_fd < 0 ? -1 : pread(size_fd, text, sizeof text - 1, 0);
  if (n <= 0) return (uint64_t)1 << 30;
  text[n] = 0;
  return strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static int memory_file(const char *name) {
#ifdef __linux__
  return memfd_create(name, MFD_CLOEXEC);
#else
  (void)name;
  FILE *file = tmpfile();
  return file ? dup(fileno(file)) : -1;
#endif
}

/* The fields of a request and of its cpu_grace, as task.ml has them. */
enum request { WORK, STDIN, KEEP_STDOUT, OUTPUT_BYTES, MEMORY_BYTES, TEST_CPU_US, TOTAL_CPU_US, PATIENCE };
enum cpu_grace { MORE_CPU_US, MOST_WORDS, FROM_MEMORY_BYTES, FROM_OUTPUT_BYTES, CPU_GRACE_FIELDS };

static uint64_t amount(value record, int field) { return (uint64_t)Long_val(Field(record, field)); }

/* The cpu_grace with this child, zeros if there is none: a copy, as the handler of a signal must not look into OCaml's
   heap. */
static uint64_t cpu_grace[CPU_GRACE_FIELDS];

static uint64_t cpu_in(const struct rusage *usage) {
  return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000u
       + (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

static void arm(uint64_t us) {
  struct itimerval timer;
  timer.it_value.tv_sec = (time_t)(us / 1000000u);
  timer.it_value.tv_usec = (suseconds_t)(us % 1000000u);
  timer.it_interval = timer.it_value;
  setitimer(ITIMER_PROF, &timer, NULL);
}

static double words_at_start; /* of the call that runs, or of the initialisation */

/* All words that were allocated up to now, but for those of this minor heap. */
static double words(void) {
  return (double)caml_stat_minor_words + (double)caml_stat_major_words + (double)caml_allocated_words
       - (double)caml_stat_promoted_words;
}

/* After each slice of the collector's work, which comes at least once in a minor heap: what has more time ends when it has
   allocated enough. Words do not depend on the machine's speed. */
static void end_of_slice(void) {
  if (report_is_late && words() - words_at_start >= (double)cpu_grace[MOST_WORDS]) _exit(0);
}

/* In the child, by the first SIGPROF: the next one kills. A process that has used much of its memory or its output gets
   more time, to show which limit it meets. */
static void out_of_time(int signal) {
  struct rusage usage;
  (void)signal;
  if (cpu_grace[MORE_CPU_US] && getrusage(RUSAGE_SELF, &usage) == 0) {
    off_t printed = lseek(1, 0, SEEK_CUR);
    if ((uint64_t)usage.ru_maxrss * 1024 >= cpu_grace[FROM_MEMORY_BYTES]
        || (printed > 0 && (uint64_t)printed >= cpu_grace[FROM_OUTPUT_BYTES])) {
      report_is_late = 1;
      *late_us = cpu_in(&usage);
      arm(cpu_grace[MORE_CPU_US]);
      return;
    }
  }
  arm(1);
  for (;;) {} /* until then */
}

/* The collector's work is timed by counters. A child shall find them as every other one does, or weak pointers and
   finalisers would tell it what this process has done before. */

static void finish_collection(void) {
#if OCAML_VERSION < 50000
  if (caml_gc_phase != Phase_idle) caml_finish_major_cycle();
  /* The end of a cycle asks for a collection, with which the next cycle would begin: here or in each child, which would
     write to every page of the library to mark it. */
  Caml_state_field(requested_minor_gc) = 0;
  Caml_state_field(requested_major_slice) = 0;
#endif
}

static void forget_allocations(void) {
#if OCAML_VERSION < 50000
  caml_allocated_words = 0;
  caml_dependent_allocated = 0;
  caml_extra_heap_resources = 0.;
  caml_major_work_credit = 0.;
  memset(caml_major_ring, 0, sizeof caml_major_ring);
#endif
}

/* In the parent, between two requests: always the same few pages of the minor heap are in use, so that there is little to
   copy for a child. Nothing else is collected, as [Gc.minor] would do: it begins to mark the library, which writes to
   each of its pages, and each child would pay for the copies. */
value ocaml_env_empty_minor_heap(value unit) {
#if OCAML_VERSION < 50000
  caml_empty_minor_heap();
  return unit;
#else
  return caml_gc_minor(unit);
#endif
}

/* Returns 0 in the jailed child and the process id in the parent. */
value ocaml_env_fork(value request) {
  CAMLparam1(request);
  int input = null_fd, keep_stdout = Bool_val(Field(request, KEEP_STDOUT));
  if (Is_block(Field(request, STDIN))) {
    value text = Field(Field(request, STDIN), 0);
    size_t length = caml_string_length(text);
    input = memory_file("stdin");
    if (input < 0) caml_failwith("memfd_create");
    for (size_t done = 0; done < length;) {
      ssize_t n = write(input, String_val(text) + done, length - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) caml_failwith("write to memfd");
      done += (size_t)n;
    }
    lseek(input, 0, SEEK_SET);
  }
  value more = Field(request, PATIENCE);
  for (int i = 0; i < CPU_GRACE_FIELDS; i++) cpu_grace[i] = Is_block(more) ? amount(Field(more, 0), i) : 0;
  struct jail_limits jail = {
    .address_space = idle_size() + amount(request, MEMORY_BYTES),
    .cpu_us = amount(request, TOTAL_CPU_US) + cpu_grace[MORE_CPU_US],
    .file_bytes = keep_stdout ? amount(request, OUTPUT_BYTES) : 0,
  };
  memset((void *)late_us, 0, late_bytes);
  finish_collection();
  pid_t child = fork();
  if (child < 0) caml_failwith("fork");
  if (child == 0) {
#if OCAML_VERSION >= 50000
    caml_atfork_hook();
#endif
    ocaml_env_in_child = 1;
    forget_allocations();
    struct sigaction once = {.sa_handler = out_of_time, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_RESTART};
    sigaction(SIGPROF, &once, NULL);
    caml_major_slice_end_hook = end_of_slice;
    dup2(input, 0);
    if (keep_stdout) dup2(stdout_fd, 1);
    if (dup2(report_fd, REPORT_FD) < 0) _exit(122);
    enum jail_layer failed = jail_enter(layers_on, &jail);
    if (failed != JAIL_LAYERS) {
      report_text('J', jail_layer_names[failed]);
      _exit(121);
    }
    CAMLreturn(Val_int(0));
  }
  if (input != null_fd) close(input);
  memset(frame.bytes, 0, frame.used); /* no later child shall find this one's code */
  CAMLreturn(Val_int(child));
}

/* In the child: its time is over when it takes this much more CPU time. Armed anew before each test; the signal is not
   OCaml's to catch. */
value ocaml_env_arm(value cpu_us) {
  ocaml_env_seeds_before_call();
  words_at_start = words();
  arm((uint64_t)Long_val(cpu_us));
  return Val_unit;
}

static uint64_t cpu_of(pid_t child) {
  clockid_t clock;
  struct timespec now;
  if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static uint64_t wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec;
}

/* Waits for the child's end for at most so many milliseconds. Returns whether it has ended. */
static int ended_within(pid_t child, int descriptor, int milliseconds, int *status, struct rusage *usage) {
  if (descriptor >= 0) {
    struct pollfd end = {.fd = descriptor, .events = POLLIN};
    poll(&end, 1, milliseconds);
  } else {
    struct timespec pause = {0, 200000}; /* a kernel without pidfd_open, before Linux 5.3 */
    nanosleep(&pause, NULL);
  }
  return wait4(child, status, WNOHANG, usage) == child;
}

static int descriptor_of(pid_t child) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, child, 0);
#else
  (void)child;
  return -1;
#endif
}

/* Waits for the child's end, killing it over its CPU or wall time. Returns
   (killed: bool, exited: bool, code or signal: int, CPU microseconds: int, those at which it got more time: int). */
value ocaml_env_await(value v_child, value total_cpu_us) {
  CAMLparam0();
  CAMLlocal1(result);
  pid_t child = Int_val(v_child);
  uint64_t cpu_us = (uint64_t)Long_val(total_cpu_us), wall_end = wall_seconds() + WALL_SECONDS;
  int killed = 0, tick = TICK_MS, status, descriptor = descriptor_of(child);
  struct rusage usage;
  while (!ended_within(child, descriptor, tick, &status, &usage)) {
    if (cpu_of(child) > cpu_us + (*late_us ? cpu_grace[MORE_CPU_US] : 0) || wall_seconds() > wall_end) {
      kill(child, SIGKILL);
      killed = 1;
    } else if (tick < TICK_MAX_MS) tick *= 2;
  }
  if (descriptor >= 0) close(descriptor);
  result = caml_alloc(5, 0);
  Store_field(result, 0, Val_bool(killed));
  Store_field(result, 1, Val_bool(WIFEXITED(status)));
  Store_field(result, 2, Val_int(WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)));
  uint64_t used_us = cpu_in(&usage), late = *late_us;
  Store_field(result, 3, Val_long(used_us));
  Store_field(result, 4, Val_long(late < used_us ? late : used_us));
  CAMLreturn(result);
}

/* --- between and after the tests --- */

/* Bytes of OCaml's major heap. */
static uint64_t heap_bytes(void) {
#if OCAML_VERSION >= 50000
  extern value __real_caml_gc_quick_stat(value unit);
  enum { HEAP_WORDS = 5 }; /* place of the field in Gc.stat */
  return (uint64_t)Long_val(Field(__real_caml_gc_quick_stat(Val_unit), HEAP_WORDS)) * sizeof(value);
#else
  return (uint64_t)Caml_state_field(stat_heap_wsz) * sizeof(value);
#endif
}

/* A digest of what the modules of the library consist of, and of where their functions' code is. Candidate and tests share them, and no honest candidate
   changes them. Blocks do not move: the library's are in the major heap, and compaction is only ours. */
static uint64_t library_digest(void) {
  uint64_t digest = 0;
  for (intnat i = 0; i < library_globals; i++) {
    value module = Field(caml_global_data, i);
    if (!Is_block(module) || Tag_val(module) != 0) continue;
    for (mlsize_t j = 0; j < Wosize_val(module); j++) {
      value item = Field(module, j);
      digest = digest * 31 + (uint64_t)item;
      if (Is_block(item) && Tag_val(item) == Closure_tag) digest = digest * 31 + (uint64_t)Field(item, 0);
    }
  }
  return digest;
}

static uint64_t library_at_start, library_code_at_start;
static uint64_t library_instructions(void);

/* In the parent, once everything of the library is initialised and in the major heap. */
value ocaml_env_note_library(value globals) {
  library_globals = Long_val(globals);
  library_at_start = library_digest();
  library_code_at_start = library_instructions();
  return Val_unit;
}

/* A digest of the code that the closures of an array lead to, through the closures that they hold in turn. Addresses of
   closures change when the collector moves them; addresses of code do not. */
static uint64_t code_digest(value closures) {
  enum { LOOK = 4096 };
  static value queue[LOOK];
  size_t read = 0, written = 0;
  uint64_t digest = 0;
  for (mlsize_t i = 0; i < Wosize_val(closures) && written < LOOK; i++) queue[written++] = Field(closures, i);
  while (read < written) {
    value v = queue[read++];
    if (!Is_block(v)) continue;
    if (Tag_val(v) == Infix_tag) v -= Infix_offset_val(v);
    if (Tag_val(v) != Closure_tag) continue;
    mlsize_t start = Start_env_closinfo(Closinfo_val(v));
    for (mlsize_t i = 0; i < start; i++) digest = digest * 31 + (uint64_t)Field(v, i);
    for (mlsize_t i = start; i < Wosize_val(v) && written < LOOK; i++) queue[written++] = Field(v, i);
  }
  return digest;
}

/* A digest of instructions: four sums, so that the processor adds while it waits for memory. What they say is not secret,
   and a program that controls this process can leave them as they were: it raises the price of that, no more. */
static uint64_t instructions_digest(const uint32_t *words, size_t count) {
  uint64_t sums[4] = {1, 2, 3, 4};
  for (size_t i = 0; i < count; i++) sums[i % 4] = sums[i % 4] * 31 + words[i];
  return ((sums[0] * 31 + sums[1]) * 31 + sums[2]) * 31 + sums[3];
}

static uint64_t library_instructions(void) {
  return instructions_digest((const uint32_t *)caml_start_code, caml_code_size / sizeof(uint32_t));
}

/* The tests' instructions in pieces: the call of a method keeps in its last word where it found the method last. */
static struct piece { const uint32_t *words; size_t count; struct piece *next; } *tests_code;
static uint64_t tests_at_start, instructions_at_start;

static void add_piece(const uint32_t *words, size_t count) {
  struct piece *piece = malloc(sizeof *piece);
  if (!piece) caml_raise_out_of_memory();
  *piece = (struct piece){words, count, tests_code};
  tests_code = piece;
}

static uint64_t tests_instructions(void) {
  uint64_t digest = 0;
  for (struct piece *piece = tests_code; piece; piece = piece->next)
    digest = digest * 31 + instructions_digest(piece->words, piece->count);
  return digest;
}

/* Notes where the tests' instructions are, as they are loaded; [code] is as it was before. */
value ocaml_env_note_code(value closure, value code) {
  enum { CACHE = 2 }; /* words after the instruction; any word that only looks like it costs a word of the digest */
  const uint32_t *loaded = (const uint32_t *)Code_val(closure);
  size_t count = caml_string_length(code) / sizeof *loaded, from = 0;
  for (size_t i = 0; i + CACHE < count; i++) {
    uint32_t word;
    memcpy(&word, String_val(code) + i * sizeof word, sizeof word);
    if (word == GETPUBMET && i + CACHE >= from) {
      add_piece(loaded + from, i + CACHE - from);
      from = i + CACHE + 1;
    }
  }
  add_piece(loaded + from, count - from);
  return Val_unit;
}

/* Notes the code of the tests, before the first of them runs. */
value ocaml_env_note_tests(value closures) {
  ocaml_env_seeds_before_tests();
  tests_at_start = code_digest(closures);
  instructions_at_start = tests_instructions();
  return Val_unit;
}

/* Are the library and the tests still what they were? Where none of the tests is inside, nobody needs to know it of the
   library's instructions, of which there are many. */
value ocaml_env_is_intact(value closures, value has_inside) {
  return Val_bool(library_digest() == library_at_start && code_digest(closures) == tests_at_start
                  && tests_instructions() == instructions_at_start
                  && (!Bool_val(has_inside) || library_instructions() == library_code_at_start));
}

/* Between two tests: gives back memory where one test's garbage would count against the next. */
value ocaml_env_tidy(value unit) {
#ifdef __linux__
  extern value __real_caml_gc_compaction(value unit);
  if (heap_bytes() > (uint64_t)32 << 20) {
    int intact = library_digest() == library_at_start;
    ocaml_env_arm(Val_long(0)); /* this is nobody's CPU time */
    __real_caml_gc_compaction(Val_unit);
    if (intact) library_at_start = library_digest();
    report_skip();
  }
#endif
  return unit;
}

value ocaml_env_report_text(value tag, value text) {
  size_t length = caml_string_length(text);
  if (length > REPORT_PAYLOAD_MAX) length = REPORT_PAYLOAD_MAX;
  memcpy(report_payload, String_val(text), length);
  report_send((char)Int_val(tag), length);
  return Val_unit;
}

/* End of the child, without exit handlers: a function problem's candidate has none that matter. */
value ocaml_env_leave(value code) {
  _exit(Int_val(code));
  return Val_unit;
}
