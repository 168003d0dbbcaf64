#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panel.h"
#include "app/panels/performance/view/performance.h"
#include "app/widgets/state_finder.h"
#include "core/gpu/result_database.h"

namespace loom::text {
class Text;
}
namespace loom::session {
class Session;
struct StateModel;
}  // namespace loom::session

namespace loom::panels {

/// The page Compare of the panel Performance: a table with the figures of the current state (the program after the
/// schedule steps applied so far) beside those of another one, and what explains the difference. The other state is the
/// one that all panels compare with, or, if there is none or it is the current state itself, the default for the
/// current state (`comparedByDefault`, state_finder.h). For the end of a lesson's chapter, that is the end of the
/// chapter that the lesson compares this one with; if it is no kernel, the lesson's choice for that chapter is taken,
/// and so on until a kernel is found. For other states, and if the lesson leads to no kernel, it is the closest
/// ancestor that is a kernel. (A state that is still being made counts as a kernel.) Without another state the page has
/// no table.
class ComparePage {
 public:
  /// Draws the page into the current window.
  void draw(PanelContext& context);

 private:
  /// Draws the choice of the other state, and sets `against_`.
  void choose(PanelContext& context);
  /// Makes the rows and texts anew if the states or what is known of them have changed.
  void follow(PanelContext& context);
  /// Returns the text at the head of a state's column, first shortened to `width` px, then whole.
  std::pair<std::string, std::string> headOf(const window::Look& look, session::Session& session, int node,
                                             float width) const;
  void drawReasons(const window::Look& look) const;
  /// Returns a sentence on how the times of the two states are to each other; empty where they aren't known.
  std::string headlineOf(const window::Look& look) const;
  void drawRow(const window::Look& look, const session::ComparedRow& row, bool isKernel);

  int against_ = -1;  // the other state; −1: there is none
  bool onlyDifferent_ = false;
  StateFinder finder_;
  std::uint64_t opened_ = 0;                    // Session::opened of the target that the page shows
  std::uint64_t revision_ = ~std::uint64_t{0};  // Session::revision when `rows_` were made; all ones: make them anew
  int current_ = -1;                            // the current state when `rows_` were made
  std::vector<session::ComparedRow> rows_;
  std::vector<std::string> reasons_;  // sentences on what the model finds wrong with one of the two only
  std::string farOff_;  // sentences on those of the two whose predicted time is far from the measured one; may be ""
  std::pair<int, int> scrolled_{-1, -1};  // the states on show when the table was last scrolled to its beginning
  std::string between_;  // a sentence on the states between the two, if none of them is a kernel; else ""
  // The origin of the two states' times; Measured if the two have different ones.
  gpu::ResultOrigin timeOrigin_ = gpu::ResultOrigin::Measured;
  const text::Text* timeName_ = nullptr;  // the name of the row of times, which says where these come from
  bool waiting_ = false;                  // whether a model of one of the two is still to become more detailed
};

}  // namespace loom::panels
