#pragma once

#include <string>
#include <vector>

#include "app/workbench/line_diff.h"
#include "core/ir/id.h"

namespace loom::window {
struct Look;
}
namespace loom::workbench {
class Workbench;
}

namespace loom::panels {

class Spotlight;

enum class CodeKind { kPython, kCuda, kPtx, kSass };

/// What is to be shown. `ids` has, for each line, the loops, blocks and buffers that it is about.
struct Code {
  const std::vector<std::string>& lines;
  const workbench::LineDiff& diff;
  const std::vector<std::vector<ir::Id>>& ids;
  CodeKind kind = CodeKind::kPython;
  /// By line: the line of the CUDA text that it is or comes from, from 1; 0: none. Null for TVMScript.
  const std::vector<int>* cudaLines = nullptr;
  int hotFirst = -1, hotLast = -1;                  ///< lines of the hot loop, bracketed; −1: none
  const std::vector<std::string>* hover = nullptr;  ///< by line, what the hover says; empty: nothing
  Spotlight* spotlight = nullptr;
  int lit = -1;  ///< the line that it lights; −1: none
};

/// Read-only code: numbers, marks of what changed, highlighting, search, selection of lines.
class CodeView {
 public:
  /// `fresh` says that another state is shown than in the frame before: it scrolls to what changed.
  /// `below` px stay free under the code.
  void draw(const window::Look& look, const Code& code, workbench::Workbench& bench, bool fresh, float below);

  /// Brings a line into view and chooses it; `ids` are selected already.
  void show(int line, const std::vector<ir::Id>& ids);

 private:
  void drawSearch(const window::Look& look, const Code& code, workbench::Workbench& bench);
  void takeKeys(const Code& code, workbench::Workbench& bench);
  void selectLine(const Code& code, int line, workbench::Workbench& bench);
  void followLinks(const Code& code, const workbench::Workbench& bench);
  void drawLine(const window::Look& look, const Code& code, int line, workbench::Workbench& bench, float widest);
  void copy(const Code& code) const;
  static bool isLinked(const Code& code, std::size_t line, const workbench::Workbench& bench);

  bool searching_ = false;
  bool focusSearch_ = false;
  std::string wanted_;
  std::vector<int> found_;
  int foundAt_ = 0;
  int scrollTo_ = -1;
  int from_ = -1, to_ = -1;   ///< selected lines
  std::vector<ir::Id> seen_;  ///< the selection that this view has shown
  int seenLine_ = 0;
};

}  // namespace loom::panels
