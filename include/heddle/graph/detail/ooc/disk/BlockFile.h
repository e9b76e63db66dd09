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
    Create  ///< a new one, replaces an existing one
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

/// Concurrent transfers between files and memory. Used by one thread.
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
    std::string problem;
    bool isWrite = false;
  };

  IoQueue();
  /// Waits for all transfers.
  ~IoQueue();
  IoQueue(IoQueue &&) noexcept;
  IoQueue &operator=(IoQueue &&) = delete;

  /// Begins to transfer `bytes` at `offset`; both, and the address, are
  /// multiples of a block.
  void read(const BlockFile &file, std::uint64_t offset, std::byte *to,
            std::size_t bytes, Request &request);
  void write(const BlockFile &file, std::uint64_t offset, const std::byte *from,
             std::size_t bytes, Request &request);

  /// These wait for the transfer.
  void read(const BlockFile &file, std::uint64_t offset, std::byte *to,
            std::size_t bytes) {
    await([&](Request &request) { read(file, offset, to, bytes, request); });
  }
  void write(const BlockFile &file, std::uint64_t offset, const std::byte *from,
             std::size_t bytes) {
    await([&](Request &request) { write(file, offset, from, bytes, request); });
  }

  /// Returns once the transfer has ended. If it has failed, throws Error or
  /// WriteError, which name the file and the offset.
  void wait(Request &request);

  /// Returns once the transfer has ended, whether it has failed or not.
  void settle(Request &request) noexcept;

  const TransferCounts &counts() const;

private:
  /// No piece of the transfer that `begin` begins outlives the request.
  template <typename Begin> void await(Begin begin) {
    Request request;
    try {
      begin(request);
      wait(request);
    } catch (...) {
      settle(request);
      throw;
    }
  }

  class Ring;
  std::unique_ptr<Ring> ring;
};

} // namespace heddle::graph::ooc

#endif
