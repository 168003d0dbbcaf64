// Applies the steps of a history to another function, for instance to the same product at another size.
#pragma once
#include <map>
#include <string>

#include "core/document/history.h"

namespace loom::document {

// The states of a history, made again on another function, for example on the same one at other sizes.
class HistoryOnOtherFunction {
 public:
  // Why a state can't be made: the first step on the path to it that is refused.
  struct Refusal {
    int node = 0;      // the state that the step led to
    std::string line;  // of the step
    Error error;       // with its remedy if there is one
  };
  // Makes the same history on another function. `history` must outlive the object. Errors as those of
  // schedule::State::create.
  static Result<HistoryOnOtherFunction> create(const History& history, const ir::Function& function,
                                               const schedule::Environment& environment);

  // Returns the state that the steps on the path to `node` make of the function. States on the path are kept for later
  // calls.
  tl::expected<schedule::State, Refusal> at(int node);

 private:
  HistoryOnOtherFunction(const History& history, const schedule::Environment& environment)
      : history_(&history), environment_(environment) {}

  const History* history_;
  schedule::Environment environment_;
  std::map<int, tl::expected<schedule::State, Refusal>> made_;
};

}  // namespace loom::document
