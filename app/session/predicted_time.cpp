#include "app/session/predicted_time.h"

#include "app/session/state_model.h"
#include "core/model/model.h"

namespace loom::session {

std::optional<double> predictedTime(const document::KernelText& text, const model::Device& device,
                                    const StateModel* known) {
  if (!text.program || text.program->kernels.empty()) return std::nullopt;
  double time = 0;
  for (const device::Kernel& kernel : text.program->kernels) {
    if (known && &kernel == &text.program->kernels[known->which]) {
      if (!known->estimate()) return std::nullopt;
      time += known->estimate()->microseconds;
      continue;
    }
    const auto estimate = model::estimateOf(model::accessesOf(kernel), device);
    if (!estimate) return std::nullopt;
    time += estimate->microseconds;
  }
  return time;
}

}  // namespace loom::session
