/* The child's side of the report: see common/report.mli for the format. */
#ifndef REPORT_H
#define REPORT_H

#include <stddef.h>
#include <stdint.h>

enum { REPORT_FD = 3, REPORT_HEADER = 9, REPORT_PAYLOAD_MAX = 1 << 23 };

/* The payload under construction; report_send puts the header in the bytes before it, so that one frame is one write. */
extern unsigned char *const report_payload;

void report_send(char tag, size_t length);
void report_text(char tag, const char *text);

/* Set when the time of a call was over and it got more (see service.c): from then on nothing is reported but that memory
   ran out, and what would be reported ends the process. */
extern int report_is_late;

/* What was computed since the last frame is not counted to the next one. */
void report_skip(void);

#endif
