#pragma once
#include <optional>

#include "core/model/advice.h"

namespace loom::model {

// Returns the advice with the code "pipeline" on a loop that copies tiles from global to shared memory and multiplies
// them: how much of a k step (an iteration of the loop) goes to copies, and to waiting for them, without a product
// being computed meanwhile. Advice::subject says how far copies and products overlap already: "turns" (they take
// turns), "registers" (threads load the next tile into registers) "ring" (asynchronous copies to a ring buffer are
// started ahead) or "passing" (so they are, and they arrive in time: what is exposed is that their bytes pass through
// L1, which a longer ring doesn't shorten). Advice::numbers has "clocks", the clocks of a k step; "exposed", those of
// them that no product hides; "percent", their share, 0 to 100; "microseconds", the part of the predicted time that no
// product hides, which is also Advice::microseconds; and the reasons why copies can't be asynchronous: "bytes" that a
// thread copies at once if they aren't 4, 8 or 16 (else 0), and "old", 1 for a device before sm_80 (else 0). Returns
// nothing for other kernels, and without an estimate. The advice is given even if almost nothing is exposed, because
// the schedule steps that follow it also save instructions.
std::optional<Advice> pipelineAdvice(const KernelModel& model, const Device& device);

}  // namespace loom::model
