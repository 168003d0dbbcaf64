#pragma once

#include <cstdint>
#include <memory>

#include "app/session/session.h"

namespace loom::session {

/// The cost model's result that a panel shows, chosen by one rule for all panels: that of the previewed step (which the
/// user is about to apply), or else of the current state (the program after some steps). Until it has been made, the
/// model shown before stays, so that the panel doesn't flicker; `isCurrent` is then false if the model is of another
/// state, and the model's advice must not be applied to the current state.
class ShownModel {
 public:
  /// Chooses the model for this frame; to be called once a frame while a target is open. `basis` is what the model is
  /// to be made from. With `held`, a model that is shown stays as long as the current state does, whatever is
  /// previewed, so that a button whose hover previews a step stays where it is.
  void follow(const Session& session, ModelBasis basis = ModelBasis::kMachineCode, bool held = false);

  /// Returns the model to show. Null until the first model of the open program has been made; until then `isCurrent`
  /// and `isFinal` are false.
  const std::shared_ptr<const StateModel>& model() const { return model_; }
  /// Returns the index in the history of the state that the model is of; for the model of a preview, of the state that
  /// is current during the preview. Returns −1 while `model` is null.
  int node() const { return node_; }
  /// Returns whether the model is of the current state or of a preview that is shown while that state is current.
  bool isCurrent() const { return current_; }
  /// Returns whether the model will not become more detailed. While machine code is awaited, a panel should give no
  /// advice from the program as written, since the compiler may have removed the problem.
  bool isFinal() const { return final_; }

 private:
  std::shared_ptr<const StateModel> model_;
  std::uint64_t opened_ = 0;
  int node_ = -1;
  bool current_ = false, final_ = false;
};

}  // namespace loom::session
