#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/widgets/context.h"

namespace loom::panels {

/// Returns whether the state is a kernel, as far as that is derived yet, and not deleted.
bool isKernel(const session::Session& session, int node);
/// Returns the closest state on the path before `node` that is a kernel; −1 if there is none.
int kernelBefore(const session::Session& session, int node);

/// The list of a combo's states that are kernels, below a field that finds them by words of their names.
class StateFinder {
 public:
  /// Draws both within an open combo. `marked` says which rows are; `scrollTo` is the state in view when it opens;
  /// `except` isn't listed. Gives the state that is clicked, or the first listed on Enter; −1: none.
  int draw(PanelContext& context, const std::function<bool(int)>& marked, int scrollTo, int except = -1);

 private:
  std::string wanted_;
  std::vector<int> states_;                   // listed
  int rows_ = 1;                              // there is room for
  std::uint64_t listed_ = ~std::uint64_t{0};  // revision that they are of
};

}  // namespace loom::panels
