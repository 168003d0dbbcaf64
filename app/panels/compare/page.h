#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panel.h"
#include "app/panels/performance/view/performance.h"
#include "app/widgets/state_finder.h"

namespace loom::text {
class Text;
}
namespace loom::session {
class Session;
struct StateModel;
}  // namespace loom::session

namespace loom::panels {

/// The current state's figures beside those of the state that all panels compare with; else the closest kernel before.
class ComparePage {
 public:
  void draw(PanelContext& context);

 private:
  void choose(PanelContext& context);
  void follow(PanelContext& context);
  /// As it fits the width, and whole.
  std::pair<std::string, std::string> headOf(const window::Look& look, session::Session& session, int node,
                                             float width) const;
  void drawReasons(const window::Look& look, int number) const;
  void drawRow(const window::Look& look, const session::ComparedRow& row, bool isKernel);

  int against_ = -1;  // the state compared with; without one the closest before the current one that is a kernel
  bool onlyDifferent_ = false;
  StateFinder finder_;
  std::uint64_t opened_ = 0, revision_ = ~std::uint64_t{0};
  int current_ = -1;
  std::vector<session::ComparedRow> rows_;
  std::vector<model::Advice> appeared_, gone_;  // on the current state only; on the other only
  std::string farOff_;                          // of which of the two the model's time is far from the clock's
  std::pair<int, int> scrolled_{-1, -1};        // the states that the table was last scrolled to the beginning for
  std::string between_;                         ///< which states between the two are no kernels
  const text::Text* timeName_ = nullptr;        // says where the two times come from
  bool waiting_ = false;
};

}  // namespace loom::panels
