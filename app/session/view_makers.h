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
/// thread, as soon as the program or the model has been made, so that no frame waits for them. A function stores what
/// it makes in Program::views or StateModel::views, a cache that can be filled through a const reference and lives as
/// long as the program or the model. The arguments themselves need only live during the call. Each function may be
/// empty, and several threads may call it at once. `viewMakers` of app/panels/view/view_makers.h returns the functions
/// of all panels; the window (Workbench, app/window/shell.cpp) puts them into Options::views, and `programOf`,
/// `markedAgainst` and whatever makes models call them.
struct ViewMakers {
  /// Is called for each new program with the input that it was made from. `parent` is the kernel of the parent state
  /// (the program before the last schedule step); if that state is no kernel, KernelText::problem says why. Null for
  /// the start.
  std::function<void(const Program& program, const ProgramInput& input, const document::KernelText* parent)> ofProgram;
  /// Is called, instead of `ofProgram`, for each copy of a program whose views shall mark its differences from the
  /// program `program.reference` (markedAgainst, program.h). Neither that nor `program.unmarked`, the program that was
  /// copied, is null; `program.views` is empty.
  std::function<void(const Program& program)> ofMarkedProgram;
  /// Is called for each new model.
  std::function<void(const StateModel& model)> ofModel;
};

}  // namespace loom::session
