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
/// An access is a read or a write of one buffer by a statement of the kernel. Views are made in the background; until
/// the next one is ready, the last one stays.
class ThreadBindingPanel : public Panel {
 public:
  void draw(PanelContext& context) override;
  void shareOptions(Panel& twin) override;

 private:
  bool follow(PanelContext& context);  // takes in a new state; if there is nothing to show, draws why and returns false
  // Returns whether what is shown, which must exist, is of the state that is to be shown, and not of an earlier one.
  bool isCurrent() const { return shown_->from == asked_; }
  // Stores which statement an access belongs to in `statement_`.
  void remember(const model::Access& access);
  // Returns the index of an access for which the panel has a picture of the kind `part` ("banks", "sectors", …): the
  // chosen access if possible.
  int accessWith(const PanelContext& context, std::string_view part) const;
  // Returns the index of the access that an advice is about; −1 if it is about no access.
  int accessOf(const model::Advice& advice) const;
  // Draws a button that names the statement whose lanes cost the most, unless it is chosen. Returns the index of its
  // access if the button was clicked; else −1.
  int drawWorst(PanelContext& context);
  void drawChoice(PanelContext& context);
  // Draws the iterations of the loops around the statement. Returns whether the user has changed them in `wanted`.
  bool drawLoops(PanelContext& context, session::BindingChoice& wanted) const;
  // Chooses the statement and the iterations at the cursor of the panel Playback.
  void followMoment(PanelContext& context);
  // Starts to make the view of a choice and of the clicked element; without an element, keeps that of the same access.
  // Does nothing while what is shown is of an earlier state.
  void choose(PanelContext& context, session::BindingChoice choice,
              std::optional<session::BoundStatement::Element> element = {});
  // Chooses the statement that a lesson points at.
  void takePointer(PanelContext& context);
  // Chooses a statement of a block that was selected in another panel.
  void followSelection(PanelContext& context);
  // Chooses the statement that was chosen in the twin, the panel with the state compared with.
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
