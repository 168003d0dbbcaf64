#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/panels/code/view/names.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/lower/step_remarks.h"
#include "core/script/line_diff.h"

namespace loom::workbench {

/// What the lines of a code are about.
struct CodeMeaning {
  std::vector<std::vector<ir::Id>> ids;  ///< by line: loops, blocks and buffers
  CodeNames names;
  std::vector<int> foldEnds;  ///< as `foldEnds` gives them
  /// By line, what it says and the kernel doesn't do, as English sentences; empty: nothing of the kind.
  std::vector<std::vector<std::string>> unheeded;
};

/// What follows from a state alone. Immutable once there.
struct Derived {
  document::KernelText kernel;
  std::shared_ptr<const script::Script> code;  ///< TVMScript with its spans
  std::vector<std::string> script, cuda;       ///< lines
  script::LineDiff scriptDiff, cudaDiff;       ///< against the parent's; empty marks for the start
  bool parentHasKernel = false;
  LoopNest nest;
  /// What the state says and its kernel doesn't do, and what its step broke.
  std::vector<device::Remark> unheeded;
  CodeMeaning scriptMeaning, cudaMeaning;
  std::vector<lower::StepRemark> stepRemarks;  ///< on the step that led here
};

/// What a state is derived from; copies, for another thread.
struct DeriveInput {
  NestInput nest;  ///< path to the state; its last but one is what marks compare with
  std::shared_ptr<const script::Script> parentScript;  ///< null for the start
  std::map<std::uint32_t, int> numbers;                ///< uid of a line → step, for the comments of the kernel
  document::Sizes sizes;                               ///< of the function's symbols
};
DeriveInput deriveInput(const document::History& history, int node);

/// Some ms: lowers the state and its parent, compares their texts.
std::shared_ptr<const Derived> derivedOf(const DeriveInput& input);

}  // namespace loom::workbench
