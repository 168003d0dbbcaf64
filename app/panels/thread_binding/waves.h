#pragma once

#include <memory>
#include <optional>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/view/waves.h"
#include "app/session/background_value.h"
#include "app/session/state_model.h"

namespace loom::panels {

/// The part of the panel Thread binding, below the picture of the grid, on the waves in which the grid's blocks run: as
/// many blocks at once as the device holds, then the next ones.
class BlockWavesPart {
 public:
  /// Takes in the thread binding (which thread accesses which element) of the kernel that is shown, not null; to be
  /// called before the other functions in each frame in which a kernel is shown. A new binding drops the waves of the
  /// one before, and their computation. `current` says whether the kernel is that of the current state. If it is, its
  /// waves are computed in the background once the device and the number of blocks that fit on a multiprocessor are
  /// known. If it isn't, no computation begins, and what was computed or begun for this binding stays.
  void follow(PanelContext& context, const std::shared_ptr<const session::ThreadBinding>& binding, bool current);
  /// Returns the waves by which the picture of the grid colours blocks, valid until the next `follow`; null: it doesn't
  /// colour them by waves. By default it does if there are several waves; the user's choice (`drawSwitch`) goes before.
  const session::BlockWaves* painted() const {
    const session::BlockWaves* waves = known();
    return waves != nullptr && byWave_.value_or(waves->count() > 1) ? waves : nullptr;
  }
  /// Returns the waves, valid until the next `follow`, if the kernel is persistent (its blocks go on from tile to tile)
  /// and the places of its tiles are known (BlockWaves::tiles), so that the tiles can be drawn; null otherwise.
  const session::BlockWaves* withTiles() const { return known() != nullptr && known()->tiles ? known() : nullptr; }
  /// Draws the checkbox that colours and numbers blocks by their waves; nothing while the waves aren't known.
  void drawSwitch(const PanelContext& context);
  /// Draws a line on how many multiprocessors have blocks, and below it a strip, `width` px wide, with a cell for each
  /// multiprocessor. A cell is filled up to its number of blocks in the first wave, as a share of those that it has
  /// room for. If there are several waves, a second row of cells shows the last one; if there is one wave of a
  /// persistent kernel, the second row shows the blocks that still have a tile when the last tiles are computed. The
  /// strip has the same height for every grid, and stays blank while the waves aren't known or if they can't be.
  void drawStrip(const PanelContext& context, float width) const;
  /// Draws sentences on the waves and the bytes that the first one reads, or on why these can't be computed; nothing
  /// while they are being computed, and if the device's figures or the number of blocks that fit on a multiprocessor
  /// aren't known.
  void drawWords(const PanelContext& context) const;

 private:
  // Returns the waves; null if they aren't known.
  const session::BlockWaves* known() const { return waves_ && *waves_ ? &**waves_ : nullptr; }

  std::shared_ptr<const session::ThreadBinding> of_;  // the binding that the waves were last computed for; null: none
  std::shared_ptr<const session::StateModel> model_;  // the model that the waves were last computed for; null: none
  std::optional<Result<session::BlockWaves>> waves_;  // the waves, or why they can't be computed; nothing: not known
  session::BackgroundValue<Result<session::BlockWaves>> next_;
  std::optional<bool> byWave_;  // whether the picture of the grid colours blocks by wave, if the user has chosen
};

}  // namespace loom::panels
