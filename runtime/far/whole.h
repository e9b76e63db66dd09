/*===- whole.h - Regions that are memory as a whole -----------------------===
 *
 * To compiled loops, such a region looks like one page. Each thread that
 * accesses it has a frame of its own for it: a store marks the page as dirty,
 * and if threads shared the mark, its cache line would go back and forth.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_WHOLE_H
#define HEDDLE_RUNTIME_FAR_WHOLE_H

#include "far/frames.h"

/* Pins a frame for the region at `address`, which has memory. Ends the program
 * with a message if there is no memory for it. */
struct heddle_far_frame *heddle_far_take_whole(uint64_t address);

/* Takes the region at `address` out of its frames. */
void heddle_far_forget_whole(uint64_t address);

/* Locks the frames, so that no other thread changes them until they are
 * released.
 */
void heddle_far_hold_whole(void);
void heddle_far_release_whole(void);

#endif
