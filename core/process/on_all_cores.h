#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace loom::process {

/// Calls `work` with each number from 0 to count − 1 once, from as many threads as there are cores less one (at least
/// one), and returns when all calls are done. `work` must be thread-safe and must not throw.
template <class Work>
void onAllCores(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  for (unsigned t = 1; t < std::max(2U, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      for (std::size_t n = next++; n < count; n = next++) work(n);
    });
  }
}

}  // namespace loom::process
