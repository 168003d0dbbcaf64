#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"
#include "app/text/text.h"

namespace loom::window {

/// The exit status of a program that finds no display.
inline constexpr int kNoDisplay = 69;

/// The options with which the program opens the window.
struct OpenRequest {
  std::optional<text::Language> language;  ///< none: the settings', then the environment's
  session::Options model;                  ///< of the model; `wake` is the window's
  std::string file = "tensor_core";        ///< a lesson, a document or a function
  int width = 1600, height = 1000;         ///< of the window, px
};

/// Opens the window and returns when the user closes it: 0, or `kNoDisplay`.
int open(const OpenRequest& request);

}  // namespace loom::window
