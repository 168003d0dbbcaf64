#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/session/view_cache.h"
#include "app/session/view_makers.h"
#include "core/document/history.h"
#include "core/document/kernel.h"
#include "core/lower/step_remarks.h"

namespace loom::session {

/// The states from the start of a history to one of its states, with the lines that led to each. Holds copies, for
/// another thread.
struct StatePath {
  std::vector<schedule::State> path;               ///< both included
  std::vector<std::vector<document::Line>> lines;  ///< by state
  std::shared_ptr<const script::Script> script;    ///< of the last state
};
StatePath statePath(const document::History& history, int node);

/// Everything that a state's program is made from. Holds copies, so that another thread can make it.
struct ProgramInput {
  StatePath states;                                    ///< the last state is the program's
  std::shared_ptr<const script::Script> parentScript;  ///< null for the start
  std::map<std::uint32_t, int> numbers;  ///< uid of a line → number of its step, for the kernel's comments
  document::Sizes sizes;                 ///< of the function's symbols
};
ProgramInput programInput(const document::History& history, int node);

/// The program of a state: its TVMScript, the kernel that lowering makes of it, and what both leave out. Immutable once
/// made. Panels keep their views of it with it.
struct Program {
  document::KernelText kernel;
  std::shared_ptr<const script::Script> script;  ///< TVMScript with its spans
  std::vector<lower::StepRemark> stepRemarks;    ///< on the step that led to the state; empty for the start
  /// Remarks on what the schedule says and the kernel doesn't do, and on what its last step broke.
  std::vector<device::Remark> unheeded;
  /// The program against which views mark differences. Null stands for that of the parent state.
  std::shared_ptr<const Program> reference;
  std::shared_ptr<const Program> unmarked;  ///< the same program, marked against its parent; null without `reference`
  ViewCache views;
};

/// Returns the kernel of a program, which lives as long as the program.
inline std::shared_ptr<const document::KernelText> kernelOf(const std::shared_ptr<const Program>& program) {
  return {program, &program->kernel};
}

/// Returns the program of the last state of `input`, with the views that `views` makes. Takes some ms: lowers the state
/// and its parent.
std::shared_ptr<const Program> programOf(const ProgramInput& input, const ViewMakers& views);

/// Returns the same program with its differences marked against `reference` instead of its parent.
std::shared_ptr<const Program> markedAgainst(std::shared_ptr<const Program> program,
                                             std::shared_ptr<const Program> reference, const ViewMakers& views);

/// Returns what a program says and its kernel doesn't do, or does in another way. For a state that is no kernel yet,
/// these are the annotations that no kernel will follow.
std::vector<device::Remark> unheededIn(const document::KernelText& kernel);

/// The PTX of a program.
struct PtxText {
  std::string text;  ///< as NVRTC gives it
  ViewCache views;
};

}  // namespace loom::session
