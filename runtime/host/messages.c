/*===- messages.c - Messages to the user ----------------------------------===*/

#include "host/messages.h"

#include "host/signals.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LineBytes = 2048 };

void heddle_say(const char *text, size_t size) {
  const struct heddle_held_signal limit = heddle_hold_signal(SIGXFSZ);
  const struct heddle_held_signal pipe = heddle_hold_signal(SIGPIPE);
  fwrite(text, 1, size, stderr);
  heddle_release_signal(&pipe);
  heddle_release_signal(&limit);
}

/* `text` begins the line. */
static void say_line(char text[LineBytes], const char *format,
                     va_list arguments) {
  const size_t begin = strlen(text), room = LineBytes - begin - 1;
  vsnprintf(text + begin, room, format, arguments);
  strcat(text, "\n");
  heddle_say(text, strlen(text));
}

void heddle_warn(const char *format, ...) {
  char text[LineBytes] = "heddle: warning: ";
  va_list arguments;
  va_start(arguments, format);
  say_line(text, format, arguments);
  va_end(arguments);
}

void heddle_say_error(const char *format, ...) {
  char text[LineBytes] = "heddle: error: ";
  va_list arguments;
  va_start(arguments, format);
  say_line(text, format, arguments);
  va_end(arguments);
}

void heddle_fail(const char *format, ...) {
  char text[LineBytes] = "heddle: error: ";
  va_list arguments;
  va_start(arguments, format);
  say_line(text, format, arguments);
  va_end(arguments);
  fflush(stdout);
  _exit(1);
}
