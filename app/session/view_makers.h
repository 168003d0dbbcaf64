#pragma once

#include <functional>

namespace loom::document {
struct KernelText;
}

namespace loom::session {

struct Program;
struct ProgramInput;
struct StateModel;

/// Functions that make the views that panels show as soon as there is what the views are of: a view that is made along
/// with its program costs no frame. Called on background threads. Any may be empty.
struct ViewMakers {
  /// For views that need more than the program itself. `parent` is the kernel of the parent state, null for the start.
  std::function<void(const Program& program, const ProgramInput& input, const document::KernelText* parent)> ofProgram;
  std::function<void(const Program& program)> ofMarkedProgram;  ///< its `reference` is not null
  std::function<void(const StateModel& model)> ofModel;
};

}  // namespace loom::session
