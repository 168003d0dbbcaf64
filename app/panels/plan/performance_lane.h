#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/session/background_value.h"
#include "core/model/device.h"
#include "core/tune/tensorize/performance.h"

namespace loom::panels {

/// The last part of the section "To tensor cores" of the panel Plan, below the parts of the section's four passes
/// (core/tune/tensorize), which write the step lines with which a matrix product runs on tensor cores; this part lists
/// changes that could make the resulting kernel faster. Each has a row with a sentence on whether it helps; the
/// predicted time before and after, if both are known; and, if it can be applied, a button that applies its step lines.
class PerformanceLane {
 public:
  /// The steps of the row whose button was pressed.
  struct Pressed {
    std::string lines;  ///< the step lines to apply, from the state at which the passes begin (Tensorization::at)
    Message title;      ///< the title of these steps in the history
  };
  /// Draws the part. Requires that all four of the `passes`, which answer `request`, have succeeded. Times are
  /// predicted for `device` (null or an error: not at all). Until the user presses the button that asks for the rows,
  /// there are none; from then on they are made on another thread, from copies of the arguments, whenever `renew` was
  /// called. Returns the row that was pressed; nothing if none.
  std::optional<Pressed> draw(PanelContext& context, const tune::Tensorization& passes,
                              const tune::TensorizeRequest& request,
                              const std::shared_ptr<const Result<model::Device>>& device);
  /// Must be called when an argument of `draw` has changed: the rows are then made again.
  void renew() { stale_ = true; }

 private:
  std::optional<Pressed> drawRow(PanelContext& context, const tune::SpeedupReport& step) const;

  session::BackgroundValue<tune::Performance> asked_;  ///< the rows, while they are made on another thread
  std::optional<tune::Performance> found_;             ///< the rows that are shown; nothing: not made yet
  bool wanted_ = false, stale_ = true;  ///< whether the user has asked for the rows; whether they are outdated
};

}  // namespace loom::panels
