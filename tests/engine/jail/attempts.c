/* Attacks of a program that controls its jailed process, one system call an attempt, each made directly.
 *
 *     attempts NAME MASK
 *
 * makes the attempt NAME in a child behind the layers of MASK (see jail.h), and prints its ending: "done",
 * "refused ERRNO", "killed SIGNAL", or "unknown here" if this machine's headers lack the call. MASK 0 is the control,
 * without a jail. The current folder must have a file "victim" with write permission for everybody. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "jail.h"

enum { UNKNOWN = -1000, LEFT_OPEN = 50 };

static pid_t parent;
static int report_end;
static char page[4096] __attribute__((aligned(4096)));

static long open_for_reading(void) { return syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY); }
static long open_folder(void) { return syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY); }
static long open_own_memory(void) { return syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR); }
static long create_file(void) { return syscall(SYS_openat, AT_FDCWD, "new-file", O_CREAT | O_WRONLY, 0600); }
static long open_modern(void) {
#ifdef SYS_openat2
  struct { unsigned long long flags, mode, resolve; } how = {O_RDONLY, 0, 0};
  return syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", &how, sizeof how);
#else
  return UNKNOWN;
#endif
}
static long make_folder(void) { return syscall(SYS_mkdirat, AT_FDCWD, "new-folder", 0700); }
static long remove_file(void) { return syscall(SYS_unlinkat, AT_FDCWD, "victim", 0); }
static long change_folder(void) { return syscall(SYS_chdir, "/"); }
static long truncate_file(void) { return syscall(SYS_truncate, "victim", 0); }
static long truncate_open_file(void) { return syscall(SYS_ftruncate, 1, 0); }
static long memory_file(void) { return syscall(SYS_memfd_create, "x", 0); }

static long fork_(void) {
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  return child;
}
static long fork_modern(void) {
#ifdef SYS_clone3
  struct { unsigned long long flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls; } a = {0};
  a.exit_signal = SIGCHLD;
  long child = syscall(SYS_clone3, &a, sizeof a);
  if (child == 0) _exit(0);
  return child;
#else
  return UNKNOWN;
#endif
}
static long execute(void) {
  char *argv[] = {"true", NULL}, *envp[] = {NULL};
  return syscall(SYS_execve, "/bin/true", argv, envp);
}
static long library_fork(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child;
}

static long network_socket(void) { return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); }
static long local_socket(void) { return syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0); }
static long socket_pair(void) {
  int pair[2];
  return syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
}
static long pipe_(void) {
  int ends[2];
  return syscall(SYS_pipe2, ends, 0);
}
static long duplicate(void) { return syscall(SYS_dup, 3); }
static long duplicate_by_fcntl(void) { return syscall(SYS_fcntl, 3, F_DUPFD, 0); }

static long look_for_parent(void) { return syscall(SYS_kill, parent, 0); }
static long stop_parent(void) { return syscall(SYS_kill, parent, SIGCONT); }
static long signal_everybody(void) { return syscall(SYS_kill, -1, 0); }
static long signal_thread_of_parent(void) { return syscall(SYS_tgkill, parent, parent, SIGCONT); }
static long trace_parent(void) { return syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, parent, 0, 0); }
static long read_memory_of_parent(void) {
  char here[8];
  struct iovec to = {here, sizeof here}, from = {page, sizeof here};
  return syscall(SYS_process_vm_readv, parent, &to, 1, &from, 1, 0);
}
static long limits_of_parent(void) {
  struct rlimit limit;
  return syscall(SYS_prlimit64, parent, RLIMIT_CPU, NULL, &limit);
}
static long raise_own_limit(void) {
  struct rlimit limit = {60, 60};
  return syscall(SYS_prlimit64, 0, RLIMIT_CPU, &limit, NULL);
}
static long sleep_(void) {
  struct timespec pause = {0, 1000};
  return syscall(SYS_nanosleep, &pause, NULL);
}
static long clock_sleep(void) {
  struct timespec pause = {0, 1000};
  return syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
}
static long handle_signal(void) { return signal(SIGPROF, SIG_IGN) == SIG_ERR ? -1 : 0; }

static long become_root(void) { return syscall(SYS_setuid, 0); }
static long unshare_(void) { return syscall(SYS_unshare, CLONE_NEWUSER); }
static long change_root(void) { return syscall(SYS_chroot, "."); }
static long change_personality(void) { return syscall(SYS_personality, 0x0400000 /* READ_IMPLIES_EXEC */); }

static long map_executable(void) {
  return syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static long map_writable_executable(void) {
  return syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static long make_executable(void) { return syscall(SYS_mprotect, page, sizeof page, PROT_READ | PROT_EXEC); }
static long make_executable_with_key(void) {
#ifdef SYS_pkey_mprotect
  return syscall(SYS_pkey_mprotect, page, sizeof page, PROT_READ | PROT_EXEC, -1);
#else
  return UNKNOWN;
#endif
}
static long share_memory(void) {
#ifdef SYS_shmget
  return syscall(SYS_shmget, 0, 4096, 01600);
#else
  return UNKNOWN;
#endif
}
static long ring(void) {
#ifdef SYS_io_uring_setup
  char params[120] = {0};
  return syscall(SYS_io_uring_setup, 1, params);
#else
  return UNKNOWN;
#endif
}
static long filter_program(void) { return syscall(SYS_bpf, 5, page, 48); }
static long watch_faults(void) { return syscall(SYS_userfaultfd, 0); }
static long performance_events(void) {
  char attributes[128] = {0};
  return syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0);
}
static long pick_processor(void) {
  unsigned long mask = ~0ul;
  return syscall(SYS_sched_setaffinity, 0, sizeof mask, &mask);
}

/* Calls by other interfaces of the same machine; a filter by number might miss them. */
static long other_abi_open(void) {
#if defined(__x86_64__)
  return syscall(0x40000000 | SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
#else
  return UNKNOWN;
#endif
}
static long old_abi_getpid(void) {
#if defined(__x86_64__)
  long answer;
  __asm__ volatile("int $0x80" : "=a"(answer) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
  return answer;
#else
  return UNKNOWN;
#endif
}

static long descriptor_left_open(void) { return syscall(SYS_read, LEFT_OPEN, page, 0); }
static long be_root(void) { return geteuid() == 0 ? 0 : -1; } /* the question itself needs a call */

/* Allowed: without these nothing could be computed or reported. */
static long compute(void) {
  char *block = malloc(1 << 20);
  if (!block) return -1;
  memset(block, 1, 1 << 20);
  struct timespec now;
  return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
}
static long report(void) { return write(3, "x", 1); }
static long map_data(void) {
  return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
}
static long map_too_much(void) {
  return mmap(NULL, (size_t)1 << 33, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
}

#define ATTEMPT(name) {#name, name}
static const struct { const char *name; long (*make)(void); } attempts[] = {
  ATTEMPT(open_for_reading), ATTEMPT(open_folder), ATTEMPT(open_own_memory), ATTEMPT(create_file), ATTEMPT(open_modern),
  ATTEMPT(make_folder), ATTEMPT(remove_file), ATTEMPT(change_folder), ATTEMPT(truncate_file),
  ATTEMPT(truncate_open_file), ATTEMPT(memory_file), {"fork", fork_}, ATTEMPT(fork_modern), ATTEMPT(execute),
  ATTEMPT(library_fork), ATTEMPT(network_socket), ATTEMPT(local_socket), ATTEMPT(socket_pair), {"pipe", pipe_},
  ATTEMPT(duplicate), ATTEMPT(duplicate_by_fcntl), ATTEMPT(look_for_parent), ATTEMPT(stop_parent),
  ATTEMPT(signal_everybody), ATTEMPT(signal_thread_of_parent), ATTEMPT(trace_parent), ATTEMPT(read_memory_of_parent),
  ATTEMPT(limits_of_parent), ATTEMPT(raise_own_limit), {"sleep", sleep_}, ATTEMPT(clock_sleep), ATTEMPT(handle_signal),
  ATTEMPT(become_root), {"unshare", unshare_}, ATTEMPT(change_root), ATTEMPT(change_personality),
  ATTEMPT(map_executable), ATTEMPT(map_writable_executable), ATTEMPT(make_executable),
  ATTEMPT(make_executable_with_key), ATTEMPT(share_memory), ATTEMPT(ring), ATTEMPT(filter_program),
  ATTEMPT(watch_faults), ATTEMPT(performance_events), ATTEMPT(pick_processor), ATTEMPT(other_abi_open),
  ATTEMPT(old_abi_getpid), ATTEMPT(descriptor_left_open), ATTEMPT(be_root), ATTEMPT(compute), ATTEMPT(report),
  ATTEMPT(map_data), ATTEMPT(map_too_much),
};

static int in_child(long (*make)(void), unsigned mask) {
  int null = open("/dev/null", O_RDWR);
  dup2(null, LEFT_OPEN);
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  dup2(report_end, 3);
  struct jail_limits limits = {(uint64_t)1 << 32, 2000000, 1 << 20};
  if (mask && jail_enter(mask, &limits) != JAIL_LAYERS) return 102;
  errno = 0;
  long answer = make();
  if (answer == UNKNOWN) return 103;
  if (answer >= 0) return 0;
  return errno > 0 && errno < 100 ? errno : 100;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int report[2];
  if (pipe(report) != 0) return 1;
  report_end = report[1];
  jail_prepare();
  parent = getpid();
  for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
    if (strcmp(attempts[i].name, argv[1]) != 0) continue;
    pid_t child = fork();
    if (child == 0) _exit(in_child(attempts[i].make, (unsigned)atoi(argv[2])));
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0) return 1;
    if (WIFSIGNALED(status)) printf("killed %d\n", WTERMSIG(status));
    else if (WEXITSTATUS(status) == 0) printf("done\n");
    else if (WEXITSTATUS(status) == 103) printf("unknown here\n");
    else if (WEXITSTATUS(status) > 100) printf("broken %d\n", WEXITSTATUS(status));
    else printf("refused %d\n", WEXITSTATUS(status));
    return 0;
  }
  return 2;
}
