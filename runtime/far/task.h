/*===- task.h - Loops and their tasks -------------------------------------===
 *
 * heddle/amu.h for compiled loops, on the cache of pages.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_TASK_H
#define HEDDLE_RUNTIME_FAR_TASK_H

/* In a child process: forgets the loops of its parent's threads. */
void heddle_far_forget_loops(void);

#endif
