#pragma once

#include <memory>
#include <optional>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/view/waves.h"
#include "app/session/background_value.h"
#include "app/session/state_model.h"

namespace loom::panels {

/// The waves in which the blocks of a grid run, below its picture.
class BlockWavesPart {
 public:
  /// Has the waves of the binding made once the device and how many blocks fit on it are known. `current`: it is of the
  /// state that the model is of.
  void follow(PanelContext& context, const std::shared_ptr<const session::ThreadBinding>& binding, bool current);
  /// Returns the waves by which blocks are to be painted; null: they aren't.
  const session::BlockWaves* painted() const { return byWave_ ? known() : nullptr; }
  /// Draws the switch between numbers and waves, if there are several waves.
  void drawSwitch(const PanelContext& context);
  /// Draws the multiprocessors, each with its share of the fullest wave and, below, of the last one; as high for every
  /// grid.
  void drawStrip(const PanelContext& context, float width) const;
  /// Draws this in words, or why it can't be known; nothing while it is being computed.
  void drawWords(const PanelContext& context) const;

 private:
  const session::BlockWaves* known() const { return waves_ && *waves_ ? &**waves_ : nullptr; }

  std::shared_ptr<const session::ThreadBinding> of_;
  std::shared_ptr<const session::StateModel> model_;  // that they were asked for with
  std::optional<Result<session::BlockWaves>> waves_;
  session::BackgroundValue<Result<session::BlockWaves>> next_;
  bool byWave_ = false;
};

}  // namespace loom::panels
