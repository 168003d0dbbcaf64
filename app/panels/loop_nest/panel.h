#pragma once

#include <imgui.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/loop_nest/boxes.h"
#include "app/panels/loop_nest/gestures.h"
#include "app/panels/loop_nest/menu.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/panels/panel.h"
#include "app/session/session.h"

namespace loom::panels {

/// The loops and blocks of the state as nested bars: who runs each, how often, what it computes and moves. Marks what
/// the last step changed; rows keep their identity from state to state and glide to their new places.
class LoopNestPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  /// Where a bar stood in the frame before.
  struct Place {
    float top = 0, bottom = 0;
  };

  void follow(PanelContext& context, float width, float height);
  void keepFolds(const session::Session& session, bool anew);
  void drawBar(PanelContext& context, const NestBar& bar, ImVec2 origin, float time);
  void drawHandle(const window::Look& look, const session::Session& session, const NestBar& bar, ImVec2 at,
                  float height, float alpha);
  int splitOf(const session::Session& session, const NestBar& bar) const;
  void openMenu(PanelContext& context, ir::Id id);
  void drawMoment(const window::Look& look, const model::TimelinePosition& moment, const NestBar& bar, ImVec2 foot,
                  float right) const;
  void takeKeys(session::Session& session);
  void select(session::Session& session, const session::NestRow& row, bool more);
  void pressStage(int row);
  int kinshipOf(int row) const;
  Place placeOf(const NestBar& bar, float time) const;
  bool isPlain() const;
  const session::NestRow& rowOf(int row) const { return session::nestOf(*shown_).rows[std::size_t(row)]; }

  std::shared_ptr<const session::Program> shown_;
  std::uint64_t opened_ = 0;
  std::vector<ir::Id> selected_;  ///< as laid out
  bool scrollToSelected_ = false;
  float width_ = 0, height_ = 0, scale_ = 0;
  text::Language language_ = text::Language::kEnglish;
  NestBars bars_;
  session::NestFolds folds_;
  int foldedAt_ = -1;                      ///< the state that they are of
  std::map<NestBars::Key, Place> before_;  ///< places that the bars glide from; empty: nothing moves
  double started_ = 0;
  LoopMenu menu_;
  NestGestures gestures_;
  std::optional<NestBars> held_;  ///< the state's own while one of them is dragged
  ir::Id under_, lit_;            ///< the loop under the mouse, in this frame and in the one before
  ir::Id wanted_, bound_;         ///< whose menu, or axes, are to be opened
  bool ghost_ = false;            ///< the bars are a preview's
};

}  // namespace loom::panels
