#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/panels/loop_nest/view/nest_folds.h"
#include "app/panels/loop_nest/view/nest_frames.h"
#include "app/ui/look.h"

namespace loom::panels {

/// A bar of the loop nest as drawn: its header has the text of one NestLine (a loop or block, or a folded chain of
/// loops), and it ends below the last bar inside it.
struct NestBar : session::NestFrame {  // places in px from the top of the list of bars
  /// `item` is the Dear ImGui id of the header. The others are texts as drawn: how often the line's last row runs, what
  /// it computes (FLOP) and what it moves (bytes, and between which memory levels: "64 KiB  G→S"); "" where that isn't
  /// known.
  std::string item, runs, work, moved;
  /// `runs`, `work` and `moved` (bytes only) in the program compared with; "" where they are equal or not known, or
  /// nothing is compared.
  std::string runsWas, workWas, movedWas;
  std::vector<std::string> warn;  ///< lines of the warnings below the header; each warning has one or two
};

/// The layout of a loop nest in a given width: which rows share a bar, where each bar stands, and the text of its
/// figures.
class NestBars {
 public:
  /// Identifies a bar, while schedule steps change the program: the id of its first row, and whether that row is the
  /// init of the block.
  using Key = std::pair<ir::Id, bool>;
  /// The columns of figures that the width has room for: `runs`, `work` and `moved`; `runs` and `moved`; or one, which
  /// has `oneNumber`.
  enum class Columns { kOne, kTwo, kThree };

  NestBars() = default;
  /// Lays out `nest`, which must not be null, in `width` px. Rows that `folds` has folded stay folded, and further ones
  /// are folded into it while the bars don't fit `height` px. Rows with ids in `open` have bars of their own in any
  /// case.
  NestBars(const window::Look& look, std::shared_ptr<const session::LoopNest> nest, session::NestFolds& folds,
           const std::vector<ir::Id>& open, float width, float height);

  /// Returns the bars from top to bottom, each before the bars inside it.
  const std::vector<NestBar>& bars() const { return bars_; }
  Columns columns() const { return columns_; }
  /// Returns the height of all bars together, in px.
  float total() const { return total_; }
  /// Returns the left edge of a bar, in px from the left of the list of bars.
  float left(const window::Look& look, const NestBar& bar) const;
  /// Returns the right edge of all bars, in px from the left of the list of bars.
  float right(const window::Look& look) const;
  /// Returns by how many px a bar is indented within the bar around it.
  float indent(const window::Look& look) const { return look.px(columns_ == Columns::kOne ? 10 : 16); }
  /// Returns the row with that index in LoopNest::rows.
  const session::NestRow& row(int index) const { return nest_->rows[std::size_t(index)]; }
  /// Returns the first of the rows that a bar shows.
  const session::NestRow& first(const NestBar& bar) const { return row(bar.line.first); }
  Key keyOf(const NestBar& bar) const;
  /// Returns the figure that is drawn if there is room for one column only: `moved` of a block, or of its init, that
  /// moves bytes, else `runs`.
  const std::string& oneNumber(const NestBar& bar) const;
  /// Returns the width of the text `oneNumber`, in px.
  float numberWidth(const window::Look& look, const NestBar& bar) const;

 private:
  float nameWidth(const window::Look& look, int block) const;
  void fillTexts(NestBar& bar) const;
  std::vector<session::NestLine> uncut(const window::Look& look, const std::vector<session::NestLine>& lines) const;
  float stack(const window::Look& look, std::vector<session::NestFrame>& frames) const;
  std::vector<std::string> warningOf(const window::Look& look, const session::NestLine& line) const;

  std::shared_ptr<const session::LoopNest> nest_;
  std::vector<NestBar> bars_;
  Columns columns_ = Columns::kThree;
  float total_ = 0, width_ = 0;
};

// Sizes in design px, which Look::px converts to px of the screen.
inline constexpr float kNestGutter = 14;   ///< width left of the bars, where the signs of changed bars stand
inline constexpr float kNestMargin = 12;   ///< width right of the bars, where the handles that split loops stand
inline constexpr float kNestWarning = 16;  ///< height of a line of a bar's warning
inline constexpr float kNestClosing = 3;   ///< height of the foot of a bar that has other bars inside

}  // namespace loom::panels
