#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"
#include "app/text/text.h"

namespace loom::window {

/// The exit status of a program that can't open its window, because there is no display or none with OpenGL 3.3.
inline constexpr int kNoDisplay = 69;

/// The options with which the program opens the window.
struct OpenRequest {
  std::optional<text::Language> language;  ///< nothing: that of the saved settings, or else that of the environment
  session::Options model;                  ///< options of the session; the window overwrites `wake` and `views`
  std::string file = "tensor_core";        ///< name of a lesson, or path of a document or a function, to open
  int width = 1600, height = 1000;         ///< size of the window in screen coordinates
};

/// Opens the window and returns 0 when the user has closed it; the window shows a message if `request.file` can't be
/// opened. Returns `kNoDisplay`, after a line on stderr, if the window can't be opened. Only the main thread may call
/// this.
int open(const OpenRequest& request);

}  // namespace loom::window
