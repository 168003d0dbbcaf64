#include "core/process/on_all_cores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace loom::process::on_all_cores_test {
namespace {

using namespace std::chrono_literals;

TEST(OnAllCores, DoesEachNumberOnce) {
  for (const std::size_t count : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> done(count);
    onAllCores(count, [&](std::size_t n) { ++done[n]; });
    EXPECT_TRUE(std::ranges::all_of(done, [](int times) { return times == 1; })) << count;
  }
}

// However deep calls lie in each other, and more than once, since cores are given back.
TEST(OnAllCores, HasNoMoreThreadsAtWorkThanCores) {
  const int cores = int(std::max(1U, std::thread::hardware_concurrency()));
  std::atomic<int> now = 0, most = 0, all = 0;
  for (int times = 0; times < 3; ++times) {
    onAllCores(4, [&](std::size_t) {
      onAllCores(3, [&](std::size_t) {
        const int others = ++now;
        for (int before = most; before < others && !most.compare_exchange_weak(before, others);) {
        }
        std::this_thread::sleep_for(2ms);
        --now, ++all;
      });
    });
    const int atOnce = most.exchange(0);
    EXPECT_LE(atOnce, cores);
    EXPECT_GE(atOnce, std::min(cores, 2)) << "only one core was used";
  }
  EXPECT_EQ(all, 3 * 4 * 3);
}

TEST(OnAllCores, LeavesCoresThatAreKeptFree) {
  std::set<std::thread::id> threads;
  std::mutex mutex;
  const auto work = [&](std::size_t) {
    std::this_thread::sleep_for(2ms);
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  };
  {
    const std::vector<CoreKeptFree> all(std::max(1U, std::thread::hardware_concurrency()));
    onAllCores(8, work);
    EXPECT_EQ(threads.size(), 1U) << "the calling thread works alone";
  }
  onAllCores(8, work);
  EXPECT_GE(threads.size(), std::min(2U, std::thread::hardware_concurrency()));
}

TEST(OnAllCores, WorksInTheCallingThreadToo) {
  std::atomic<int> own = 0;
  const auto caller = std::this_thread::get_id();
  onAllCores(1, [&](std::size_t) { own += std::this_thread::get_id() == caller ? 1 : 0; });
  EXPECT_EQ(own, 1);
}

}  // namespace
}  // namespace loom::process::on_all_cores_test
