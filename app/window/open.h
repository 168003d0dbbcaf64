#pragma once

#include <optional>
#include <string>

#include "app/pictures/panel_pictures.h"
#include "app/session/workbench.h"
#include "app/text/text.h"

namespace loom::window {

/// What the program asks of the window.
struct OpenRequest {
  std::optional<text::Language> language;  ///< none: the settings', then the environment's
  std::optional<std::string> screenshots;  ///< draw in both languages, write PNGs into this folder, and end
  workbench::Options model;                ///< of the model; `wake` is the window's
  std::string file = "tensor_core";        ///< a lesson, a document or a function
  int beside = -1;                         ///< with `frames`: a state that panels draw beside each; −1: none
  int width = 1600, height = 1000;         ///< of the window, with `screenshots`
  /// With `screenshots`: the model measures all states; one picture is taken meanwhile, the others wait for it.
  bool measured = false;
  /// With `screenshots`: pictures of these panels instead.
  std::optional<PanelPictures> panels;
  /// With `screenshots`: print how long frames take, panel by panel, in a workbench of these options, whose jobs (all
  /// states derived and compiled) run meanwhile.
  std::optional<workbench::Options> frames;
};

/// Opens the workbench and returns when it is closed: 0, 69 without a display, 74 when a picture can't be written.
int open(const OpenRequest& request);

}  // namespace loom::window
