/* Theory of operation. A child is forked for every run. Before it executes any byte of a candidate it gives up, in this
   order: resources (rlimits), every descriptor but its standard ones and the report, its user id where that is root,
   the file system, network and signalling (Landlock), and every system call that computing and reporting do not need
   (seccomp). None of them can be undone from inside. What this does not cover: timing side channels, and bugs of the
   kernel in the calls that stay allowed. */
#define _GNU_SOURCE
#include "jail.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"

const char *const jail_layer_names[JAIL_LAYERS] = {"rlimits", "descriptors", "uid", "landlock", "seccomp"};

enum { NOBODY = 65534 };

static int set_limit(int resource, uint64_t amount) {
  struct rlimit limit = {(rlim_t)amount, (rlim_t)amount};
  return setrlimit(resource, &limit) == 0;
}

static int enter_rlimits(const struct jail_limits *limits) {
  return set_limit(RLIMIT_AS, limits->address_space)
      && set_limit(RLIMIT_CPU, limits->cpu_us / 1000000u + 2)
      && set_limit(RLIMIT_FSIZE, limits->file_bytes)
      && set_limit(RLIMIT_CORE, 0)
      && set_limit(RLIMIT_NPROC, 0)
      && set_limit(RLIMIT_NOFILE, REPORT_FD + 1);
}

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/* close_range is new in Linux 5.9; before it, descriptors are closed by number. */
static int enter_descriptors(void) {
  if (syscall(SYS_close_range, REPORT_FD + 1, ~0u, 0) == 0) return 1;
  long most = sysconf(_SC_OPEN_MAX);
  if (most < 0 || most > 1 << 20) most = 1 << 20;
  for (int fd = REPORT_FD + 1; fd < most; fd++) close(fd);
  return 1;
}

static int enter_uid(void) {
  if (getuid() != 0 && geteuid() != 0) return 1; /* nothing to give up */
  return setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0;
}

/* --- Landlock: its own declarations, as the headers of older systems lack it. --- */

enum { LANDLOCK_CREATE_RULESET = 444, LANDLOCK_RESTRICT_SELF = 446, LANDLOCK_VERSION_FLAG = 1 };

static struct { uint64_t fs, net, scoped; } landlock_handled;
static int landlock_ruleset = -1;

static void prepare_landlock(void) {
  long abi = syscall(LANDLOCK_CREATE_RULESET, NULL, 0, LANDLOCK_VERSION_FLAG);
  if (abi < 1) return;
  /* Everything that this kernel can handle is handled, and no rule allows any of it. Each version of the interface
     added rights: 13 for files, then rename (2), truncate (3), ioctl (5); TCP bind and connect (4); signals and
     abstract sockets (6). */
  landlock_handled.fs = (1u << (abi >= 5 ? 16 : abi >= 3 ? 15 : abi >= 2 ? 14 : 13)) - 1;
  landlock_handled.net = abi >= 4 ? 3 : 0;
  landlock_handled.scoped = abi >= 6 ? 3 : 0;
  size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  int ruleset = (int)syscall(LANDLOCK_CREATE_RULESET, &landlock_handled, size, 0);
  if (ruleset < 0) return;
  landlock_ruleset = fcntl(ruleset, F_DUPFD_CLOEXEC, 10); /* out of the way of the child's own descriptors */
  close(ruleset);
}

/* Restricting oneself needs the rule set's descriptor, so this comes before the descriptors are closed. */
static int enter_landlock(void) {
  return landlock_ruleset >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
      && syscall(LANDLOCK_RESTRICT_SELF, landlock_ruleset, 0) == 0;
}

/* --- seccomp --- */

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "the sandbox knows x86-64 and aarch64 only"
#endif

enum verdict { ALLOW, NO_EXEC, DENY };

/* What a child may call. NO_EXEC: memory may be mapped or remapped, but never made executable. DENY: what honest programs
   and libraries try and can do without is refused softly, so that it costs them nothing. All else ends the child. */
static struct rule { unsigned call; enum verdict verdict; } rules[] = {
  {SYS_write, ALLOW},
  {SYS_clock_gettime, ALLOW},
  {SYS_setitimer, ALLOW},
  {SYS_exit_group, ALLOW},
  {SYS_brk, ALLOW},
  {SYS_mmap, NO_EXEC},
  {SYS_munmap, ALLOW},
  {SYS_mremap, ALLOW},
  {SYS_madvise, ALLOW},
  {SYS_mprotect, NO_EXEC},
  {SYS_read, ALLOW},
  {SYS_lseek, ALLOW},
  {SYS_close, ALLOW},
  {SYS_rt_sigreturn, ALLOW},
  {SYS_rt_sigprocmask, ALLOW},
  {SYS_sigaltstack, ALLOW},
  {SYS_futex, ALLOW},
  {SYS_sched_yield, ALLOW},
  {SYS_exit, ALLOW},
  {SYS_gettimeofday, ALLOW},
  {SYS_getrusage, ALLOW}, /* of itself: see out_of_time in service.c */
  {SYS_openat, DENY},
  {SYS_ioctl, DENY},
  {SYS_fcntl, DENY},
  {SYS_fstat, DENY},
  {SYS_newfstatat, DENY},
  {SYS_getrandom, DENY},
  {SYS_getpid, DENY},
  {SYS_getppid, DENY},
  {SYS_rt_sigaction, DENY},
  {SYS_readlinkat, DENY},
  {SYS_getcwd, DENY},
  {SYS_faccessat, DENY},
#ifdef SYS_open
  {SYS_open, DENY},
  {SYS_readlink, DENY},
  {SYS_stat, DENY},
  {SYS_access, DENY},
#endif
};

enum { RULES = sizeof rules / sizeof rules[0], ROOM = 8 + 7 * RULES };

static struct sock_filter filter[ROOM];
static unsigned short filter_length;

static void emit(unsigned short code, unsigned operand, unsigned char if_true, unsigned char if_false) {
  filter[filter_length++] = (struct sock_filter){code, if_true, if_false, operand};
}

static void emit_load(size_t offset) { emit(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0); }
static void emit_return(unsigned action) { emit(BPF_RET | BPF_K, action, 0, 0); }

static void emit_verdict(enum verdict verdict) {
  if (verdict == NO_EXEC) {
    /* The low half of an argument: both machines are little-endian. */
    emit_load(offsetof(struct seccomp_data, args[2]));
    emit(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1);
  }
  if (verdict != ALLOW) emit_return(SECCOMP_RET_ERRNO | EPERM);
  if (verdict != DENY) emit_return(SECCOMP_RET_ALLOW);
}

/* A search by halves among the rules from [low] to [high]: the kernel tries a filter on every number of a call when it is
   installed, once for each child, which takes a tenth of a millisecond with a list. */
static void emit_search(size_t low, size_t high) {
  unsigned short at = filter_length;
  emit(0, 0, 0, 0);
  if (high - low == 1) {
    emit_verdict(rules[low].verdict);
    filter[at] = (struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, 0, (unsigned char)(filter_length - at - 1), rules[low].call};
    emit_return(SECCOMP_RET_KILL_PROCESS);
  } else {
    size_t middle = (low + high) / 2;
    emit_search(low, middle);
    filter[at] = (struct sock_filter){BPF_JMP | BPF_JGE | BPF_K, (unsigned char)(filter_length - at - 1), 0, rules[middle].call};
    emit_search(middle, high);
  }
}

static int by_call(const void *a, const void *b) {
  unsigned left = ((const struct rule *)a)->call, right = ((const struct rule *)b)->call;
  return (left > right) - (left < right);
}

static void prepare_seccomp(void) {
  qsort(rules, RULES, sizeof rules[0], by_call);
  emit_load(offsetof(struct seccomp_data, arch));
  emit(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0);
  emit_return(SECCOMP_RET_KILL_PROCESS);
  emit_load(offsetof(struct seccomp_data, nr));
  emit_search(0, RULES);
}

static int enter_seccomp(void) {
  struct sock_fprog program = {filter_length, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void jail_prepare(void) {
  prepare_landlock();
  prepare_seccomp();
}

static int enter(enum jail_layer layer, const struct jail_limits *limits) {
  switch (layer) {
  case JAIL_RLIMITS: return enter_rlimits(limits);
  case JAIL_DESCRIPTORS: return enter_descriptors();
  case JAIL_UID: return enter_uid();
  case JAIL_LANDLOCK: return enter_landlock();
  case JAIL_SECCOMP: return enter_seccomp();
  default: return 0;
  }
}

/* The order of installation: each step may still need what the next takes away. */
static const enum jail_layer order[] = {JAIL_LANDLOCK, JAIL_DESCRIPTORS, JAIL_RLIMITS, JAIL_UID, JAIL_SECCOMP};

enum jail_layer jail_enter(unsigned mask, const struct jail_limits *limits) {
  pid_t parent = getppid();
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    if (order[i] == JAIL_SECCOMP) {
      /* A change of user clears this, and seccomp forbids it: in between is the place. */
      if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(122);
    }
    if ((mask & (1u << order[i])) && !enter(order[i], limits)) return order[i];
  }
  return JAIL_LAYERS;
}

/* --- trying each layer --- */

enum { HOLDS = 0, LEAKS = 1, NOT_INSTALLED = 2 };

static int try_layer(enum jail_layer layer) {
  struct jail_limits limits = {(uint64_t)1 << 30, 1000000, 0};
  if (layer == JAIL_RLIMITS) limits.address_space = (uint64_t)1 << 24;
  if (!enter(layer, &limits)) return NOT_INSTALLED;
  switch (layer) {
  case JAIL_RLIMITS:
    if (mmap(NULL, 1 << 26, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) return LEAKS;
    return fcntl(0, F_DUPFD, REPORT_FD + 1) < 0 ? HOLDS : LEAKS;
  case JAIL_DESCRIPTORS:
    for (int fd = REPORT_FD + 1; fd < 1024; fd++)
      if (fcntl(fd, F_GETFD) >= 0) return LEAKS;
    return HOLDS;
  case JAIL_UID:
    return getuid() != 0 && geteuid() != 0 && setuid(0) != 0 ? HOLDS : LEAKS;
  case JAIL_LANDLOCK: {
    int fd = open("/", O_RDONLY | O_DIRECTORY);
    return fd < 0 && errno == EACCES ? HOLDS : LEAKS;
  }
  case JAIL_SECCOMP:
    if (open("/", O_RDONLY) >= 0 || errno != EPERM) return LEAKS;
    syscall(SYS_socket, 1, 1, 0); /* must be the end of this process */
    return LEAKS;
  default:
    return LEAKS;
  }
}

int jail_probe(enum jail_layer layer) {
  if (layer == JAIL_LANDLOCK && landlock_ruleset < 0) return JAIL_ABSENT;
  pid_t child = fork();
  if (child < 0) return JAIL_BROKEN;
  if (child == 0) _exit(try_layer(layer));
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return JAIL_BROKEN;
  if (layer == JAIL_SECCOMP) return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS ? JAIL_ON : JAIL_BROKEN;
  return WIFEXITED(status) && WEXITSTATUS(status) == HOLDS ? JAIL_ON : JAIL_BROKEN;
}

#else /* not Linux: rlimits and descriptors only, for development */

static int enter_descriptors(void) {
  for (int fd = REPORT_FD + 1; fd < 1024; fd++) close(fd);
  return 1;
}

void jail_prepare(void) {}

enum jail_layer jail_enter(unsigned mask, const struct jail_limits *limits) {
  (void)enter_rlimits;
  (void)limits;
  if (mask & (1u << JAIL_DESCRIPTORS)) enter_descriptors();
  return JAIL_LAYERS;
}

int jail_probe(enum jail_layer layer) { return layer == JAIL_DESCRIPTORS ? JAIL_ON : JAIL_ABSENT; }

#endif
