#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/step/fields.h"
#include "core/tune/step_form.h"

namespace loom::panels {

/// The panel Step: a form for one schedule step, made from the table of primitives (split, bind, …). It has a list of
/// primitives, a field for each parameter of the chosen one, the step line that results, its effect, and a button that
/// applies it to the current state.
class StepPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  // Takes over a form proposed by another panel, and makes `lines_`, `refusal_` and `changes_` anew if `stale_` is
  // true.
  void follow(PanelContext& context);
  void complete(const session::Session& session);  // makes the step lines and tries them
  void drawPrimitives(PanelContext& context);
  void drawOutcome(PanelContext& context);
  void choose(const schedule::Instruction& row);  // shows the form of a primitive, with empty fields
  // Starts the form of a primitive, with the selected loops and blocks filled in.
  void begin(const session::Session& session, const schedule::Instruction& row);
  void apply(PanelContext& context);
  // Sets `entered_` and `escaped_`.
  void takeKeys();
  const tune::StepForm& form() const { return fields_.form(); }

  std::string filter_;  // what is typed to filter the list of primitives
  StepFields fields_;
  bool stale_ = true;             // whether the form or the state has changed
  bool scrolls_ = false;          // whether the list of primitives scrolls to the chosen one in the next frame
  std::uint64_t opened_ = 0;      // number of the open program (Session::opened) in the last frame
  int node_ = -1;                 // index, in the history, of the current state in the last frame; −1: none yet
  std::string lines_;             // the step lines; empty: values are missing, or they make no step
  std::optional<Error> refusal_;  // why the step is refused; nothing: it isn't
  std::optional<schedule::Changes> changes_;  // what the step changes; nothing: there is no step, or it is refused
  // Whether Enter, and Escape, was pressed in this frame, unless a text field or an open list used it.
  bool entered_ = false, escaped_ = false;
  const schedule::Instruction* first_ = nullptr;  // the first primitive in the filtered list; null: none
  std::optional<Error> applyRefusal_;             // why the last Apply was refused; nothing: it wasn't
};

}  // namespace loom::panels
