#pragma once

#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>

#include "app/cli/progress.h"

namespace loom::cli {

/// A line on stderr that says how much of a long job is done: "WHAT: 3 of 21". Each call of the operator overwrites the
/// line, and the destructor erases it. If stderr is no terminal, calls print notes instead: the first at least two
/// seconds after the object was made, each further one at least ten seconds after the one before. Calls between print
/// nothing. Not for several threads.
class CountedProgress {
 public:
  /// `what` names the work.
  explicit CountedProgress(std::string what) : what_(std::move(what)) {}
  /// Shows the number of parts of the work that are done, and of all.
  void operator()(int done, int of) {
    const std::string text = fmt::format("{}: {} of {}", what_, done, of);
    line_(text);
    const auto now = std::chrono::steady_clock::now();
    if (isatty(STDERR_FILENO) || now < next_) return;
    next_ = now + std::chrono::seconds(10);
    note(text);
  }

 private:
  std::string what_;
  ProgressLine line_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(2);
};

}  // namespace loom::cli
