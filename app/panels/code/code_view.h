#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/code/code_drawing.h"
#include "app/panels/code/code_search.h"
#include "core/ir/id.h"
#include "core/script/line_diff.h"

namespace loom::session {
class Session;
struct IssueColumns;
}  // namespace loom::session

namespace loom::panels {

class LessonHighlight;
struct StallColumn;

/// The text that is to be shown, with all that stands beside it. `ids` has, for each line, the loops, blocks and
/// buffers that it is about.
struct Code {
  const std::vector<std::string>& lines;
  const script::LineDiff& diff;
  const std::vector<std::vector<ir::Id>>& ids;
  CodeKind kind = CodeKind::kPython;
  /// By line: the line of the CUDA text that it is or comes from, from 1; 0: none. Null for TVMScript.
  const std::vector<int>* cudaLines = nullptr;
  int hotFirst = -1, hotLast = -1;                  ///< lines of the hot loop, bracketed; −1: none
  const std::vector<std::string>* hover = nullptr;  ///< by line, what the hover says; empty: nothing
  /// By line, remarks on what the schedule says there and the kernel doesn't do; null, or empty for a line: none.
  const std::vector<std::vector<Message>>* unheeded = nullptr;
  const session::CodeNames* names = nullptr;      ///< what its words stand for; null: nothing is known
  const session::LoopNest* nest = nullptr;        ///< whose loops they name; there where `names` is
  const std::vector<int>* foldEnds = nullptr;     ///< by line, the last line nested in it; null: nothing folds
  const session::IssueColumns* margin = nullptr;  ///< what stands beside SASS; null: nothing
  const StallColumn* stalls = nullptr;            ///< samples beside SASS or CUDA; null: none
  LessonHighlight* spotlight = nullptr;           ///< the lesson's highlight; null: no line is highlighted
  int lit = -1;                                   ///< the line that it highlights; −1: none
  const char* panel = "";                         ///< the panel's id
  bool compared = false;                       ///< whether two states are compared, so that removed lines can be shown
  std::set<std::string>* unwrapped = nullptr;  ///< ids of the panels whose lines run on; null: all are wrapped
};

/// A read-only view of code: line numbers, marks of what changed, syntax highlighting, search, selection of lines,
/// folds, and a tooltip of every word that names a loop, an axis or a buffer. Long lines are wrapped, unless the user
/// chose otherwise in the menu.
class CodeView {
 public:
  /// Draws the view. `fresh` says that another state is shown than in the frame before: the view scrolls to what
  /// changed. `below` px stay free under the code.
  void draw(const window::Look& look, const Code& code, session::Session& session, bool fresh, float below);

  /// Draws the heads of the columns beside the code. To be called before `draw`.
  void drawHeads(const window::Look& look, const Code& code);

  /// Scrolls a line into view and selects it. `ids` is what the session has selected by it.
  void show(int line, const std::vector<ir::Id>& ids);

  /// Returns the line at the top of what is in sight.
  int top() const { return topLine_; }
  /// Scrolls `line` to the top in the next frame.
  void placeTop(int line) { placeTop_ = line; }
  /// Returns whether the view was scrolled by other means since the last call.
  bool takeScrolled() { return std::exchange(scrolled_, false); }

 private:
  void takeKeys(const Code& code, session::Session& session);
  void selectLine(const Code& code, int line, session::Session& session);
  void followLinks(const Code& code, const session::Session& session);
  void drawLine(const window::Look& look, const Code& code, int line, session::Session& session);
  void drawGone(const window::Look& look, const Code& code, const session::CodeRow& row) const;
  const std::vector<script::LineDiff::Gone>* goneOf(const Code& code) const;
  void drawFold(const window::Look& look, const Code& code, int line, ImVec2 at, float gutter);
  void drawHover(const window::Look& look, const Code& code, int line, const session::CodeName* name);
  void drawMenu(const window::Look& look, const Code& code);
  void noteScroll();
  void layOut(const window::Look& look, const Code& code);
  const session::CodeName* nameUnderMouse(const Code& code, int line, ImVec2 at) const;
  void selectName(const session::CodeName& name, session::Session& session);

  using FoldKey = std::pair<ir::Id, int>;
  static bool isFoldable(const Code& code, int line);
  static std::vector<FoldKey> foldKeys(const Code& code);
  static int changesIn(const Code& code, int first, int last);
  static std::vector<std::string> blocksIn(const Code& code, int first, int last);
  void setFolded(const Code& code, int line, bool folded);
  void foldUnchanged(const Code& code);
  void unfoldAll();
  void copy(const Code& code) const;
  float marginOf(const window::Look& look, const Code& code) const;
  float stallsOf(const window::Look& look, const Code& code) const;
  void fitMargin(const window::Look& look, const Code& code, float width);
  float gutterOf(const window::Look& look, const Code& code) const;
  static bool isWrapped(const Code& code);
  static bool isLinked(const Code& code, std::size_t line, const session::Session& session);

  session::CodeRows rows_;
  bool laidOut_ = false;                                             ///< whether `rows_` are those of the current text
  bool showsMargin_ = true, showsStalls_ = true, showsGone_ = true;  ///< the user's choice
  int withoutParts_ = 0;      ///< how many of the columns beside SASS are left out, because the code needs their room
  bool onlyChanges_ = false;  ///< whether what a state didn't change is folded
  std::set<FoldKey> folded_;  ///< loops and blocks that are folded
  float rowHeight_ = 15;      ///< px
  CodeSearch search_;
  int scrollTo_ = -1;         ///< the line to scroll into view; −1: none
  int topLine_ = 0;           ///< what `top` returns
  int placeTop_ = -1;         ///< the line to scroll to the top; −1: none
  int placing_ = 0;           ///< frames for which scrolling still follows from `placeTop`
  float scrolledTo_ = 0;      ///< the scroll position of the last frame, px
  bool scrolled_ = false;     ///< what `takeScrolled` returns
  int from_ = -1, to_ = -1;   ///< the first and the last selected line; −1: none
  std::vector<ir::Id> seen_;  ///< the session's selection that the view has scrolled to
  int seenLine_ = 0;          ///< the selected line of the CUDA text that it has scrolled to
};

}  // namespace loom::panels
