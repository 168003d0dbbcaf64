#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/session/option_times.h"
#include "core/tune/step_form.h"

namespace loom::panels {

/// A form made from the instruction table: a primitive, a value for each parameter, the line it gives, and Apply.
class StepPanel : public Panel {
 public:
  ~StepPanel() override;
  void draw(PanelContext& context) override;

 private:
  /// What a parameter could take at a state, found in the background.
  struct Offer {
    std::string key;  // state, primitive, parameter and the values before it
    std::future<std::vector<schedule::Candidate>> pending;
    std::vector<schedule::Candidate> ready;
    std::map<std::string, std::string> lines;  // of the whole step by the candidate's text, as far as they were shown
  };

  void follow(PanelContext& context);
  void complete(const session::Session& session);
  void drawPrimitives(PanelContext& context);
  void drawParameter(PanelContext& context, int index);
  void drawChoices(PanelContext& context, int index);
  void drawText(PanelContext& context, int index);
  void drawOutcome(PanelContext& context);
  void set(int index, std::optional<schedule::Value> value);
  void choose(const schedule::Instruction& row);
  void begin(const session::Session& session, const schedule::Instruction& row);
  void apply(PanelContext& context);
  void takeKeys();
  std::string timeOf(PanelContext& context, int index, const schedule::Candidate& candidate);
  const Offer* offer(PanelContext& context, int index);

  std::string filter_;
  tune::StepForm form_;
  std::vector<std::string> texts_;  // of the text fields, one per parameter
  std::vector<std::string> textProblems_;
  std::optional<Offer> offer_;
  session::OptionTimes times_;
  bool listed_ = false;  // a list of choices was open in the last frame
  // What follows from the form and the state; made anew when one of them changes.
  bool stale_ = true;
  bool scrolls_ = false;  // the list, to the primitive that was chosen
  std::uint64_t opened_ = 0;
  int node_ = -1;
  std::string lines_;
  std::optional<Error> refusal_;
  std::optional<schedule::Changes> changes_;
  bool edited_ = false;                                       // by the user since `follow`
  bool touched_ = false;                                      // something was filled in since `choose`
  bool entered_ = false, escaped_ = false, cleared_ = false;  // keys of this frame, from the panel or a field of it
  const schedule::Instruction* first_ = nullptr;              // the first primitive that the filter leaves
  std::optional<Error> applied_;                              // why the last Apply was refused
};

}  // namespace loom::panels
