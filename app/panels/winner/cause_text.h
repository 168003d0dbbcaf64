#pragma once

#include <string>

#include "app/panels/winner/view/waits.h"
#include "app/ui/look.h"

namespace loom::session {
struct StateModel;
}

namespace loom::panels {

/// A kernel whose time is to be explained.
struct ExplainedKernel {
  session::TimedSamples times;
  const session::StateModel* model = nullptr;  ///< null: there is none (yet)
};

/// Returns sentences that say why the second of two kernels takes another measured time than the first
/// (session::causesOf): "Faster because less of the time goes to waiting at barriers (880 ns → 0 ns; registers → shared
/// 48 KiB → 0 B)." If `stands` is true, the two stand beside each other, and neither came before: "0 ns instead of
/// 880 ns". The name of an ncu stall reason stands behind what it means, so that the table of samples has it
/// again. "" if nothing accounts for the difference.
std::string becauseText(const window::Look& look, const ExplainedKernel& before, const ExplainedKernel& after,
                        bool stands = false);

}  // namespace loom::panels
