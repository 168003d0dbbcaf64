#pragma once

#include <future>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "core/tune/step_arguments.h"

namespace loom::panels {

/// The form that edits the arguments of a step of the past: for each parameter a text field and a list of other values.
/// It works on the text of the line (tune::StepArguments); the fields follow the line, and changing a field changes the
/// line. The form of a new step, with typed values, is the panel Step.
class ArgumentForm {
 public:
  /// Draws the form for `line`, a possible line of the step that led to `node`, and changes `line` as the user edits a
  /// field. Draws nothing if the line can't be taken apart.
  void draw(PanelContext& context, int node, std::string& line);
  /// Returns why the text that was typed last can't be an argument; nothing if it can.
  const std::optional<Error>& problem() const { return problem_; }

 private:
  struct Offers {
    std::string line;       // the line that the offers are for
    std::size_t index = 0;  // of the argument
    std::future<std::vector<tune::ArgumentOffer>> pending;
    std::vector<tune::ArgumentOffer> ready;
  };

  void follow(const std::string& line);
  void drawOffers(PanelContext& context, int node, std::string& line, std::size_t index);
  void set(std::string& line, std::size_t index, const std::string& text);

  std::string line_;  // the line that `parts_` was made from
  std::optional<tune::StepArguments> parts_;
  std::vector<std::string> texts_;  // of the fields; empty where the line doesn't have the argument
  std::optional<Offers> offers_;
  std::optional<Error> problem_;
};

}  // namespace loom::panels
