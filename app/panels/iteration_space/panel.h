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

/// The panel Iteration space: the iterations of the block that does the most work as a box, partitioned level by level
/// as the schedule does it: into thread blocks, warps, lanes and iterations of loops, the children of a level. At each
/// level the user chooses one child, which the next level partitions; the chosen one is drawn in full colour, the rest
/// veiled. Partitions are computed in the background, and the picture is drawn again only when something in it has
/// changed.
class IterationSpacePanel : public Panel {
 public:
  void draw(PanelContext& context) override;
  void warm() override { picture_.warm(); }

 private:
  using Space = std::shared_ptr<const session::IterationSpace>;
  // The result of a background job for one program.
  struct Shown {
    std::shared_ptr<const session::Program> from;
    Space space;  // null: the program has none, for the reason in `problem`
    std::shared_ptr<const session::IterationView> view;
    std::optional<Error> problem;
  };
  // The data from which the picture was drawn last; the picture is drawn again if they change.
  struct Drawn {
    std::shared_ptr<const session::IterationView> view;
    int level = -2;  // -2: nothing was drawn
    session::SpaceCamera camera;
    views::BoxView look;
    int theme = 0;
    friend bool operator==(const Drawn&, const Drawn&) = default;
  };

  // Takes over the result of the background job, and starts another job if another program is to be shown. Returns
  // false, after drawing the reason, if there is nothing to show.
  bool follow(PanelContext& context);
  void followSelection(PanelContext& context);
  void drawPicture(PanelContext& context, float height);
  // Turns the camera by dragging, and chooses what is clicked. SpaceScene::radius is `pixels` px around `middle`.
  void steer(PanelContext& context, ImVec2 middle, float pixels);
  void drawSliders(PanelContext& context);
  void drawLevels(PanelContext& context);
  void choose(PanelContext& context, int level, std::int64_t child);
  void showLevel(PanelContext& context, int level);
  std::string nameOf(const window::Look& look, int level, std::int64_t child) const;

  std::shared_ptr<const session::Program> asked_;  // the program that `next_` is being made for
  std::optional<Shown> shown_;
  session::BackgroundValue<Shown> next_;
  std::vector<std::int64_t> path_;  // by level, the child that the user has chosen
  // `path_` and `level_` before a preview, whose levels are others: ending the preview brings them back.
  std::optional<std::pair<std::vector<std::int64_t>, int>> before_;
  int level_ = 0;                       // the level that is drawn; -1: the whole box
  bool chosen_ = false;                 // whether the user chose the level, so that it stays for other states
  std::uint64_t opened_ = 0;            // Session::opened of the target that `chosen_` is of
  session::SpaceCamera camera_, last_;  // the camera in this frame, and in the frame before
  session::SpaceScene scene_;
  Drawn drawn_;
  views::BoxPicture picture_;
  float area_ = 0;                // area of all faces in square px, if each was drawn in full: how long drawing takes
  bool dragged_ = false;          // whether the mouse has turned the box since its button went down
  std::vector<ir::Id> selected_;  // the selected loops that the panel has followed
  session::Selection::Thread taken_;  // the selected thread that the panel has followed
};

}  // namespace loom::panels
