#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/step/fields.h"
#include "core/tune/step_form.h"

namespace loom::panels {

/// A form made from the instruction table: a primitive, a value for each parameter, the line it gives, and Apply.
class StepPanel : public Panel {
 public:
  void draw(PanelContext& context) override;

 private:
  void follow(PanelContext& context);
  void complete(const session::Session& session);
  void drawPrimitives(PanelContext& context);
  void drawOutcome(PanelContext& context);
  void choose(const schedule::Instruction& row);
  void begin(const session::Session& session, const schedule::Instruction& row);
  void apply(PanelContext& context);
  void takeKeys();
  const tune::StepForm& form() const { return fields_.form(); }

  std::string filter_;
  StepFields fields_;
  // What follows from the form and the state; made anew when one of them changes.
  bool stale_ = true;
  bool scrolls_ = false;  // the list, to the primitive that was chosen
  std::uint64_t opened_ = 0;
  int node_ = -1;
  std::string lines_;
  std::optional<Error> refusal_;
  std::optional<schedule::Changes> changes_;
  bool entered_ = false, escaped_ = false;        // keys of this frame, unless a field took them
  const schedule::Instruction* first_ = nullptr;  // the first primitive that the filter leaves
  std::optional<Error> applyRefusal_;             // why the last Apply was refused
};

}  // namespace loom::panels
