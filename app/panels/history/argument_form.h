#pragma once

#include <future>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "core/tune/step_arguments.h"

namespace loom::panels {

/// A row for each parameter of a step's line: what stands there, to be written over, and what could stand there. The
/// line is the truth; the rows follow it and change it.
class ArgumentForm {
 public:
  /// For the step of `node`, if it were `line`. Nothing where the line can't be taken apart.
  void draw(PanelContext& context, int node, std::string& line);
  /// Of what was written last, where it is no value or can't be left out; otherwise none.
  const std::optional<Error>& problem() const { return problem_; }

 private:
  struct Offers {
    std::string line;  // that they are for, and the row
    std::size_t index = 0;
    std::future<std::vector<tune::ArgumentOffer>> pending;
    std::vector<tune::ArgumentOffer> ready;
  };

  void follow(const std::string& line);
  void drawOffers(PanelContext& context, int node, std::string& line, std::size_t index);
  void set(std::string& line, std::size_t index, const std::string& text);

  std::string line_;  // that `parts_` is of
  std::optional<tune::StepArguments> parts_;
  std::vector<std::string> texts_;  // of the fields; empty where the line leaves it out
  std::optional<Offers> offers_;
  std::optional<Error> problem_;
};

}  // namespace loom::panels
