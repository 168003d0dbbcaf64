#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/session/background_value.h"
#include "core/model/device.h"
#include "core/tune/tensorize/performance.h"

namespace loom::panels {

/// The fifth lane of "To tensor cores": what makes the end of the four passes faster, a row each with its verdict, the
/// predicted time before and after, and a button that applies its lines.
class PerformanceLane {
 public:
  /// A row that was pressed.
  struct Pressed {
    std::string lines;
    Message title;
  };
  /// Draws the lane about passes that have all succeeded. Nothing is predicted before the person asks
  /// for it with the lane's button; from then on it follows the state. Returns the lines to apply if a row was pressed.
  std::optional<Pressed> draw(PanelContext& context, const tune::Tensorization& passes,
                              const tune::TensorizeRequest& request,
                              const std::shared_ptr<const Result<model::Device>>& device);
  /// Says that the passes were asked again: what was predicted is of others.
  void renew() { stale_ = true; }

 private:
  std::optional<Pressed> drawRow(PanelContext& context, const tune::SpeedupReport& step) const;

  session::BackgroundValue<tune::Performance> asked_;
  std::optional<tune::Performance> found_;
  bool wanted_ = false, stale_ = true;
};

}  // namespace loom::panels
