// The kernel of a warpgroup product with mbarriers, for tests of several panels.
#pragma once
#include "core/document/kernel.h"
#include "tests/model/programs.h"

namespace loom::session {

// Returns the kernel of model::warpgroupProduct with its CUDA text. With `loaders`, further warps start the copies,
// else those that multiply; `groups` is the number of warpgroups that multiply, and `cluster` the number of blocks of a
// cluster.
inline document::KernelText warpgroupKernel(bool loaders, int groups = 1, int cluster = 1) {
  const model::ScheduledText text = model::warpgroupProduct(loaders, groups, cluster);
  return document::makeKernel(model::replayed(text.function, text.lines).last);
}

}  // namespace loom::session
