#pragma once

namespace loom::cli {

/// The exit statuses of the program. Scripts rely on these numbers. Besides them, `screenshots --check` exits with 1 if
/// it finds a defect in a picture.
enum class ExitStatus : int {
  kDone = 0,
  kUnreadable = 2,    ///< input that can't be read or parsed
  kRefused = 3,       ///< a schedule primitive refused, or an error without another status
  kNoDevice = 4,      ///< no device, or the compiler failed
  kWrong = 5,         ///< a program computes a wrong result, or a search has found no right one
  kDeadline = 6,      ///< a deadline passed, or the process that runs kernels was lost
  kUsage = 64,        ///< wrong usage of the command line
  kNoDisplay = 69,    ///< the window can't be opened
  kMistake = 70,      ///< a mistake in Tileloom itself
  kCannotWrite = 74,  ///< a result can't be written
};

}  // namespace loom::cli
