// Applies the steps of a history (a tree of states, each the program after one more schedule step) to another function,
// for instance to the same product at another size.
#pragma once
#include <map>
#include <string>

#include "core/document/history.h"

namespace loom::document {

// The states of a history, made again on another function, for example on the same one at other sizes.
class HistoryOnOtherFunction {
 public:
  // Why a state can't be made: the first step that is refused on the path from the start to the state.
  struct Refusal {
    int node = 0;      // the state of `history` that the step leads to
    std::string line;  // the text of the step
    Error error;       // why the step is refused, with a remedy if there is one
  };
  // Prepares to apply the steps of `history` to `function`. The history, and the intrinsics of `environment`, must
  // outlive the object. Error "ValueError" if the function can't be scheduled.
  static Result<HistoryOnOtherFunction> create(const History& history, const ir::Function& function,
                                               const schedule::Environment& environment);

  // Returns the state that the steps on the path to `node` make of the function; `node` must be a state of the history,
  // which may have grown since `create`. States and refusals on the path are kept for later calls. The result for the
  // start, node 0, is the unscheduled function.
  tl::expected<schedule::State, Refusal> at(int node);

 private:
  HistoryOnOtherFunction(const History& history, const schedule::Environment& environment)
      : history_(&history), environment_(environment) {}

  const History* history_;
  schedule::Environment environment_;
  std::map<int, tl::expected<schedule::State, Refusal>> made_;
};

}  // namespace loom::document
