#pragma once

#include "app/panels/comparison.h"
#include "app/panels/panel.h"
#include "app/panels/roofline.h"
#include "app/panels/step_times.h"

namespace loom::panels {

/// How fast the states are and why: times by step, roofline, occupancy, instructions, advice, two states compared.
class PerformancePanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  StepTimes times_;
  Roofline roofline_;
  Comparison comparison_;
  int shown_ = 0;  // of the tabs
};

}  // namespace loom::panels
