#pragma once

#include <optional>
#include <string>

#include "app/pictures/panel_pictures.h"
#include "app/session/session.h"
#include "app/text/text.h"

namespace loom::window {

/// What `tileloom screenshots` is to draw: scenes, which are fixed views of the whole window, or single panels. A state
/// is the program after some steps of its schedule.
struct ScreenshotRequest {
  std::string folder;                      ///< folder that the PNG files are written into; made if it is missing
  std::optional<text::Language> language;  ///< language of pictures of panels, nothing: the environment's; scenes have
                                           ///< their own
  session::Options model;                  ///< options of the session; the window sets `wake` and `views`
  std::string file = "tensor_core";        ///< name of a lesson, or path of a document or a function, to open
  int width = 1600, height = 1000;         ///< size of the window in screen coordinates
  bool measured = false;  ///< for scenes: whether to wait, for each program, until all its states are measured, and to
                          ///< take a picture of the window meanwhile
  std::optional<PanelPictures> panels;  ///< draws pictures of these panels instead of the scenes
  /// If set, prints after the pictures how long frames take, panel by panel, in another window, unless the pictures
  /// ended with a status other than 0. A session with these options is open meanwhile, and its background jobs lower
  /// and compile all states.
  std::optional<session::Options> frames;
  int beside = -1;  ///< with `frames`: index of a state that panels draw beside the current one; −1: none
};

/// Opens a window, writes the pictures into the folder and closes the window. Returns the exit status of the program:
/// 0; 1 if a picture of `panels` shows a defect that certainly disturbs a reader, or Dear ImGui was misused; 2 if the
/// file can't be opened, or a state of `panels` or `beside` doesn't exist; 69 if the window can't be opened; 74 if a
/// picture can't be written.
int takeScreenshots(const ScreenshotRequest& request);

}  // namespace loom::window
