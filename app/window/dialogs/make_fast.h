#pragma once

#include <cstdint>
#include <optional>

#include "app/session/rule_steps.h"
#include "app/ui/look.h"

namespace loom::window {

/// The dialog "Make it fast": the schedule that rules construct for the program of the current state, without a search
/// and without a GPU. The dialog shows every step (a call of a schedule primitive) with a sentence on what it is for.
/// On the user's request it applies all steps as one undo entry.
class MakeFast {
 public:
  /// Opens the dialog in the next frame; nothing happens if no program is open then.
  void show() { wanted_ = true; }
  /// Opens the dialog when the program that is being opened is open. To be called once opening has begun; no dialog
  /// opens if the program can't be opened.
  void showForNext(const session::Session& model) { after_ = model.opened(); }
  /// Draws the dialog if it is open. To be called once a frame.
  void draw(const Look& look, session::Session& model);

 private:
  void drawSteps(const Look& look, const session::Session& model) const;
  bool drawPlan(const Look& look, const session::Session& model);

  session::RuleSteps steps_;
  std::optional<std::uint64_t> after_;  ///< Session::opened until the next target is open; nothing: none is awaited
  bool wanted_ = false;
  bool isOffered_ = false;  ///< whether the last frame had steps to apply
};

}  // namespace loom::window
