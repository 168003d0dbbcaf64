#pragma once

#include <functional>

namespace loom::document {
struct KernelText;
}

namespace loom::session {

struct Program;
struct ProgramInput;
struct StateModel;

/// Functions that make the views of panels (what a panel derives from a program or a model, to draw it) on a background
/// thread, as soon as the program or the model has been made, so that no frame waits for them. Each may be empty, and
/// several threads may call it at once.
struct ViewMakers {
  /// Is called for each new program with the input that it was made from. `parent` is the kernel of the parent state
  /// (the program before the last schedule step), or has the reason why that is none (KernelText::problem); null for
  /// the start.
  std::function<void(const Program& program, const ProgramInput& input, const document::KernelText* parent)> ofProgram;
  /// Is called for each program that was marked against another state's; `program.reference` is not null.
  std::function<void(const Program& program)> ofMarkedProgram;
  /// Is called for each new model.
  std::function<void(const StateModel& model)> ofModel;
};

}  // namespace loom::session
