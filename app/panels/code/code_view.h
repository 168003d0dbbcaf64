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

/// A text of code (TVMScript, CUDA, PTX or SASS) that a CodeView draws, with what is drawn beside it. Lines are counted
/// from 0 where nothing else is said. A Code refers to data of its maker and lives for one frame.
struct Code {
  const std::vector<std::string>& lines;        ///< the text
  const script::LineDiff& diff;                 ///< lines that differ from the text compared with; empty without one
  const std::vector<std::vector<ir::Id>>& ids;  ///< by line: the loops, blocks and buffers that the line is about
  CodeKind kind = CodeKind::kPython;
  /// By line: number (from 1) of the line of the CUDA text that the line is or was compiled from; 0: none. Null for
  /// TVMScript.
  const std::vector<int>* cudaLines = nullptr;
  /// First and last line of the hot loop (MachineText::hotFirst), the loop that presumably takes the most time; a
  /// bracket marks it. −1: there is none.
  int hotFirst = -1, hotLast = -1;
  const std::vector<std::string>* hover = nullptr;  ///< by line: the tooltip's text, "" for none; null: no tooltips
  /// By line: sentences on what the schedule says there and the kernel doesn't do; empty for most lines. Null: none.
  const std::vector<std::vector<Message>>* unheeded = nullptr;
  const session::CodeNames* names = nullptr;  ///< the loops, axes and buffers that words name; null: not known
  const session::LoopNest* nest = nullptr;    ///< the loop nest that `names` refers to; not null where `names` isn't
  /// By line: the last line nested in it, a closing brace behind it included; the line itself if nothing is nested in
  /// it. Null: nothing can be folded.
  const std::vector<int>* foldEnds = nullptr;
  /// Columns beside SASS: live registers, clocks until the next issue, scoreboards. Null: none are drawn.
  const session::IssueColumns* margin = nullptr;
  const StallColumn* stalls = nullptr;         ///< column of stall samples beside SASS or CUDA; null: none is drawn
  LessonHighlight* spotlight = nullptr;        ///< to report the place of the line `lit` to; null if `lit` is −1
  int lit = -1;                                ///< the line that a lesson highlights; −1: none
  const char* panel = "";                      ///< id of the panel that shows the text
  bool compared = false;                       ///< whether two states are compared, so that removed lines can be shown
  std::set<std::string>* unwrapped = nullptr;  ///< ids of the panels that don't wrap long lines; null: all wrap them
};

/// A read-only view of code with line numbers, marks on changed lines, syntax highlighting, search, selection of lines,
/// folding of nested lines, and a tooltip on every word that names a loop, an axis or a buffer. Long lines are wrapped,
/// unless the user chose otherwise in the menu.
class CodeView {
 public:
  /// Draws the view, and selects in `session` what the user clicks. `fresh` says that the frame before showed another
  /// program: no line is selected then, and the view scrolls to the hot loop, or without one to the first changed line.
  /// `below` is the height in px that stays free under the code.
  void draw(const window::Look& look, const Code& code, session::Session& session, bool fresh, float below);

  /// Draws the heads of the columns beside the code at ImGui's cursor, in a line of their own; draws nothing if `code`
  /// has none. To be called right before `draw`.
  void drawHeads(const window::Look& look, const Code& code);

  /// Scrolls a line into view and selects it in this view; the session's selection stays as it is. `draw` scrolls to
  /// what has been selected elsewhere, unless that is `ids`: the caller passes what the session has selected.
  void show(int line, const std::vector<ir::Id>& ids);

  /// Returns the index of the topmost visible line.
  int top() const { return topLine_; }
  /// Scrolls `line` to the top in the next frame.
  void placeTop(int line) { placeTop_ = line; }
  /// Returns whether the view was scrolled since the last call, other than by `placeTop`.
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
  void keepPlace();
  void layOut(const window::Look& look, const Code& code);
  const session::CodeName* nameUnderMouse(const Code& code, int line, ImVec2 at) const;
  void selectName(const session::CodeName& name, session::Session& session);

  /// Identifies a foldable line from program to program, as schedule steps change it: the first loop or block that the
  /// line is about, and the number, from 1, of the line among the foldable lines about it.
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
  bool onlyChanges_ = false;  ///< whether all loops and blocks without a changed line are folded
  std::set<FoldKey> folded_;  ///< the lines that are folded
  float rowHeight_ = 15;      ///< height of a row, px
  CodeSearch search_;
  int scrollTo_ = -1;         ///< the line to scroll into view; −1: none
  int sought_ = -1;           ///< the line that was last scrolled into view; −1: none
  int settling_ = 0;          ///< number of frames in which another width or scale brings `sought_` into view again
  int topLine_ = 0;           ///< what `top` returns
  int placeTop_ = -1;         ///< the line to scroll to the top; −1: none
  int placing_ = 0;           ///< number of frames in which scrolling is still due to `placeTop`
  float scrolledTo_ = 0;      ///< the scroll position of the last frame, px
  bool scrolled_ = false;     ///< what `takeScrolled` returns
  int from_ = -1, to_ = -1;   ///< the first and the last selected line; −1: none
  std::vector<ir::Id> seen_;  ///< the session's selection that the view has scrolled to
  int seenLine_ = 0;          ///< the selected line of the CUDA text that the view has scrolled to
};

}  // namespace loom::panels
