#pragma once

#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>

#include "app/cli/progress.h"

namespace loom::cli {

/// A ProgressLine of work that is counted. Where stderr is no terminal, notes say what takes so long: after two
/// seconds, then every ten.
class CountedProgress {
 public:
  explicit CountedProgress(std::string what) : what_(std::move(what)) {}

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
