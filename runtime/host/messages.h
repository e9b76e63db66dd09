/*===- messages.h - Messages to the user ----------------------------*- C -*-===
 *
 * The only place that writes to standard error, which may be closed, a file
 * that must not grow, or a pipe that no one reads: then there is no message,
 * but the program goes on, or ends with its own status.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_MESSAGES_H
#define HEDDLE_RUNTIME_HOST_MESSAGES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prints a text. */
void heddle_say(const char *text, size_t size);

/* Prints "heddle: warning: ..." in one piece, without memory. */
__attribute__((format(printf, 1, 2))) void heddle_warn(const char *format, ...);

/* The same with "heddle: error: ...". */
__attribute__((format(printf, 1, 2))) void heddle_say_error(const char *format,
                                                            ...);

/* The same, and ends the program, after what it has printed. */
__attribute__((format(printf, 1, 2), noreturn)) void
heddle_fail(const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif
