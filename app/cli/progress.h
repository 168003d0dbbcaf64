#pragma once

#include <unistd.h>

#include <string>

#include "app/cli/report.h"

namespace loom::cli {

/// What a long verb is doing, on one line of stderr that is written over and gone at the end. Silent where stderr is no
/// terminal, so that a log holds results only.
class ProgressLine {
 public:
  ProgressLine() : shown_(isatty(STDERR_FILENO)) {}
  ~ProgressLine() {
    if (shown_) toStderr("\r\033[K");
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void operator()(const std::string& what) const {
    if (shown_) toStderr("\r\033[K{}", what);
  }

 private:
  bool shown_;
};

}  // namespace loom::cli
