/*===- feedback.h - What all loops see of the devices ---------------------===
 *
 * Counts requests, and measures for depth.h what comes of each depth. Loops of
 * several threads share the devices, and what they take evenly: each for itself
 * would find that more requests bring it more, at the cost of the others.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_DEVICES_FEEDBACK_H
#define HEDDLE_RUNTIME_FAR_DEVICES_FEEDBACK_H

/* A thread begins the first of its loops that adapt, or ends the last. */
void heddle_far_join_devices(void);
void heddle_far_leave_devices(void);

/* How many tasks the loop of one thread may have. */
unsigned heddle_far_share_of_devices(void);

/* So many requests have been submitted, have completed, or have been cancelled.
 */
void heddle_far_submitted(unsigned requests);
void heddle_far_completed(unsigned requests);
void heddle_far_withdrawn(unsigned requests);

/* In a child process: `loops` threads have loops, and no request is under way.
 */
void heddle_far_forget_devices(unsigned loops);

#endif
