#include "core/model/estimate.h"
namespace loom::model {
Result<Estimate> estimate(const KernelAccesses&, const KernelCount&, const Hierarchy&, const Occupancy&,
                          const Device&) {
  return fail("NotModelled", "no time is predicted yet", Forbids::Environment);
}
}  // namespace loom::model
