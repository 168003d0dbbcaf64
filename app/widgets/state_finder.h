#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/widgets/context.h"

namespace loom::panels {

/// Returns whether a state (the program after some schedule steps), given by its index in the history, is a GPU kernel
/// and isn't deleted. Returns false while that isn't worked out yet. Here and below a target (a lesson, a document or a
/// function) must be open in the session, and indices must be in its history.
bool isKernel(const session::Session& session, int node);
/// Returns the closest state before `node`, on the path from the first state to it, for which `isKernel` is true; −1:
/// there is none.
int kernelBefore(const session::Session& session, int node);

/// Returns the state that `node` is compared with unless the user chooses one. For the end of a lesson's chapter this
/// is the end of the chapter that it is compared with (document::comparedEnd) or, if that state is no kernel, the end
/// that it is compared with in turn, and so on; a state whose program isn't worked out yet counts as a kernel here. If
/// no such end is a kernel, and for all other states, it is the closest kernel before `node`; −1: there is none.
int comparedByDefault(const session::Session& session, int node);

/// The contents of an open combo box for choosing a state: a text field for a search, and below it a list of the states
/// that are kernels and whose number and name contain each typed word, upper or lower case. If the text is a state's
/// number (Node::number), this state comes first.
class StateFinder {
 public:
  /// Draws the field and the list; call it while the combo is open. States are given by their index in the history.
  /// `marked` says of a state whether its row is shown as chosen, `scrollTo` is the state that is in view when the
  /// combo opens, and `except` is a state that isn't listed (each −1: none). Returns the state that the user has chosen
  /// in this frame: the one that was clicked, or on Enter the first one listed; −1 if none.
  int draw(PanelContext& context, const std::function<bool(int)>& marked, int scrollTo, int except = -1);

 private:
  std::string wanted_;                        // what is typed in the field
  std::vector<int> states_;                   // the states that are listed
  int rows_ = 1;                              // number of rows for which the list has room
  std::uint64_t listed_ = ~std::uint64_t{0};  // Session::revision (counts changes of the session) for `states_`
};

}  // namespace loom::panels
