// What takes most of a kernel's time according to the cost model.
#pragma once
#include <optional>
#include <string>

#include "core/model/model.h"

namespace loom::model {

// The resource that binds a kernel: the one that works for the longest time in a block's life without being hidden by a
// busier one.
struct Binding {
  std::string subject;      // "copy", "shared", "arithmetic", "issue" (tracks of the timeline), "tensor" or "waits"
  double percent = 0;       // the share of a block's life in which the resource isn't hidden, 0 to 100
  double microseconds = 0;  // the part of the kernel's predicted time that corresponds to `percent`
  Message sentence;         // a sentence about the resource and about how close the kernel comes to the lowest roof
};

// Returns what binds a kernel; nothing if the model predicts no time, or if no clock of a block's life is exposed.
std::optional<Binding> bindingOf(const KernelModel& model);

}  // namespace loom::model
