/*===- sanitizers.h - This library in programs under MemorySanitizer --------===
 *
 * MemorySanitizer does not see what this library writes, because it is not
 * compiled with it. Its versions of the C library's functions would then find
 * strings that the library has made itself uninitialised.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_SANITIZERS_H
#define HEDDLE_RUNTIME_HOST_SANITIZERS_H

__attribute__((weak)) void __msan_scoped_disable_interceptor_checks(void);
__attribute__((weak)) void __msan_scoped_enable_interceptor_checks(void);

/* Until heddle_end_uninstrumented(), this thread may hand strings of its own to
 * the C library. */
static inline void heddle_begin_uninstrumented(void) {
  if (__msan_scoped_disable_interceptor_checks)
    __msan_scoped_disable_interceptor_checks();
}

static inline void heddle_end_uninstrumented(void) {
  if (__msan_scoped_enable_interceptor_checks)
    __msan_scoped_enable_interceptor_checks();
}

#endif
