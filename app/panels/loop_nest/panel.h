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

/// The panel Loop nest. It draws the loops and blocks of the current state (the program after the schedule steps
/// applied so far), or of a previewed one, as nested bars. Each bar says what its loop is bound to (thread blocks,
/// threads, …), how often its body is executed, what it computes (FLOP) and what it moves (bytes). The bars that the
/// last step changed are marked. When the state changes, the bars of loops that both states have glide to their new
/// places.
class LoopNestPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  /// The vertical place of a bar, in px from the top of the list of bars.
  struct Place {
    float top = 0, bottom = 0;
  };

  /// Lays out the bars in `width` × `height` px anew if the state, the selection, the size or the language has changed.
  void follow(PanelContext& context, float width, float height);
  /// Drops `folds_` unless the current state is the state that they belong to, its parent, or a descendant of it. With
  /// `anew`, that is, if the panel's size, scale or language has changed, drops them in any case.
  void keepFolds(const session::Session& session, bool anew);
  void drawBar(PanelContext& context, const NestBar& bar, ImVec2 origin, float time);
  void drawHandle(const window::Look& look, const session::Session& session, const NestBar& bar, ImVec2 at,
                  float height, float alpha);
  /// Returns the row of the loop that the handle of a bar splits: the selected loop, else the innermost; −1: none.
  int splitOf(const session::Session& session, const NestBar& bar) const;
  void openMenu(PanelContext& context, ir::Id id);
  void drawMoment(const window::Look& look, const model::TimelinePosition& moment, const NestBar& bar, ImVec2 foot,
                  float right) const;
  void takeKeys(session::Session& session);
  void select(session::Session& session, const session::NestRow& row, bool more);
  void pressStage(int row);
  /// Returns 2 if one step made the loop `row` and the loop under the mouse, 1 if they are otherwise related by split
  /// and fuse (NestRow::kin), else 0.
  int kinshipOf(int row) const;
  Place placeOf(const NestBar& bar, float time) const;
  /// Returns whether no loop is bound to thread blocks or threads.
  bool isPlain() const;
  const session::NestRow& rowOf(int row) const { return session::nestOf(*shown_).rows[std::size_t(row)]; }

  std::shared_ptr<const session::Program> shown_;
  std::uint64_t opened_ = 0;
  std::vector<ir::Id> selected_;  ///< the selection with which `bars_` were laid out
  bool scrollToSelected_ = false;
  float width_ = 0, height_ = 0, scale_ = 0;
  text::Language language_ = text::Language::kEnglish;
  NestBars bars_;
  session::NestFolds folds_;
  int foldedAt_ = -1;                      ///< number of the state that `folds_` belong to; −1: none
  std::map<NestBars::Key, Place> before_;  ///< places from which the bars glide; empty: no bar moves
  double started_ = 0;                     ///< when the gliding began, in seconds (ImGui::GetTime)
  LoopMenu menu_;
  NestGestures gestures_;
  std::optional<NestBars> held_;  ///< the bars of the current state, kept while the user drags one of them
  ir::Id under_, lit_;            ///< the loop under the mouse, in this frame and in the one before; empty: none
  /// The loop or block whose context menu is to be opened, and the loop for which the menu of axes to bind to is to be
  /// opened; empty: none.
  ir::Id wanted_, bound_;
  bool ghost_ = false;  ///< whether the bars are those of a previewed state
};

}  // namespace loom::panels
