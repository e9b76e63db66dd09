//===- LocalRanks.h - Several ranks in one process, for tests --*- C++ -*-===//

#ifndef HEDDLE_TEST_GRAPHLIB_OOC_LOCALRANKS_H
#define HEDDLE_TEST_GRAPHLIB_OOC_LOCALRANKS_H

#include "heddle/graph/Error.h"
#include "heddle/graph/ooc/Communicator.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace heddle::test {

/// Thrown on a rank when another one has failed.
struct EndedByOther : graph::Error {
  EndedByOther() : Error("another rank has failed") {}
};

/// Runs something on several ranks, which are threads. Packets from different
/// ranks come in a random order.
class LocalRanks {
public:
  explicit LocalRanks(unsigned count) : given(count), inboxes(count) {
    for (auto &inbox : inboxes)
      inbox.resize(count);
  }

  /// Calls `work(communicator)` on each rank, and throws the exception that has
  /// ended them.
  template <typename Work> void run(Work work) {
    std::vector<std::thread> threads;
    for (unsigned rank = 0; rank < given.size(); ++rank)
      threads.emplace_back([&, rank] {
        Rank communicator(*this, rank);
        try {
          work(communicator);
        } catch (const EndedByOther &) {
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (!failure)
            failure = std::current_exception();
          changed.notify_all();
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    if (failure)
      std::rethrow_exception(failure);
  }

private:
  class Rank final : public graph::ooc::Communicator {
  public:
    Rank(LocalRanks &all, unsigned number)
        : all(all), number(number), random(number) {}

    unsigned rank() const override { return number; }
    unsigned ranks() const override {
      return static_cast<unsigned>(all.given.size());
    }

    std::vector<std::string> gather(const std::string &bytes) override {
      std::unique_lock lock(all.mutex);
      all.given[number] = bytes;
      const unsigned round = all.rounds;
      if (++all.arrived == ranks()) {
        all.gathered = all.given;
        all.arrived = 0;
        ++all.rounds;
        all.changed.notify_all();
      }
      all.changed.wait(lock,
                       [&] { return all.failure || all.rounds != round; });
      all.checkFailure();
      return all.gathered;
    }

    void send(unsigned to, Bytes bytes) override {
      const std::lock_guard lock(all.mutex);
      all.checkFailure();
      all.inboxes[to][number].push_back(std::move(bytes));
    }

    std::size_t underWay() override {
      const std::lock_guard lock(all.mutex);
      all.checkFailure();
      std::size_t count = 0;
      for (const auto &inbox : all.inboxes)
        count += inbox[number].size();
      return count;
    }

    std::optional<Packet> receive() override {
      const std::lock_guard lock(all.mutex);
      all.checkFailure();
      const auto first = static_cast<unsigned>(random());
      for (unsigned i = 0; i < ranks(); ++i) {
        const unsigned from = (first + i) % ranks();
        std::deque<Bytes> &inbox = all.inboxes[number][from];
        if (inbox.empty())
          continue;
        Packet packet = {from, std::move(inbox.front())};
        inbox.pop_front();
        return packet;
      }
      return std::nullopt;
    }

  private:
    LocalRanks &all;
    const unsigned number;
    std::minstd_rand random;
  };

  void checkFailure() const {
    if (failure)
      throw EndedByOther();
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> given, gathered;
  unsigned arrived = 0, rounds = 0;
  std::vector<std::vector<std::deque<graph::ooc::Communicator::Bytes>>>
      inboxes; ///< of each rank, from each
  std::exception_ptr failure;
};

} // namespace heddle::test

#endif
