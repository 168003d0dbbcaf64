#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/workbench/performance_view.h"
#include "app/workbench/speed_up.h"

namespace loom::panels {

/// Time and throughput by step, beside the vendor's line; every number with its origin.
class StepTimes {
 public:
  void draw(PanelContext& context);

 private:
  void follow(PanelContext& context);
  void drawHead(PanelContext& context);
  void drawPlot(PanelContext& context, float width, float height);
  void drawTable(PanelContext& context);
  double shown(double microseconds) const { return throughput_ ? flops_ / microseconds * 1e-6 : microseconds; }
  const workbench::SpeedUp* rowOf(int node) const;
  void drawTableRow(PanelContext& context, int node);
  std::string tableOrigin(const window::Look& look, const workbench::Workbench& bench, int node) const;
  float originWidth(const window::Look& look, const workbench::Workbench& bench) const;

  bool throughput_ = true;
  std::uint64_t opened_ = 0, revision_ = ~std::uint64_t{0};
  std::vector<workbench::SpeedUp> rows_;
  std::vector<int> rowAt_;                 // by node: index in rows_; -1: no time
  std::vector<int> listed_;                // nodes of the table, by index: measured, or too slow to be
  std::vector<bool> removed_;              // by node: it or one before it was deleted
  double vendor_ = 0;                      // µs; 0: unknown
  std::vector<workbench::Ceiling> peaks_;  // of arithmetic, where the device is described
  double flops_ = 0;                       // of the program; 0: unknown, then only times are shown
  int scrolledTo_ = -1;                    // the state that the table was scrolled to
  int lastStep_ = 0;                       // the largest step number of the whole history
  workbench::Decades decades_;
};

}  // namespace loom::panels
