#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background_writer.h"

namespace loom::window {

/// Whether a window has too little room, for the size of its letters, for columns side by side or rows one over
/// another.
struct DockRoom {
  bool narrow = false, low = false;
  bool operator==(const DockRoom&) const = default;
};

/// Where the panels are docked: the layout in use, kept between sessions, and layouts saved under names, one file each
/// in `FOLDER/layouts`. Reads its files once, when it is made; writes them through the background writer.
class Layouts {
 public:
  /// `folder` none: nothing is kept.
  Layouts(std::optional<std::filesystem::path> folder, BackgroundWriter& writer);

  /// To be called between frames: brings in what was chosen since.
  void applyBetweenFrames();
  /// To be called in a frame before the dock space: builds the default layout when there is none or it is wanted.
  void buildWhereNone();
  /// To be called at the end of a frame: keeps what the user moved.
  void keepWhatMoved();

  void reset() { resetWanted_ = true; }
  /// The scale or the window has changed: the default layout is built anew for it, unless panels were moved since.
  void rescaled();
  void choose(const std::string& name) { chosen_ = name; }
  /// Saves the layout in use. The name must be `validName`.
  void saveAs(const std::string& name);
  std::vector<std::string> names() const;

  /// Letters, digits, spaces, `-`, `_` and anything beyond ASCII; at most 64 bytes; not `.`-led.
  static bool validName(const std::string& name);

 private:
  void write(const std::string& file, const std::string& ini);

  std::optional<std::filesystem::path> folder_;
  BackgroundWriter& writer_;
  std::map<std::string, std::string> saved_;  ///< name → ImGui's ini text
  std::optional<std::string> current_;        ///< what was found when the program started
  std::optional<std::string> chosen_;
  bool resetWanted_ = false;
  DockRoom room_;      ///< that the default layout was built for
  int settling_ = 0;   ///< frames until what was built has its sizes
  std::string built_;  ///< places of the default layout as it was built; empty: another is in use
};

/// Docks all panels of the table as in the design: lesson over history, TVMScript beside CUDA, the step, and below them
/// performance beside problems and console. Within a frame; `dockspace` is the id of the workbench's dock space.
void buildDefaultLayout(unsigned dockspace, float width, float height, const DockRoom& room);

/// The id of the workbench's dock space, and a panel's window name: its title in the language of the moment, told apart
/// by the panel's id.
unsigned dockspaceId();
std::string windowName(const char* title, const char* id);

}  // namespace loom::window
