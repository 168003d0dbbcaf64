#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "core/ir/result.h"

namespace loom::panels {

/// A console for step lines (calls of schedule primitives) and scripts of them: an input field, and above it a log of
/// what was entered with its outcome. A text that holds a whole program is opened as a new function to be scheduled
/// instead, without an entry in the log.
class ConsolePanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  struct Entry {
    std::string lines;  // as they were entered
    // `made`: how many new states (programs after a step) there are; `number`: that of the step that led to the last
    // state that was reached.
    int made = 0, number = 0;
    std::optional<Error> refusal;  // of the first line that was refused; the lines before it were applied
  };

  void drawLog(PanelContext& context, float height);
  void drawInput(PanelContext& context, float height);
  void submit(PanelContext& context);
  /// Replaces the input by the one entered before it (`direction` -1) or after it (+1). Returns false, and changes
  /// nothing, if there is none.
  bool browse(int direction);

  std::vector<Entry> log_;
  std::string input_;
  std::string typed_;     // the unfinished input, kept while the user browses earlier ones
  int browsed_ = -1;      // index into log_ of the input on show; -1: the user isn't browsing
  bool atEnd_ = false;    // the log has grown, and is to be scrolled to its end
  bool focus_ = false;    // the input field is to take the keyboard
  bool selects_ = false;  // all of the input is to be selected once the field has the keyboard
};

}  // namespace loom::panels
