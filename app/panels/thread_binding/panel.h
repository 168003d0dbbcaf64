#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/panels/thread_binding/statement.h"
#include "app/panels/thread_binding/view/statement.h"
#include "app/session/background_value.h"
#include "app/session/session.h"
#include "app/widgets/shared_option.h"

namespace loom::panels {

/// The panel Thread binding: grid, block, warp and lanes of a kernel. It highlights the elements that the chosen block,
/// warp and lane access in the chosen statement, and shows the cost of the warp's request as sectors or bank conflicts.
/// Views are made in the background; until the next one is ready, the last one stays.
class ThreadBindingPanel : public Panel {
 public:
  void draw(PanelContext& context) override;
  void shareOptions(Panel& twin) override;

 private:
  bool follow(PanelContext& context);  // takes in a new state; if there is nothing to show, draws why and returns false
  // Returns whether what is shown is of the state that is to be shown, and not of an earlier one.
  bool isCurrent() const { return shown_->from == asked_; }
  void remember(const model::Access& access);
  int accessWith(const PanelContext& context, std::string_view part) const;
  int accessOf(const model::Advice& advice) const;
  int drawWorst(PanelContext& context);
  void drawChoice(PanelContext& context);
  bool drawLoops(PanelContext& context, session::BindingChoice& wanted) const;
  void followMoment(PanelContext& context);
  void choose(PanelContext& context, session::BindingChoice choice,
              std::optional<session::BoundStatement::Element> element = {});
  void takePointer(PanelContext& context);
  void followSelection(PanelContext& context);
  void followTwin(PanelContext& context);

  std::shared_ptr<const session::Program> asked_;    // the program of the state that is to be shown
  std::shared_ptr<const session::Program> against_;  // the program of the state compared with; null: none
  std::optional<session::BoundStatement> shown_;     // what is drawn; may lag behind `asked_` and `choice_`
  session::BindingChoice choice_;          // the block, thread and access to be shown, in the binding of `shown_`
  std::optional<model::Scope> countedBy_;  // the scope whose accesses to each element are counted; nothing: none
  session::Selection::Thread taken_;       // the thread chosen for all panels, as it was last taken over
  // Identifies the chosen statement, so that it is found again in the next state: its block, and the buffer that it
  // reads or writes.
  struct Statement {
    std::string block, buffer;
    bool write = false;
    friend bool operator==(const Statement&, const Statement&) = default;
  };
  Statement statement_;
  SharedOption<Statement> sharedStatement_;
  float scroll_ = 0;               // scroll position of the pictures, px
  std::optional<float> scrollTo_;  // where to scroll in the next frame, px, because the twin has scrolled
  SharedOption<float> sharedScroll_;
  std::optional<Statement> twins_;  // the statement chosen in the twin since the last frame, to be shown here too
  std::vector<ir::Id> selected_;    // the blocks selected for all panels, as they were last taken over
  // The last choice that followed from the cursor of the panel Playback.
  std::optional<session::BindingChoice> followed_;
  session::BackgroundValue<session::BoundStatement> next_;
  StatementParts parts_;
};

}  // namespace loom::panels
