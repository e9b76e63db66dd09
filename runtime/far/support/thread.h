/*===- thread.h - Resources released when a thread ends -------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_SUPPORT_THREAD_H
#define HEDDLE_RUNTIME_FAR_SUPPORT_THREAD_H

/* The resources that a thread may have, in the order of their release. */
enum heddle_far_belonging {
  HeddleFarPins,
  HeddleFarLoops,
  HeddleFarChannels,
  HeddleFarBelongings
};

/* Registers `leave`, which is called when the calling thread ends. Must be
 * called before the thread gets what `leave` releases; may be called more than
 * once. */
void heddle_far_at_thread_end(enum heddle_far_belonging belonging,
                              void (*leave)(void));

#endif
