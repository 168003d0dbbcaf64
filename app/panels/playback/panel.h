#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/panels/playback/pipeline_rows.h"
#include "app/panels/playback/view/playback.h"
#include "app/panels/playback/view/role_lanes.h"
#include "app/session/background_value.h"
#include "app/session/session.h"

namespace loom::panels {

/// The life of a thread block on a time line: above the whole life, below one k step with a row for each pipe. The
/// position of the cursor is session::Selection::position, which other panels follow.
class PlaybackPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  bool follow(PanelContext& context);  // false: nothing to show, and said why
  void drawControls(PanelContext& context);
  void drawBudget(const PanelContext& context) const;
  void drawOtherBudget(const PanelContext& context) const;
  void drawLife(PanelContext& context);
  void drawTracks(PanelContext& context);
  void drawPipeline(PanelContext& context, const session::PlaybackWindow& window, const playback::PipelineRows& rows,
                    double now);
  void drawRoleLife(PanelContext& context, const session::RoleLanes& lanes);
  void drawRoleParts(const window::Look& look, const session::RoleLanes& lanes, float width);
  void drawRoleChoice(const window::Look& look, const session::RoleLanes& lanes, float width);
  float roleWidth(const window::Look& look, float full) const;
  void drawRoles(PanelContext& context, const session::RoleLanes& lanes);
  double roleClocks() const;
  void moveRolesTo(PanelContext& context, double clocks);
  double neighbour(bool step, bool forward) const;
  void drawNow(const PanelContext& context);
  void takeKeys(PanelContext& context);
  void advance(PanelContext& context);
  void moveTo(PanelContext& context, double clocks);
  void end(PanelContext& context);

  std::shared_ptr<const session::Program> from_;
  std::shared_ptr<const session::StateModel> model_;
  std::optional<session::Playback> playback_;
  std::uint64_t opened_ = 0;
  bool stale_ = false;  // the state's own life isn't there yet
  double at_ = 0;       // of the cursor, clocks
  bool playing_ = false, low_ = false;
  int speed_ = 1;                                       // of the choices
  std::shared_ptr<const session::StateModel> rolesOf_;  // whose lanes `part_` is of
  playback::ShownTime part_;                            // of a life with roles, that is shown
  double waited_ = 0;                                   // seconds, towards the next jump where nothing glides
  /// Tiles that the moment touches; the last ones stay until the next are there.
  struct Tiles {
    std::shared_ptr<const session::Program> from;
    std::shared_ptr<const session::ThreadBinding> binding;
    std::vector<session::TouchedTile> tiles;
  };
  std::string tilesOf_;  // what they were asked for
  std::optional<Tiles> tiles_;
  session::BackgroundValue<Tiles> next_;
};

}  // namespace loom::panels
