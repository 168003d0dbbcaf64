// A predicted time with its breakdown.
#pragma once
#include "core/model/hierarchy.h"
#include "core/model/occupancy.h"

namespace loom::model {

struct Estimate {
  double microseconds = 0;
};
Result<Estimate> estimate(const KernelAccesses& kernel, const KernelCount& count, const Hierarchy& hierarchy,
                          const Occupancy& occupancy, const Device& device);

}  // namespace loom::model
