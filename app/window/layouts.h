#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/labelled_id.h"
#include "app/window/background_writer.h"
#include "app/window/dock_shares.h"
#include "app/window/layout_presets.h"

namespace loom::window {

/// Where the panels are docked: the layout in use, kept between sessions, and layouts saved under names, one file each
/// in `FOLDER/layouts`. Reads its files once, when it is made; writes them through the background writer.
class Layouts {
 public:
  /// `folder` none: nothing is kept. `arrangement`: the id of the one to begin with; where there is none of that id,
  /// what the folder has kept.
  Layouts(std::optional<std::filesystem::path> folder, const std::string& arrangement, BackgroundWriter& writer);

  /// To be called between frames: brings in what was chosen since.
  void applyBetweenFrames();
  /// To be called in a frame before the dock space: docks the panels as an arrangement when they are nowhere or it is
  /// wanted.
  void buildWhereNone();
  /// To be called at the end of a frame: keeps what the user moved.
  void keepWhatMoved();

  /// To an arrangement of the program's.
  void reset(const Arrangement& to = arrangements().front()) { wanted_ = &to; }
  /// The id of the last one built; empty: none was.
  std::string_view arranged() const { return arranged_ != nullptr ? arranged_->id : ""; }
  /// The same while no panel was moved since and no saved layout chosen.
  std::string_view inUse() const;
  /// The scale or the window has changed: an arrangement is built anew for it, unless panels were moved since.
  void rescaled();
  void choose(const std::string& name) { chosen_ = name; }
  /// Saves the layout in use. The name must be `validName`.
  void saveAs(const std::string& name);
  std::vector<std::string> names() const;

  /// Letters, digits, spaces, `-`, `_` and anything beyond ASCII; at most 64 bytes; not `.`-led.
  static bool validName(const std::string& name);

 private:
  void write(const std::string& file, const std::string& ini);
  void keepWhileCramped(bool cramped);

  std::optional<std::filesystem::path> folder_;
  BackgroundWriter& writer_;
  std::map<std::string, std::string> saved_;  ///< name → ImGui's ini text
  std::optional<std::string> current_;        ///< what was found when the program started
  std::optional<std::string> chosen_;
  const Arrangement* wanted_ = nullptr;
  const Arrangement* arranged_ = nullptr;  ///< the last one built
  DockShares shares_;
  DockRoom room_;      ///< that it was built for
  int settling_ = 0;   ///< frames until what was built has its sizes
  std::string built_;  ///< its places as it was built; empty: another layout is in use
  struct Kept {
    const Arrangement* arrangement = nullptr;  ///< none: `ini` says where the panels stood
    std::string ini;
  };
  std::optional<Kept> kept_;  ///< from before the window became too small for any layout
};

/// The id of the workbench's dock space.
unsigned dockspaceId();

}  // namespace loom::window
