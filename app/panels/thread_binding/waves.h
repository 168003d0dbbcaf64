#pragma once

#include <memory>
#include <optional>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/view/waves.h"
#include "app/session/background_value.h"
#include "app/session/state_model.h"

namespace loom::panels {

/// The part of the panel Thread binding, below the picture of the grid, on the waves in which the grid's blocks run.
class BlockWavesPart {
 public:
  /// Takes in the binding that is shown. Its waves are computed in the background once the device and the number of
  /// blocks that fit on a multiprocessor are known, if `current` is true: the binding is that of the current state.
  void follow(PanelContext& context, const std::shared_ptr<const session::ThreadBinding>& binding, bool current);
  /// Returns the waves by which the picture of the grid colours blocks; null: it doesn't.
  const session::BlockWaves* painted() const { return byWave_ ? known() : nullptr; }
  /// Draws the checkbox that colours and numbers blocks by their waves; nothing while the waves aren't known.
  void drawSwitch(const PanelContext& context);
  /// Draws a strip, `width` px wide, with a cell for each multiprocessor that is filled by its number of blocks in the
  /// first wave and, below, in the last one, if there are several; above it, a line on how many multiprocessors have
  /// blocks. The strip has the same height for every grid, and stays blank while the waves aren't known.
  void drawStrip(const PanelContext& context, float width) const;
  /// Draws sentences on the waves and the bytes that they read, or on why they can't be computed; nothing while they
  /// are being computed.
  void drawWords(const PanelContext& context) const;

 private:
  // Returns the waves; null if they aren't known.
  const session::BlockWaves* known() const { return waves_ && *waves_ ? &**waves_ : nullptr; }

  std::shared_ptr<const session::ThreadBinding> of_;
  std::shared_ptr<const session::StateModel> model_;  // the model that the waves were last computed for
  std::optional<Result<session::BlockWaves>> waves_;
  session::BackgroundValue<Result<session::BlockWaves>> next_;
  bool byWave_ = false;  // whether the picture of the grid colours blocks by wave
};

}  // namespace loom::panels
