// What is to be said of a step that was applied: where it stands in the history, on its line and its loops.
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
    kNoEffect,  // the kernel doesn't do what the step asks for; it is right all the same
  };
  Kind kind = Kind::kNoEffect;
  std::string code;              // "UndeclaredVariable", "OutOfBounds"; "" of kNoEffect
  Message text;                  // a sentence
  std::vector<ir::Id> subjects;  // loops, blocks, buffers
  Message remedy;                // what to do instead, in words; "" where nothing is known
};

// Returns the remarks on the step from `before` to `after`, warnings first. A remark on an annotation belongs to the
// step that put it there, not to a later one that copies it to another block.
std::vector<StepRemark> remarksOnStep(const schedule::State& before, const schedule::State& after);

// Returns the same and, in addition, what lowering says of the state after (device::Program::remarks) but not of the
// one before: loops that are executed in another way. A lowered program is null for a state that is no kernel.
std::vector<StepRemark> remarksOnStep(const schedule::State& before, const device::Program* loweredBefore,
                                      const schedule::State& after, const device::Program* loweredAfter);

}  // namespace loom::lower
