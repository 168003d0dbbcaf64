#pragma once

#include <unistd.h>

#include <string>

#include "app/cli/report.h"

namespace loom::cli {

/// A line on stderr that says what a long command (a verb such as `tileloom tune`) is doing. Each call overwrites the
/// line; the destructor, or an empty text, erases it. Prints nothing if stderr is no terminal, so that logs stay free
/// of it.
class ProgressLine {
 public:
  /// Prints nothing yet.
  ProgressLine() : shown_(isatty(STDERR_FILENO)) {}
  ~ProgressLine() {
    if (shown_) toStderr("\r\033[K");
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows `what`, which must not contain a line break, and should be no wider than the terminal: of a text that the
  /// terminal wraps, only the last row is overwritten.
  void operator()(const std::string& what) const {
    if (shown_) toStderr("\r\033[K{}", what);
  }

 private:
  bool shown_;
};

}  // namespace loom::cli
