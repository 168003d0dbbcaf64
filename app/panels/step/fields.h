#pragma once

#include <future>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panel.h"
#include "app/session/option_times.h"
#include "app/ui/palette.h"
#include "core/tune/intrinsic_checklist.h"
#include "core/tune/step_form.h"
#include "core/tune/wave_hints.h"

namespace loom::panels {

/// The fields of the form of a schedule step: one for each parameter of the chosen primitive (split, bind, …), filled
/// in by typing, or from a list of the values that the primitive accepts at the current state (the program after the
/// steps so far). Lists are found on threads of their own. The panel Step (StepPanel, panel.h) owns the fields: it
/// draws them, and makes the step's line of `form` in the frame after `draw` has returned true.
class StepFields {
 public:
  /// Returns the chosen primitive and a value for each of its parameters; `row` is null while no primitive is chosen.
  const tune::StepForm& form() const { return form_; }

  /// Starts a form of a primitive, a row of the static table of primitives. Parameters have their default values; those
  /// without a default have no value yet.
  void choose(const schedule::Instruction& row);
  /// Sets the form's first parameter to the selected loops and blocks if it has no value yet and takes exactly these:
  /// one loop, one block, or several loops. Requires a primitive.
  void take(const schedule::State& state, const std::vector<ir::Id>& selected);
  /// Takes over a form that has values already. Requires a primitive in it.
  void adopt(const tune::StepForm& form);
  /// Leaves the form: no primitive is chosen any more.
  void leave();
  /// Drops values that name loops or blocks which `state` lacks: another state is the current one from now on.
  void moveTo(const schedule::State& state);

  /// Has to be called once a frame, before `draw`, also in frames without a form: predictions for a list of values end
  /// when the list has been closed.
  void beginFrame();
  /// Draws all fields below each other. Returns true if the user has changed a value. Requires a primitive.
  bool draw(PanelContext& context);

  /// Returns whether the user has entered or chosen a value, or a form was taken over by `adopt`, since `choose`.
  /// Values filled in by `take` don't count.
  bool isTouched() const { return touched_; }
  /// Returns whether values came from the user (typed, chosen, selected, or as a form from elsewhere) since the last
  /// call.
  bool takeEdited() { return std::exchange(edited_, false); }
  /// Returns whether Enter has ended the typing into a field in this frame.
  bool isEntered() const { return entered_; }
  /// Returns whether Escape has ended the typing into a field in this frame.
  bool isCleared() const { return cleared_; }

 private:
  /// The values that a parameter can take at a state, found in the background.
  struct Offer {
    std::string key;  // what the values depend on: state, primitive, parameter and the values before it
    std::future<std::vector<schedule::Candidate>> pending;  // the values, while they are being found
    std::vector<schedule::Candidate> ready;                 // the values, once they are found
    // For a parameter that is an intrinsic: what each intrinsic lacks, least first.
    std::vector<tune::IntrinsicChecklist> lists;
    // The step's line with each candidate shown so far, by the candidate's text.
    std::map<std::string, std::string> lines;
  };

  // Takes over another form, whose values the text fields show from the next `draw` on.
  void show(tune::StepForm form);
  void writeTexts(const schedule::State& state);
  void drawField(PanelContext& context, int index);
  void drawText(PanelContext& context, int index);
  void drawChoices(PanelContext& context, int index);
  void drawCandidates(PanelContext& context, int index, const Offer& offer);
  void drawCandidate(PanelContext& context, int index, const schedule::Candidate& candidate,
                     const std::string& note = "");
  // Returns wave figures for the loop that the field's `split` splits; null for other fields.
  const tune::WaveHints* waves(PanelContext& context, int index);
  // Returns what clusters of `value` blocks do to the waves of the grid; empty for other annotations and fields.
  std::string clustersText(PanelContext& context, int index, const schedule::Value& value) const;
  void drawByWaves(PanelContext& context, int index, const Offer& offer, const tune::WaveHints& hints);
  void drawIntrinsics(PanelContext& context, int index, const Offer& offer);
  // Sets, or with nothing removes, the value of a parameter.
  void set(int index, std::optional<schedule::Value> value);
  // Returns the predicted time of the program after the step with a candidate as value, as text; empty while that isn't
  // known, if the candidate is refused, or if other values are missing.
  std::string timeOf(PanelContext& context, int index, const schedule::Candidate& candidate);
  // Returns the values for a field's list, and starts to find them if needed; null while a field before it is empty.
  const Offer* offer(PanelContext& context, int index);

  tune::StepForm form_;
  std::vector<std::string> texts_;        // contents of the text fields, one per parameter
  bool areTextsOld_ = false;              // whether `texts_` is of an earlier form than `form_`
  std::vector<std::string> problems_;     // what is wrong with what is typed, one per parameter; empty: nothing
  std::optional<Offer> offer_;            // the values found last for a list; nothing: none
  std::optional<tune::WaveHints> waves_;  // wave figures for the loop that is split; nothing: none
  std::string wavesOf_;                   // the state and loop that `waves_` is for
  session::OptionTimes times_;
  bool listed_ = false;                     // whether a list of values was open in the last frame
  bool touched_ = false, edited_ = false;   // what `isTouched` and `takeEdited` return
  bool changed_ = false;                    // whether a value was changed in this call of `draw`
  bool entered_ = false, cleared_ = false;  // what `isEntered` and `isCleared` return
};

/// Draws wrapped text in the secondary font size and in the colour `tone`. `width` is in px; 0: all the room there is.
void drawSecondary(const window::Look& look, const char* text, window::Tone tone = window::Tone::kTextSecond,
                   float width = 0);

}  // namespace loom::panels
