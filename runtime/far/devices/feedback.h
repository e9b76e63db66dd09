/*===- feedback.h - The devices as all loops see them ---------------------===
 *
 * Counts requests, and measures for depth.h what each depth achieves. Loops of
 * several threads share the devices' depth evenly: a loop that measured alone
 * would find that more requests make it faster, at the cost of the others.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_DEVICES_FEEDBACK_H
#define HEDDLE_RUNTIME_FAR_DEVICES_FEEDBACK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Must be called when a thread begins the first of its loops that adapt, and
 * when it ends the last. */
void heddle_far_join_devices(void);
void heddle_far_leave_devices(void);

/* Returns the number of tasks that the loop of one thread may have. */
unsigned heddle_far_share_of_devices(void);

/* Must be called when requests have been submitted, have completed, or have
 * been cancelled. */
void heddle_far_submitted(unsigned requests);
void heddle_far_completed(unsigned requests);
void heddle_far_withdrawn(unsigned requests);

/* Resets a child process: `loops` threads have loops, and no request is in
 * flight. */
void heddle_far_forget_devices(unsigned loops);

#ifdef __cplusplus
}
#endif

#endif
