#pragma once

#include <cstdint>
#include <memory>

#include "app/session/session.h"

namespace loom::session {

/// Which model a panel shows, by one rule for all: that of the preview or of the current state, as soon as it is there;
/// until then the one before stays on show, so that nothing comes and goes, but it is another state's: what it advises
/// isn't for the current one.
class ShownModel {
 public:
  /// For each frame. `held`: what is shown stays whatever is previewed, so that a button whose hover previews its step
  /// doesn't move; a step to another state ends that.
  void follow(const Session& bench, ModelBasis depth = ModelBasis::kMachineCode, bool held = false);

  /// Null: none of this program yet.
  const std::shared_ptr<const StateModel>& model() const { return model_; }
  /// The state that it is of, or that a preview starts from.
  int node() const { return node_; }
  /// Whether it is of the current state, or of a preview or the state that the preview starts from.
  bool isCurrent() const { return current_; }
  /// Whether it is as deep as it gets. One of the program as written, whose machine code is on its way, gives no
  /// advice: the compiler may have mended what it finds.
  bool isFinal() const { return final_; }

 private:
  std::shared_ptr<const StateModel> model_;
  std::uint64_t opened_ = 0;
  int node_ = -1;
  bool current_ = false, final_ = false;
};

}  // namespace loom::session
