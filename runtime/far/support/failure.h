/*===- failure.h - Failures that end the program --------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_SUPPORT_FAILURE_H
#define HEDDLE_RUNTIME_FAR_SUPPORT_FAILURE_H

/* Ends the program with a message: the operation that failed, and the
 * reason. */
_Noreturn void heddle_far_give_up(const char *what, int error);

#endif
