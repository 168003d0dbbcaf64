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

/// The states from the start of a history to one of its states, with the lines that led to each. A state is the program
/// after some steps of its schedule. The object holds copies, so that another thread can use it.
struct StatePath {
  std::vector<schedule::State> path;  ///< the states, the start and the last one included
  /// By state of `path`: the lines that led to it (the start has none) and those entered at it (Node::trailing).
  std::vector<std::vector<document::Line>> lines;
  std::shared_ptr<const script::Script> script;  ///< the TVMScript of the last state
};
/// Returns the path to a state, given by its index in the history, which must have it.
StatePath statePath(const document::History& history, int node);

/// Everything that a state's program is made from. The object holds copies, so that another thread can make the
/// program.
struct ProgramInput {
  StatePath states;                                    ///< the path to the state of the program
  std::shared_ptr<const script::Script> parentScript;  ///< TVMScript of the state before; null for the start
  /// For the kernel's comments: number of the step that a line belongs to, by the number that identifies the line
  /// (uid).
  std::map<std::uint32_t, int> numbers;
  document::Sizes sizes;  ///< values of the function's symbolic sizes
};
/// Returns the input for the program of a state, given by its index in the history.
ProgramInput programInput(const document::History& history, int node);

/// The program of a state: its TVMScript, the kernel that lowering makes of it, and remarks. Immutable once made,
/// except that panels store their views of the program in `views`.
struct Program {
  document::KernelText kernel;                   ///< the kernel and its CUDA text, or why the state is no kernel
  std::shared_ptr<const script::Script> script;  ///< TVMScript, and where its loops, blocks and buffers stand in it
  std::vector<lower::StepRemark> stepRemarks;    ///< on the step that led to the state; empty for the start
  /// Remarks on what the schedule says and the kernel doesn't do (unheededIn), and on what the last step broke.
  std::vector<device::Remark> unheeded;
  /// The program against which views mark differences. Null stands for that of the parent state.
  std::shared_ptr<const Program> reference;
  std::shared_ptr<const Program> unmarked;  ///< the same program, marked against its parent; null without `reference`
  ViewCache views;
};

/// Returns the kernel of a program, which must not be null; the result keeps the program alive.
inline std::shared_ptr<const document::KernelText> kernelOf(const std::shared_ptr<const Program>& program) {
  return {program, &program->kernel};
}

/// Returns the program of the last state of `input`, with the views that `views` makes during the call (view_makers.h
/// says whose functions these are). Takes some ms: lowers the state and its parent.
std::shared_ptr<const Program> programOf(const ProgramInput& input, const ViewMakers& views);

/// Returns a copy of `program`, which is its `unmarked`, whose views mark its differences from `reference` instead of
/// from its parent, with the views that `views` makes during the call. Neither may be null.
std::shared_ptr<const Program> markedAgainst(std::shared_ptr<const Program> program,
                                             std::shared_ptr<const Program> reference, const ViewMakers& views);

/// Returns remarks on what a program says and its kernel doesn't do, or does in another way. For a state that is no
/// kernel yet, they are on annotations that no kernel will follow.
std::vector<device::Remark> unheededIn(const document::KernelText& kernel);

/// The PTX of a program.
struct PtxText {
  std::string text;  ///< the text that the compiler returns
  ViewCache views;
};

}  // namespace loom::session
