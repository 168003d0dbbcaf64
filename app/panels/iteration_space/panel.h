#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/iteration_space/view/scene.h"
#include "app/panels/panel.h"
#include "app/session/background_value.h"
#include "app/session/session.h"
#include "app/ui/box_renderer.h"

namespace loom::panels {

/// The iterations of the main block as a box that the schedule cuts: blocks, warps, lanes, runs of loops, tiles. What
/// is chosen is lit, the rest veiled. Cuts are made in the background; the picture anew only when something in it
/// changed.
class IterationSpacePanel : public Panel {
 public:
  void draw(PanelContext& context) override;
  void warm() override { picture_.warm(); }

 private:
  using Space = std::shared_ptr<const session::IterationSpace>;
  struct Shown {
    std::shared_ptr<const session::Program> from;
    Space space;  // null: `problem` says why
    std::shared_ptr<const session::IterationView> view;
    std::optional<Error> problem;
  };
  // What the picture was drawn from.
  struct Drawn {
    std::shared_ptr<const session::IterationView> view;
    int level = -2;
    session::SpaceCamera camera;
    views::BoxView look;
    int theme = 0;
    friend bool operator==(const Drawn&, const Drawn&) = default;
  };

  bool follow(PanelContext& context);  // false: nothing to show, and said why
  void followSelection(PanelContext& context);
  void drawPicture(PanelContext& context, float height);
  void steer(PanelContext& context, ImVec2 middle, float pixels);
  void drawSliders(PanelContext& context);
  void drawLevels(PanelContext& context);
  void choose(PanelContext& context, int level, std::int64_t child);
  void showLevel(PanelContext& context, int level);
  std::string nameOf(const window::Look& look, int level, std::int64_t child) const;

  std::shared_ptr<const session::Program> asked_;
  std::optional<Shown> shown_;
  session::BackgroundValue<Shown> next_;
  std::vector<std::int64_t> path_;  // wanted
  // What was wanted before a preview came, whose cuts are others: Escape leaves no trace.
  std::optional<std::pair<std::vector<std::int64_t>, int>> before_;
  int level_ = 0;                       // the cut that is shown; -1: the whole box
  bool chosen_ = false;                 // by the user: steps leave it then
  std::uint64_t opened_ = 0;            // of the workbench, that chosen_ is of
  session::SpaceCamera camera_, last_;  // now, and in the frame before
  session::SpaceScene scene_;
  Drawn drawn_;
  views::BoxPicture picture_;
  float area_ = 0;  // px of faces, were it drawn in full
  bool dragged_ = false;
  std::vector<ir::Id> selected_;
  session::Selection::Thread taken_;
};

}  // namespace loom::panels
