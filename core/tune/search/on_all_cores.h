#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace loom::tune {

/// Calls `work` with 0 … count − 1, each once, from as many threads as there are cores less one, and returns when all
/// are done. `work` must bear to be called by several threads at a time.
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

}  // namespace loom::tune
