// Remarks on a step of a schedule that was applied, such as that it breaks the program or has no effect on the kernel.
#pragma once
#include <string>
#include <vector>

#include "core/device/program.h"
#include "core/schedule/state.h"

namespace loom::lower {

// A remark on a step.
struct StepRemark {
  enum class Kind : std::uint8_t {
    kBreaks,    // the program is broken from here on, although TVM takes the step (schedule::warnings)
    kNoEffect,  // the kernel doesn't do what the step asks for, but computes the right result
  };
  Kind kind = Kind::kNoEffect;
  std::string code;              // "UndeclaredVariable", "OutOfBounds"; "" for kNoEffect
  Message text;                  // a sentence
  std::vector<ir::Id> subjects;  // loops, blocks and buffers of the program after the step
  Message remedy;                // what to do instead, in words; "" if nothing is known
};

// Returns the remarks on the step from `before` to `after`, the programs before and after the step; those of kind
// kBreaks come first. Returns none if the step left the program as it was. A remark on an annotation belongs to the
// step that put it there, not to a later one that copies it to another block.
std::vector<StepRemark> remarksOnStep(const schedule::State& before, const schedule::State& after);

// Returns these remarks, and behind them, as kNoEffect, those of device::Program::remarks that lowering makes on the
// state after and hadn't made on the state before, such as that a loop is executed in another way than asked.
// `loweredBefore` and `loweredAfter` are the device programs of the two states; null for a state that is no kernel:
// then there are no remarks of lowering (after), or all that there are count as new (before).
std::vector<StepRemark> remarksOnStep(const schedule::State& before, const device::Program* loweredBefore,
                                      const schedule::State& after, const device::Program* loweredAfter);

}  // namespace loom::lower
