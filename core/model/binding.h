// What takes most of a kernel's time, by the model: one answer for every view that is asked for it.
#pragma once
#include <optional>
#include <string>

#include "core/model/model.h"

namespace loom::model {

// The resource that binds a kernel: what nothing hides for the longest time in a block's life, and how close the kernel
// comes to the lowest roof.
struct Binding {
  std::string subject;      // a track of Playback ("copy", "shared", "arithmetic", "issue"), "tensor" or "waits"
  double percent = 0;       // of a block's life, 0 to 100
  double microseconds = 0;  // of the kernel's predicted time
  Message sentence;         // with both: what Playback, Advice, Roofline and Winner say
};

// Returns what binds a kernel; nothing where the model has no time to divide, or no clock of it is exposed.
std::optional<Binding> bindingOf(const KernelModel& model);

}  // namespace loom::model
