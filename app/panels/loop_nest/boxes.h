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

/// A line of the nest as drawn: the header of a bar, which ends below its last descendant.
struct NestBar : session::NestFrame {      // in px from the top of the list
  std::string item, runs, work, moved;     ///< as shown; `item` is ImGui's
  std::string runsWas, workWas, movedWas;  ///< of the state compared with, where it reads otherwise; else empty
  std::vector<std::string> warn;           ///< lines of the warnings below the header: none, one or two each
};

/// A loop nest laid out in a width: which rows share a bar, where each stands, what its numbers say.
class NestBars {
 public:
  using Key = std::pair<ir::Id, bool>;  ///< id, init
  enum class Columns { kOne, kTwo, kThree };

  NestBars() = default;
  /// Folds as before, and more where the rows don't fit `height`, except around `open`. `nest` must not be null.
  NestBars(const window::Look& look, std::shared_ptr<const session::LoopNest> nest, session::NestFolds& folds,
           const std::vector<ir::Id>& open, float width, float height);

  const std::vector<NestBar>& bars() const { return bars_; }
  Columns columns() const { return columns_; }
  float total() const { return total_; }  ///< height of all, px
  /// Edges of a bar and of what it holds, px from the left of the list.
  float left(const window::Look& look, const NestBar& bar) const;
  float right(const window::Look& look) const;
  float indent(const window::Look& look) const { return look.px(columns_ == Columns::kOne ? 10 : 16); }
  const session::NestRow& row(int index) const { return nest_->rows[std::size_t(index)]; }
  const session::NestRow& first(const NestBar& bar) const { return row(bar.line.first); }
  Key keyOf(const NestBar& bar) const;
  /// Returns what stands at the right if there is room for one column only.
  const std::string& oneNumber(const NestBar& bar) const;
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

/// Left of the bars: signs of what changed. Design px, as the two below.
inline constexpr float kNestGutter = 14;
/// Right of the bars: handles that split. Design px.
inline constexpr float kNestMargin = 12;
inline constexpr float kNestWarning = 16;  ///< height of a line of a bar's warning
inline constexpr float kNestClosing = 3;   ///< of the foot of a bar that has others inside

}  // namespace loom::panels
