#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "core/ir/result.h"

namespace loom::panels {

/// Step lines typed or pasted, and what became of them.
class ConsolePanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  struct Entry {
    std::string lines;
    int made = 0, number = 0;
    std::optional<Error> refusal;
  };

  void drawLog(PanelContext& context, float height);
  void drawInput(PanelContext& context, float height);
  void submit(PanelContext& context);
  /// Puts an earlier (-1) or later (+1) input in place of the one being typed; false at the end.
  bool browse(int direction);

  std::vector<Entry> log_;
  std::string input_;
  std::string typed_;   // what stood in the input before browsing
  int browsed_ = -1;    // index in log_, -1: not browsing
  bool atEnd_ = false;  // the log has grown: scroll down
  bool focus_ = false;
  bool selects_ =
      false;  // all of the field, as soon as it has the keyboard  // the input has been filled, or the panel opened
};

}  // namespace loom::panels
