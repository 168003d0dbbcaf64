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

/// The layout of the panels: the one in use, which is kept between sessions in `FOLDER/layout.ini`, and layouts that
/// the user has saved under names, as one file each in `FOLDER/layouts`. A preset is a layout that comes with the
/// program (an `Arrangement`). Reads the files once, when it is made, and writes them through the background writer.
class Layouts {
 public:
  /// Without a `folder`, nothing is kept. `arrangement` is the id of the preset to begin with; if there is no such
  /// preset, the layout kept in the folder is used, or else the first preset. Files that can't be read count as
  /// missing. `writer` must outlive the object.
  Layouts(std::optional<std::filesystem::path> folder, const std::string& arrangement, BackgroundWriter& writer);

  /// Applies the saved layout that `choose` was called for since the last call. The first call applies the layout kept
  /// in the folder, unless the constructor has found its preset. To be called between frames.
  void applyBetweenFrames();
  /// Docks the panels by the preset that the constructor, `reset` or `rescaled` has chosen; by the first preset if they
  /// aren't docked yet. While the window is too small for any layout, keeps the one from before, and restores it when
  /// the window is large enough again. To be called in each frame before the dock space is drawn.
  void buildWhereNone();
  /// Starts writing layout.ini if the user has moved something. To be called at the end of each frame.
  void keepWhatMoved();

  /// Chooses a preset, one of arrangements(), which the next `buildWhereNone` applies. `reset` and `choose` aren't
  /// meant for one frame: it depends on the place of the calls in the frame which one is applied last.
  void reset(const Arrangement& to = arrangements().front()) { wanted_ = &to; }
  /// Returns the id of the preset that was applied last, even if panels were moved since; empty if none was. It tells
  /// whether `reset` has had its effect.
  std::string_view arranged() const { return arranged_ != nullptr ? arranged_->id : ""; }
  /// Returns the id of the preset that the panels are docked by, or that was just chosen; empty if a panel was moved or
  /// a saved layout chosen since.
  std::string_view inUse() const;
  /// Makes the next `buildWhereNone` apply the preset in use again, because the scale or the size of the window has
  /// changed. Nothing happens if no preset is in use.
  void rescaled();
  /// Chooses a saved layout by its name, which `applyBetweenFrames` then applies. An unknown name has no effect.
  void choose(const std::string& name) { chosen_ = name; }
  /// Saves the layout in use under a name, at any place in a frame. A layout that was saved under that name is
  /// replaced. Without a folder, it is kept until the program ends. The name must be a `validName`.
  void saveAs(const std::string& name);
  /// Returns the names of the saved layouts in alphabetical order.
  std::vector<std::string> names() const;

  /// Returns whether a name has only letters, digits, spaces, `-`, `_` and characters beyond ASCII, is at most 64 bytes
  /// long, is not empty and doesn't begin with a space.
  static bool validName(const std::string& name);

 private:
  void write(const std::string& file, const std::string& ini);
  void keepWhileCramped(bool cramped);  ///< `cramped`: whether the window is now too small for any layout

  std::optional<std::filesystem::path> folder_;
  BackgroundWriter& writer_;
  std::map<std::string, std::string> saved_;  ///< saved layouts: name → Dear ImGui's ini text
  std::optional<std::string> current_;        ///< ini text to load before the next frame; at first that of layout.ini
  std::optional<std::string> chosen_;         ///< name of the saved layout to apply before the next frame
  const Arrangement* wanted_ = nullptr;       ///< the preset to apply in the next frame; null: none
  const Arrangement* arranged_ = nullptr;     ///< the preset that was applied last; null: none yet
  DockShares shares_;
  DockRoom room_;      ///< the room that `arranged_` was applied for
  ImVec2 builtFor_{};  ///< the window's size without its bars when `arranged_` was applied, in ImGui's units
  int settling_ = 0;   ///< number of frames until the dock nodes have their sizes
  std::string built_;  ///< places of the panels as `arranged_` docked them; empty: another layout is in use
  struct Kept {
    const Arrangement* arrangement = nullptr;  ///< null: `ini` says where the panels stood
    std::string ini;
  };
  std::optional<Kept> kept_;  ///< while the window is too small for any layout, the one from before; else nothing
};

/// Returns Dear ImGui's id of the window's dock space, the area in which panels are docked.
unsigned dockspaceId();

}  // namespace loom::window
