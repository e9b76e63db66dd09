/*===- whole.h - Regions that lie in memory as a whole --------------------===
 *
 * A region without a file is one page, as far as compiled loops can see. Each
 * thread that has it in sight has a frame of its own for it: storing marks the
 * page as dirty, and threads that share a mark would take it from each other.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_WHOLE_H
#define HEDDLE_RUNTIME_FAR_WHOLE_H

#include "far/frames.h"

/* Pins a frame for the region at `address`, which has memory. Ends the program
 * with a message if there is no memory for it. */
struct heddle_far_frame *heddle_far_take_whole(uint64_t address);

/* Takes the region at `address` out of the frames that it is in. */
void heddle_far_forget_whole(uint64_t address);

/* Nobody else has the frames in hand until they are released. */
void heddle_far_hold_whole(void);
void heddle_far_release_whole(void);

#endif
