#pragma once

#include <optional>
#include <string>

#include "app/pictures/panel_pictures.h"
#include "app/session/session.h"
#include "app/text/text.h"

namespace loom::window {

/// What `tileloom screenshots` is to draw.
struct ScreenshotRequest {
  std::string folder;                      ///< that the PNGs are written into
  std::optional<text::Language> language;  ///< of pictures of panels; scenes come in both languages
  session::Options model;                  ///< of the model; `wake` is the window's
  std::string file = "tensor_core";        ///< a lesson, a document or a function
  int width = 1600, height = 1000;         ///< of the window, px
  bool measured = false;  ///< the model measures all states; one picture is taken meanwhile, the others wait for it
  std::optional<PanelPictures> panels;  ///< pictures of these panels instead of scenes
  /// Prints how long frames take, panel by panel, with a model of these options, whose jobs (all states derived and
  /// compiled) run meanwhile.
  std::optional<session::Options> frames;
  int beside = -1;  ///< with `frames`: a state that panels draw beside each; −1: none
};

/// Opens a window, draws the pictures into the folder and closes the window. Returns an exit status: 0, 2 if the file
/// can't be opened, `kNoDisplay` without a display, 74 if a picture can't be written; with `panels` to be checked, 1 if
/// there are faults.
int takeScreenshots(const ScreenshotRequest& request);

}  // namespace loom::window
