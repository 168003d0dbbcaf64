#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/workbench/block_waves.h"
#include "app/workbench/latest.h"
#include "app/workbench/thread_binding.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

/// Grid → block → warp → lane: whoever is chosen, the elements that they touch in the chosen statement are lit, and
/// what the warp's request costs is shown as sectors or banks. Views are made in the background: until the next one is
/// there, the last one stays.
class ThreadBindingPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  using Element = std::pair<std::int64_t, std::int64_t>;  // row and column in the buffer
  struct Shown {
    std::shared_ptr<const workbench::Derived> from;
    std::shared_ptr<const workbench::ThreadBinding> binding;
    workbench::BindingChoice choice;
    workbench::BindingView view;
    std::optional<Element> element;  // clicked
    std::optional<Result<model::Owners>> owners;
    // The same statement in the state that is compared with; null, none: nothing is compared, or it has no such.
    std::shared_ptr<const workbench::Derived> against;
    std::shared_ptr<const workbench::ThreadBinding> againstBinding;
    std::optional<workbench::BindingView> againstView;
    void compare();
  };

  bool follow(PanelContext& context);  // false: nothing to show, and said why
  void followWaves(PanelContext& context);
  void drawChoice(PanelContext& context);
  void drawPictures(PanelContext& context);
  void followMoment(PanelContext& context);
  void choose(PanelContext& context, workbench::BindingChoice choice, std::optional<Element> element = {});
  void takePointer(PanelContext& context);
  std::string ownersText(const window::Look& look) const;
  std::string againstText(const PanelContext& context) const;

  std::shared_ptr<const workbench::Derived> asked_;    // of the state that is to be shown
  std::shared_ptr<const workbench::Derived> against_;  // and of the one it is compared with
  std::optional<Shown> shown_;
  workbench::BindingChoice choice_;           // what is to be shown, of the binding that is
  workbench::Workbench::ThreadChoice taken_;  // the common choice as it was last followed
  // The statement is found again in the next state by what it does.
  std::string block_, buffer_;
  bool write_ = false;
  std::optional<workbench::BindingChoice> followed_;  // the last that Playback led to
  workbench::Latest<Shown> next_;
  // Waves of the binding that is shown, by what the model knows of the state.
  std::shared_ptr<const workbench::ThreadBinding> wavesOf_;
  std::shared_ptr<const workbench::StateModel> wavesModel_;
  std::optional<Result<workbench::BlockWaves>> waves_;
  workbench::Latest<Result<workbench::BlockWaves>> nextWaves_;
  bool byWave_ = false;
};

}  // namespace loom::panels
