#pragma once

#include <imgui.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/loop_menu.h"
#include "app/panels/panel.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

/// The loops and blocks of the state as nested bars: who runs each, how often, what it computes and moves. Marks what
/// the last step changed; rows keep their identity from state to state and glide to their new places.
class LoopNestPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  /// A line of the nest as drawn: the header of a bar, which ends below its last descendant.
  struct Bar {
    workbench::NestLine line;
    int parent = -1, depth = 0;
    int end = 0;                                ///< descendants are [index + 1, end)
    float top = 0, header = 0, bottom = 0;      ///< in px from the top of the list
    std::string item, runs, work, moved, warn;  ///< as shown; `item` is ImGui's
  };
  /// Where a bar stood in the frame before.
  struct Place {
    float top = 0, bottom = 0;
  };
  using Key = std::pair<ir::Id, bool>;  // id, init

  void follow(PanelContext& context, float width, float height);
  void layOut(const window::Look& look, float width, float height);
  void fillTexts(const window::Look& look, Bar& bar) const;
  void drawColumnTitles(const window::Look& look, float width) const;
  void drawBar(PanelContext& context, const Bar& bar, ImVec2 origin, float width, float time);
  float drawNames(const window::Look& look, const Bar& bar, float x, float y, float limit, float alpha);
  void drawNumbers(const window::Look& look, const Bar& bar, float y, float from, float right, float alpha) const;
  const std::string& oneNumber(const Bar& bar) const;
  float numberWidth(const window::Look& look, const Bar& bar) const;
  void drawHover(const window::Look& look, const workbench::NestRow& row) const;
  void drawLegend(const window::Look& look, float width) const;
  void takeKeys(workbench::Workbench& bench);
  void select(workbench::Workbench& bench, const workbench::NestRow& row, bool more);
  Place placeOf(const Bar& bar, float time) const;
  Key keyOf(const Bar& bar) const;
  const workbench::NestRow& rowOf(int row) const { return shown_->nest.rows[std::size_t(row)]; }

  enum class Columns { kOne, kTwo, kThree };

  std::shared_ptr<const workbench::Derived> shown_;
  std::uint64_t opened_ = 0;
  std::vector<ir::Id> selected_;  ///< as laid out
  bool scrollToSelected_ = false;
  bool fold_ = false;
  float width_ = 0, height_ = 0, scale_ = 0;
  text::Language language_ = text::Language::kEnglish;
  Columns columns_ = Columns::kThree;
  std::vector<Bar> bars_;
  float total_ = 0;
  std::map<Key, Place> before_;  ///< places that the bars glide from; empty: nothing moves
  double started_ = 0;
  LoopMenu menu_;
  ir::Id wanted_;  ///< whose menu is to be opened
  struct Chip {
    int row;
    float from, to;
  };
  std::vector<Chip> chips_;  ///< of the line drawn last
};

}  // namespace loom::panels
