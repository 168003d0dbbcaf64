#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "app/panels/panel.h"
#include "app/workbench/job_queue.h"
#include "app/workbench/memory_view.h"

namespace loom::workbench {
struct Derived;
}

namespace loom::panels {

/// Levels of memory as bands, buffers in the column of their operand, traffic as arrows; beside or below them budgets,
/// reuse and the shortest time that each rate allows. What it shows is counted in the background, once for each state.
class MemoryHierarchyPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  using View = std::shared_ptr<const workbench::MemoryView>;
  struct Made {
    std::shared_ptr<const workbench::Derived> from;
    bool compiled = false;
    View view;
  };
  struct Results {
    std::mutex mutex;
    std::map<int, Made> made;  ///< by node
  };

  View viewOf(PanelContext& context, int node);
  void drawLevels(PanelContext& context, float width, bool wide);
  void drawFigures(PanelContext& context);

  std::shared_ptr<Results> results_ = std::make_shared<Results>();
  std::map<int, Made> asked_;
  std::uint64_t opened_ = 0;
  View view_;
  workbench::MemoryChange change_;
  bool wholeGrid_ = false;
  workbench::JobQueue queue_;  ///< last: its thread ends before what it uses
};

}  // namespace loom::panels
