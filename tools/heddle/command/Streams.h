//===- Streams.h - The standard streams of a command ------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_COMMAND_STREAMS_H
#define HEDDLE_TOOLS_COMMAND_STREAMS_H

namespace heddle {

/// Must be called first. Whoever starts a program may have closed standard
/// streams, and the next files would take their places: a message would end up
/// in a graph. Opens something in their places that can neither be read nor
/// written to. Messages to a pipe that no one reads are lost. Makes files that
/// may not grow (ulimit -f) an error, too.
void prepareStreams();

} // namespace heddle

#endif
