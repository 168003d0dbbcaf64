#pragma once

#include <optional>
#include <string>

#include "app/session/program.h"
#include "app/session/state_model.h"

namespace loom::workbench {

/// Predicted times, µs. Both are of one depth: what the model says of a program as written doesn't compare with what it
/// says of machine code.
struct PredictedEffect {
  std::string device;
  double before = 0, after = 0;
  ModelBasis depth = ModelBasis::kSource;  ///< else kMachineCode
};

/// Lines that are being chosen or filled in, and the program that they would give.
struct Preview {
  std::string lines;
  int node = 0;                                  ///< the state on show
  int at = 0;                                    ///< the state they would be applied to: `node`, or one before it
  std::string edit;                              ///< in that case, what they do otherwise; the others follow again
  std::optional<Error> refusal;                  ///< why they can't be
  schedule::Changes changes;                     ///< against the state, with `derived`
  std::shared_ptr<const Program> program;        ///< marks are against the state; null: not worked out yet, or refused
  std::shared_ptr<const schedule::State> state;  ///< the program; comes with `derived`
  /// Comes after `derived`, of the program as written, and again with its machine code where there is a compiler.
  std::shared_ptr<const StateModel> model;
  bool compiling = false;                 ///< the machine code is on its way
  std::optional<PredictedEffect> effect;  ///< as written; none where one of both is no kernel

  /// The last line: the step itself; or the edit.
  std::string step() const;
};

/// Applies the lines to the last state of `input`: its path gets that state and its lines. Ids of what they make are
/// those that the history would give. The refusal of the first line that can't be applied. `nextUid` is the history's.
/// `instead`: the lines that they stand in place of; where there are as many, each takes the id of its counterpart, so
/// that what both make is the same loop to all who look at it.
Result<ProgramInput> previewInput(ProgramInput input, std::uint32_t nextUid, const std::string& lines,
                                  const schedule::Environment& environment,
                                  const std::vector<document::Line>& instead = {});

}  // namespace loom::workbench
