#pragma once
#include <optional>

#include "core/model/advice.h"

namespace loom::model {

// Advice "pipeline" on a loop that copies from global to shared memory and multiplies what was copied: how much of a k
// step are copies, and waits for them, that no product covers. Its subject is how far the copies are from overlapping:
// "turns" (copies and products take turns), "registers" (copies are loaded ahead by threads, which hold them) or "ring"
// (copies are started ahead and waited for). Its numbers: "clocks" of a k step, "exposed" of them, "percent", and what
// keeps copies from being asynchronous: "bytes" that a thread copies at once, where these aren't 4, 8 or 16 (else 0),
// and "old", 1 for a device before sm_80. Nothing for other kernels, and without a time. It is given even where next to
// nothing is exposed, because its steps also save instructions; its microseconds are then 0.
std::optional<Advice> pipelineAdvice(const KernelModel& model, const Device& device);

}  // namespace loom::model
