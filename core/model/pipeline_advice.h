#pragma once
#include <optional>

#include "core/model/advice.h"

namespace loom::model {

// Returns advice "pipeline" on a loop that copies from global to shared memory and multiplies what was copied: how much
// of a k step is spent on copies, and on waiting for them, that no product hides. Its subject says how far the copies
// overlap already: "turns" (copies and products take turns), "registers" (threads load ahead into registers) or "ring"
// (asynchronous copies are started ahead and waited for). Its numbers: "clocks" of a k step, "exposed" of them,
// "percent", and what keeps copies from being asynchronous: "bytes" that a thread copies at once if these aren't 4, 8
// or 16 (else 0), and "old", 1 for a device before sm_80. Returns nothing for other kernels, and without an estimate.
// The advice is given even if next to nothing is exposed, because its steps also save instructions; its microseconds
// are then 0.
std::optional<Advice> pipelineAdvice(const KernelModel& model, const Device& device);

}  // namespace loom::model
