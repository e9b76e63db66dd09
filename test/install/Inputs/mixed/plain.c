#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char *text = heddle_remote_alloc(16);
  if (!text)
    return 1;
  strcpy(text, "allocated");
  puts(text);
  heddle_remote_free(text);
  return 0;
}
