//===- freestanding.h - Programs without any library -----------*- C -*-===//
//
// For processors under emulation: test()'s result is the program's exit code.
//
//===----------------------------------------------------------------------===//

static unsigned long state = 1;
static unsigned number(unsigned most) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return (unsigned)(state >> 33) % most;
}

static int test(void);

void _start(void) {
#ifdef __aarch64__
  register long result __asm__("x0") = test();
  register long call __asm__("x8") = 93;
  __asm__ volatile("svc #0" : : "r"(result), "r"(call));
#else
  register long result __asm__("a0") = test();
  register long call __asm__("a7") = 93;
  __asm__ volatile("ecall" : : "r"(result), "r"(call));
#endif
  __builtin_unreachable();
}
