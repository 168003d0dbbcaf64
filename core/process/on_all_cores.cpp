#include "core/process/on_all_cores.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace loom::process {

namespace {

// Fewer than 0 where more are kept free than there are.
std::atomic<int>& idleCores() {
  static std::atomic<int> idle = std::max(1, int(std::thread::hardware_concurrency())) - 1;
  return idle;
}

bool takeIdleCore() {
  int idle = idleCores();
  while (idle > 0 && !idleCores().compare_exchange_weak(idle, idle - 1)) {
  }
  return idle > 0;
}

}  // namespace

void onAllCores(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> others;
  for (std::size_t n = next++; n < count; n = next++) {
    while (next < count && takeIdleCore()) {
      try {
        others.emplace_back([&] {
          for (std::size_t m = next++; m < count; m = next++) work(m);
          ++idleCores();
        });
      } catch (const std::system_error&) {  // the system has no thread left: go on alone
        ++idleCores();
        break;
      }
    }
    work(n);
  }
}

CoreKeptFree::CoreKeptFree() { --idleCores(); }

CoreKeptFree::~CoreKeptFree() { ++idleCores(); }

}  // namespace loom::process
