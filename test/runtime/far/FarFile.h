//===- FarFile.h - Far memory of one test -----------------------*- C++ -*-===//

#ifndef HEDDLE_TEST_RUNTIME_FARFILE_H
#define HEDDLE_TEST_RUNTIME_FARFILE_H

#include "heddle/amu.h"
#include "heddle/far.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <thread>
#include <vector>

namespace heddle::test {

constexpr uint64_t FarPage = 4096;
constexpr uint64_t InPage = FarPage / sizeof(uint64_t);
/// The tests run with the smallest cache, so that pages come and go.
constexpr uint64_t FarCachePages = 256;

/// Returns a value for each index, different in adjacent pages.
inline uint64_t farValue(uint64_t Index) {
  return (Index + 1) * 0x9E3779B97F4A7C15;
}

/// Runs `work(0)` to `work(Count - 1)`, each in a thread of its own.
template <typename WorkType> void inThreads(unsigned Count, WorkType Work) {
  std::vector<std::jthread> Threads;
  for (unsigned Own = 0; Own < Count; ++Own)
    Threads.emplace_back([&Work, Own] { Work(Own); });
}

/// Makes an id finish in any case, even if it waits for no request.
inline void deliver(heddle_amu *Amu, uint64_t Id) {
  heddle_amu_aset(Amu, Id, 1);
  EXPECT_TRUE(heddle_amu_await(Amu, Id));
  heddle_amu_asignal(Amu, Id);
}

/// The values of a region.
class FarValues {
public:
  uint64_t address(uint64_t Index) const {
    return Start + Index * sizeof(uint64_t);
  }
  uint64_t load(uint64_t Index) const {
    uint64_t Value;
    memcpy(&Value, heddle_far_load(address(Index), sizeof Value), sizeof Value);
    return Value;
  }
  void store(uint64_t Index, uint64_t Value) const {
    heddle_far_store(address(Index), &Value, sizeof Value);
  }

protected:
  uint64_t Start = 0; ///< of the region
};

/// A file of `Count` values, as a region.
class FarFile : public FarValues {
public:
  explicit FarFile(uint64_t Count, heddle_far_mode Mode = HEDDLE_FAR_READ) {
    std::string Text(Count * sizeof(uint64_t), 0);
    for (uint64_t I = 0; I < Count; ++I) {
      const uint64_t Value = farValue(I);
      memcpy(Text.data() + I * sizeof Value, &Value, sizeof Value);
    }
    writeText(path(), Text);
    open(Mode);
  }
  ~FarFile() {
    if (Start)
      EXPECT_EQ(close(), 0);
  }

  std::string path() const { return Directory.file("far"); }
  void open(heddle_far_mode Mode) {
    auto *Opened = heddle_far_open(path().c_str(), Mode, 0);
    Start = reinterpret_cast<uint64_t>(Opened);
    EXPECT_NE(Start, 0u);
  }
  /// Opens the file with a check, and closes the region that was open.
  void openChecked(heddle_far_check Check, void *Context) {
    EXPECT_EQ(close(), 0);
    auto *Opened = heddle_far_open_checked(path().c_str(), Check, Context);
    Start = reinterpret_cast<uint64_t>(Opened);
    EXPECT_NE(Start, 0u);
  }
  int close() {
    const uint64_t Closed = Start;
    Start = 0;
    return heddle_far_close(pointer(Closed));
  }
  int sync() { return heddle_far_sync(pointer(Start)); }

  /// Returns the value in the file.
  uint64_t inFile(uint64_t Index) const {
    uint64_t Value = 0;
    std::ifstream File(path(), std::ios::binary);
    File.seekg(static_cast<std::streamoff>(Index * sizeof Value));
    File.read(reinterpret_cast<char *>(&Value), sizeof Value);
    EXPECT_TRUE(File.good()) << Index;
    return Value;
  }

  static heddle_far void *pointer(uint64_t Address) {
    return reinterpret_cast<heddle_far void *>(Address);
  }

private:
  TemporaryDirectory Directory;
};

} // namespace heddle::test

#endif
