// A history's steps replayed on another function: the same workload at another size, say.
#pragma once
#include <map>
#include <string>

#include "core/document/history.h"

namespace loom::document {

class HistoryOnOtherFunction {
 public:
  // Why a state isn't there: the step that is refused, on the way to it.
  struct Refusal {
    int node = 0;      // whose step it is
    std::string line;  // of the step
    Error error;       // with the remedy where there is one
  };
  // `history` must outlive this. Errors as those of schedule::State::create.
  static Result<HistoryOnOtherFunction> create(const History& history, const ir::Function& function,
                                               const schedule::Environment& environment);

  // What the steps on the path to `node` make of the function; states on the way are kept for the next one.
  tl::expected<schedule::State, Refusal> at(int node);

 private:
  HistoryOnOtherFunction(const History& history, const schedule::Environment& environment)
      : history_(&history), environment_(environment) {}

  const History* history_;
  schedule::Environment environment_;
  std::map<int, tl::expected<schedule::State, Refusal>> made_;
};

}  // namespace loom::document
