#pragma once

#include <optional>
#include <string>

#include "app/workbench/derived.h"

namespace loom::workbench {

struct StateModel;

/// Predicted times, µs, by the model as the program is written: no machine code is needed.
struct PredictedEffect {
  std::string device;
  double before = 0, after = 0;
};

/// Lines that are being chosen or filled in, and the program that they would give.
struct Preview {
  std::string lines;
  int node = 0;                                  ///< the state they would be applied to
  std::optional<Error> refusal;                  ///< why they can't be
  schedule::Changes changes;                     ///< against the state, with `derived`
  std::shared_ptr<const Derived> derived;        ///< marks are against the state; null: not worked out yet, or refused
  std::shared_ptr<const schedule::State> state;  ///< the program; comes with `derived`
  std::shared_ptr<const StateModel> model;       ///< of the program as written; comes after `derived`
  std::optional<PredictedEffect> effect;         ///< comes last; none where one of both is no kernel

  /// The last line: the step itself.
  std::string step() const;
};

/// Applies the lines to the last state of `input`: its path gets that state and its lines. Ids of what they make are
/// those that the history would give. The refusal of the first line that can't be applied. `nextUid` is the history's.
Result<DeriveInput> previewInput(DeriveInput input, std::uint32_t nextUid, const std::string& lines,
                                 const schedule::Environment& environment);

}  // namespace loom::workbench
