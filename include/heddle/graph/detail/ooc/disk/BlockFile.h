//===- BlockFile.h - Files that are read and written in blocks -*- C++ -*-===//
//
// Data that do not fit in memory are in files whose sizes are multiples of a
// block. Transfers bypass the page cache of the kernel, which would take memory
// that the budget gives to other data.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_DISK_BLOCKFILE_H
#define HEDDLE_GRAPH_DETAIL_OOC_DISK_BLOCKFILE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::graph::ooc {

/// The unit of sizes, of offsets in files, and of addresses of transfers.
inline constexpr std::size_t BlockBytes = 4096;

inline constexpr std::uint64_t roundUpToBlock(std::uint64_t bytes) {
  return (bytes + BlockBytes - 1) / BlockBytes * BlockBytes;
}

class BlockFile {
public:
  enum class Mode {
    Read,
    Update, ///< an existing file
    Create, ///< a new one; an existing file of that name, or a link, is removed
    Temporary ///< a new one without a name, in the directory that the path is
              ///< of; it vanishes when it is closed, for any reason
  };

  /// Throws Error if a file cannot be read, WriteError if it cannot be written.
  BlockFile(std::string path, Mode mode);
  ~BlockFile();
  BlockFile(BlockFile &&other) noexcept
      : path_(std::move(other.path_)),
        descriptor_(std::exchange(other.descriptor_, -1)) {}
  BlockFile &operator=(BlockFile &&) = delete;

  const std::string &path() const { return path_; }
  int descriptor() const { return descriptor_; }

  /// The current size in bytes. Throws Error.
  std::uint64_t size() const;

  /// Returns when everything written is on the device. Throws WriteError.
  void sync() const;

private:
  int openFor(Mode mode) const;

  std::string path_;
  int descriptor_ = -1;
};

/// Memory for blocks. The kernel allocates its pages when they are used first.
class BlockBuffer {
public:
  BlockBuffer() = default;
  /// Throws std::bad_alloc.
  explicit BlockBuffer(std::size_t bytes);

  std::byte *data() const { return memory.get(); }
  std::size_t size() const { return memory ? memory.get_deleter().bytes : 0; }

private:
  struct Unmap {
    std::size_t bytes;
    void operator()(std::byte *memory) const;
  };
  std::unique_ptr<std::byte, Unmap> memory;
};

/// Bytes read and written.
struct TransferCounts {
  std::uint64_t read = 0, written = 0;

  TransferCounts &operator+=(const TransferCounts &other) {
    read += other.read;
    written += other.written;
    return *this;
  }
  bool operator==(const TransferCounts &) const = default;
};

/// Concurrent transfers between files and memory. Used by one thread. What
/// io_uring does not take, for lack of memory or because it is forbidden, is
/// transferred at once instead: transfers always end.
///
///   IoQueue queue;
///   IoQueue::Request request;
///   queue.read(file, 0, buffer.data(), 1 << 20, request);
///   ...
///   queue.wait(request);
class IoQueue {
public:
  /// A transfer, which is cut into pieces. It must not move while it is in
  /// flight.
  class Request {
  public:
    Request() = default;
    Request(const Request &) = delete;
    Request &operator=(const Request &) = delete;

  private:
    friend class IoQueue;
    std::size_t pieces = 0; ///< under way
    bool isWrite = false;
    // The first failure. Its text takes memory, which may be what is missing.
    int problem = 0; ///< 0: none; an errno; or EndOfFile, which a device has
    std::string_view path;
    std::uint64_t offset = 0, missing = 0;
  };

  IoQueue();
  /// Waits for all transfers.
  ~IoQueue();
  IoQueue(IoQueue &&) noexcept;
  IoQueue &operator=(IoQueue &&) = delete;

  /// Begins to transfer `bytes` at `offset`; both, and the address, are
  /// multiples of a block. The file stays open until the transfer has been
  /// waited for.
  void read(const BlockFile &file, std::uint64_t offset, std::byte *to,
            std::size_t bytes, Request &request) noexcept;
  void write(const BlockFile &file, std::uint64_t offset, const std::byte *from,
             std::size_t bytes, Request &request) noexcept;

  /// These wait for the transfer.
  void read(const BlockFile &file, std::uint64_t offset, std::byte *to,
            std::size_t bytes) {
    Request request;
    read(file, offset, to, bytes, request);
    wait(request);
  }
  void write(const BlockFile &file, std::uint64_t offset, const std::byte *from,
             std::size_t bytes) {
    Request request;
    write(file, offset, from, bytes, request);
    wait(request);
  }

  /// Returns once the transfer has ended. If it has failed, throws Error or
  /// WriteError, which name the file and the offset.
  void wait(Request &request);

  /// Returns once the transfer has ended, whether it has failed or not.
  void settle(Request &request) noexcept;

  const TransferCounts &counts() const;

private:
  class Ring;
  std::unique_ptr<Ring> ring;
};

} // namespace heddle::graph::ooc

#endif
