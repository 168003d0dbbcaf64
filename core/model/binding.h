// What takes most of a kernel's time according to the cost model.
#pragma once
#include <optional>
#include <string>

#include "core/model/model.h"

namespace loom::model {

// The resource that binds a kernel: the one that works for the longest time in a block's life without being hidden by a
// busier one. Of a kernel whose warps have roles (some load, others multiply), where all resources work side by side:
// the busiest one if it is busy for at least 85 % of the time, else the waits.
struct Binding {
  // "copy" (global memory), "shared" (shared memory), "arithmetic" (CUDA cores), "tensor" (tensor cores), "issue" (the
  // issue of instructions), or "waits": waiting in all takes longer than any resource, or with roles no resource is
  // busy for so long, or the GPU starts blocks for most of the time.
  std::string subject;
  // With roles, another resource ("copy" or "shared") that is busy for as long within 2 % of the time; "" if there is
  // none.
  std::string also;
  // The share of a block's life, 0 to 100, in which the resource is the busiest of its phase (the part between two
  // barriers) or warps wait for it; if `subject` is "waits", the share of all waiting.
  // With roles: the share of the time in which the resource is busy; if `subject` is "waits", 100 less the share for
  // which tensor cores would be busy at their full rate.
  double percent = 0;
  double microseconds = 0;  // µs: `percent` of the kernel's predicted time without the launch
  Message sentence;         // a sentence about the resource and about how close the kernel comes to the lowest roof
};

// Returns what binds a kernel; nothing if the model predicts no time, or if in no part of it a resource or a wait
// counts.
std::optional<Binding> bindingOf(const KernelModel& model);

// Returns the pipe that `subject` (Binding::subject or `also`) stands for, as an index into Estimate::pipes: of several
// pipes of that resource, the one with the most clocks. Returns -1 for "waits" and "", and if the estimate has no such
// pipe.
int pipeOf(const std::string& subject, const Estimate& estimate);

}  // namespace loom::model
