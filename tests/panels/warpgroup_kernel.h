// The product of warpgroups, mbarriers and warps that load that several panels show.
#pragma once
#include "core/document/kernel.h"
#include "tests/model/programs.h"

namespace loom::session {

inline document::KernelText warpgroupKernel(bool loaders, int groups = 1, int cluster = 1) {
  const model::ScheduledText text = model::warpgroupProduct(loaders, groups, cluster);
  return document::makeKernel(model::replayed(text.function, text.lines).last);
}

}  // namespace loom::session
