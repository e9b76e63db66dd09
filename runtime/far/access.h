/*===- access.h - Loads and stores that wait
 * -------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_ACCESS_H
#define HEDDLE_RUNTIME_FAR_ACCESS_H

/* Gives up what the thread has pinned. */
void heddle_far_leave_thread(void);

#endif
