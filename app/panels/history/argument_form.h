#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/session/background_value.h"
#include "core/tune/step_arguments.h"

namespace loom::panels {

/// The form that edits the arguments of a step, a call of a schedule primitive, that has been applied before: for each
/// parameter a text field and a list of other values. The form works on the text of the step's line
/// (tune::StepArguments): editing a field changes the line, and if the line changes otherwise, the fields follow. New
/// steps have another form, in the panel Step.
class ArgumentForm {
 public:
  /// Forgets the line, what was typed and the lists of other values; the next `draw` begins anew. To be called before a
  /// `draw` with another `node`. Doesn't wait for a list that is being made; the destructor does.
  void reset();
  /// Draws the form for `line`, the step line that is to replace the one that led to `node` (the index of a state, the
  /// program after a step, in the history), and changes `line` as the user edits a field. Draws nothing if the line
  /// can't be parsed into a primitive and its arguments.
  void draw(PanelContext& context, int node, std::string& line);
  /// Returns why the text that was typed last can't be an argument, so that `draw` has left the line as it was; nothing
  /// if it can, and for a line that can't be parsed.
  const std::optional<Error>& problem() const { return problem_; }

 private:
  // The list of other values for one argument.
  struct Offers {
    std::string line;       // the line for which values are offered
    std::size_t index = 0;  // index of the argument for which values are offered
    bool pending = true;    // whether they are still being made
    std::vector<tune::ArgumentOffer> ready;
  };

  void follow(const std::string& line);
  void drawOffers(PanelContext& context, int node, std::string& line, std::size_t index);
  void set(std::string& line, std::size_t index, const std::string& text);

  std::string line_;  // the line that `parts_` was made from
  std::optional<tune::StepArguments> parts_;
  std::vector<std::string> texts_;  // by parameter: the text of its field; "" if the line lacks the argument
  std::optional<Offers> offers_;
  session::BackgroundValue<std::vector<tune::ArgumentOffer>> making_;  // lives on: its destructor waits
  std::optional<Error> problem_;
};

}  // namespace loom::panels
