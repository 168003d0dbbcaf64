#pragma once

#include <cstddef>
#include <functional>

namespace loom::process {

/// Calls `work` with each number from 0 to count − 1 once, in the calling thread and in others, and returns when all
/// calls are done. All calls of this function together have no more other threads at a time than the machine has cores
/// besides one; where `work` calls it, too, it gets cores that become idle before one of its numbers begins. `work`
/// must be thread-safe and must not throw.
void onAllCores(std::size_t count, const std::function<void(std::size_t)>& work);

/// For as long as such an object lives, `onAllCores` uses one core less, of which a window draws meanwhile; the calling
/// thread always works, though.
class CoreKeptFree {
 public:
  CoreKeptFree();
  CoreKeptFree(const CoreKeptFree&) = delete;
  CoreKeptFree& operator=(const CoreKeptFree&) = delete;
  ~CoreKeptFree();
};

}  // namespace loom::process
