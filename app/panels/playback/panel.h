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

/// The panel Playback: the life of a thread block on a time line. It draws the whole life above. Below it stands one k
/// step (a pass of the loop over k blocks) with a row for each pipe; or, if warps have roles (some load, some
/// multiply), a part of the life with a lane for each role. Other panels follow the cursor, whose position is
/// session::Selection::position.
class PlaybackPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  /// Takes in a new state or model. Returns false if there is nothing to play back, after drawing why.
  bool follow(PanelContext& context);
  void drawControls(PanelContext& context);
  // Draws, in a line of words, what the block's time goes to (its budget), and that of the state compared with.
  void drawBudget(const PanelContext& context) const;
  void drawOtherBudget(const PanelContext& context) const;
  void drawLife(PanelContext& context);
  void drawTracks(PanelContext& context);
  void drawPipeline(PanelContext& context, const session::PlaybackWindow& window, const playback::PipelineRows& rows,
                    double now);
  void drawRoleLife(PanelContext& context, const session::RoleLanes& lanes);
  void drawRoleParts(const window::Look& look, const session::RoleLanes& lanes, float width);
  void drawRoleChoice(const window::Look& look, const session::RoleLanes& lanes, float width);
  // Returns the width in px of the lanes in a panel that is `full` px wide.
  float roleWidth(const window::Look& look, float full) const;
  void drawRoles(PanelContext& context, const session::RoleLanes& lanes);
  // Returns the time of the cursor in clocks of the life by roles, whose length may differ from the timeline's.
  double roleClocks() const;
  void moveRolesTo(PanelContext& context, double clocks);
  // Returns the next point in time (or the previous one) at which a bar begins, or with `step` a k step; clocks.
  double neighbour(bool step, bool forward) const;
  void drawNow(const PanelContext& context);
  void takeKeys(PanelContext& context);
  void advance(PanelContext& context);
  // Moves the cursor to a time in clocks since the block began, unless `stale_` is true.
  void moveTo(PanelContext& context, double clocks);
  // Stops playing and removes the cursor.
  void end(PanelContext& context);

  std::shared_ptr<const session::Program> from_;      // the program that is played back; null: none yet
  std::shared_ptr<const session::StateModel> model_;  // the model of `from_`; null: none yet
  std::optional<session::Playback> playback_;         // the life laid out in time; nothing: there is none to show
  std::uint64_t opened_ = 0;                          // number of the open program (Session::opened) of `playback_`
  bool stale_ = false;                                // whether what is shown is still of an earlier state
  double at_ = 0;                                     // time of the cursor, clocks since the block began
  bool playing_ = false, low_ = false;  // whether the cursor advances by itself; whether the panel has little height
  int speed_ = 1;                       // index of the chosen speed
  std::shared_ptr<const session::StateModel> rolesOf_;  // the model whose role lanes `part_` is a part of; null: none
  playback::ShownTime part_;  // the part that is drawn enlarged of the life of a block whose warps have roles
  double waited_ = 0;         // seconds since the cursor's last jump, where it jumps instead of gliding
  /// The tiles that the block accesses at the cursor. The last ones stay until the next are computed.
  struct Tiles {
    std::shared_ptr<const session::Program> from;           ///< the program that is played back
    std::shared_ptr<const session::ThreadBinding> binding;  ///< its thread binding
    std::vector<session::TouchedTile> tiles;
  };
  std::string tilesOf_;  // key of the moment for which tiles were last asked for
  std::optional<Tiles> tiles_;
  session::BackgroundValue<Tiles> next_;
};

}  // namespace loom::panels
