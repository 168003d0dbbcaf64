#include "core/device/refusal.h"

#include <utility>

namespace loom::device {

Failure notAKernel(Message message, std::vector<ir::Id> subjects, Message remedy, Forbids forbids) {
  Error e;
  e.code = "NotAKernel";
  e.message = std::move(message);
  e.subjects = std::move(subjects);
  e.remedy = std::move(remedy);
  e.forbids = forbids;
  return Failure(std::move(e));
}

}  // namespace loom::device
