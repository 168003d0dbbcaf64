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
  bool follow(PanelContext& context);  // false: nothing to show, and said why
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

  std::shared_ptr<const session::Program> asked_;    // of the state that is to be shown
  std::shared_ptr<const session::Program> against_;  // and of the one it is compared with
  std::optional<session::BoundStatement> shown_;
  session::BindingChoice choice_;          // what is to be shown, of the binding that is
  std::optional<model::Scope> countedBy_;  // whose touches are counted
  session::Selection::Thread taken_;       // the common choice as it was last followed
  // The statement is found again in the next state by what it does.
  struct Statement {
    std::string block, buffer;
    bool write = false;
    friend bool operator==(const Statement&, const Statement&) = default;
  };
  Statement statement_;
  SharedOption<Statement> sharedStatement_;
  float scroll_ = 0;               // of the pictures, px
  std::optional<float> scrollTo_;  // in the next frame, with the twin
  SharedOption<float> sharedScroll_;
  std::optional<Statement> twins_;                  // that the twin shows since, to be shown here too
  std::vector<ir::Id> selected_;                    // the common selection as it was last followed
  std::optional<session::BindingChoice> followed_;  // the last that Playback led to
  session::BackgroundValue<session::BoundStatement> next_;
  StatementParts parts_;
};

}  // namespace loom::panels
