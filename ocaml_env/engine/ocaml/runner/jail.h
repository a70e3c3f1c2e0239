/* The layers that stand between a candidate and the machine. Each is installed in the forked child, on itself, and each
   can be tried on its own (jail_probe). */
#ifndef JAIL_H
#define JAIL_H

#include <stdint.h>

enum jail_layer { JAIL_RLIMITS, JAIL_DESCRIPTORS, JAIL_UID, JAIL_LANDLOCK, JAIL_SECCOMP, JAIL_LAYERS };

extern const char *const jail_layer_names[JAIL_LAYERS];

struct jail_limits {
  uint64_t address_space; /* bytes of address space, all told */
  uint64_t cpu_us;        /* CPU time, rounded up to the kernel's whole seconds */
  uint64_t file_bytes;    /* bytes that a write to a file may reach */
};

/* Opens what the layers need (the Landlock rule set). Call once, in the parent, before jail_probe and jail_enter. */
void jail_prepare(void);

enum { JAIL_ON = 0, JAIL_ABSENT = 1, JAIL_BROKEN = 2 };

/* Tries a layer in a child made for it. JAIL_ABSENT: this kernel has no such thing. */
int jail_probe(enum jail_layer layer);

/* Installs the layers of the mask, in order. Returns JAIL_LAYERS, or the layer that could not be installed. */
enum jail_layer jail_enter(unsigned mask, const struct jail_limits *limits);

#endif
