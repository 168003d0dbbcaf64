#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/notation/palette.h"
#include "app/widgets/context.h"
#include "core/document/stall_view.h"

namespace loom::session {
class Session;
}

namespace loom::panels {

/// Returns the colour of a stall reason: that of the memory or the unit that is waited for, where there is one.
notation::Tone toneOf(profile::StallReason reason);
/// Returns "long scoreboard 41 %, barrier 22 %, …": the reasons with the most samples, at most `most`, and their shares
/// of all samples; "–" if there are none.
std::string stallsText(const profile::StallCount& stalls, std::size_t most);

/// Return the stall samples of the current state, and of the state compared with; null if they aren't known, or belong
/// to other machine code.
std::shared_ptr<const document::StallResult> shownStalls(const PanelContext& context);
std::shared_ptr<const document::StallResult> comparedStalls(const PanelContext& context);

/// Decides whether the code view reserves room for the column of samples. It does before samples arrive, so that the
/// code doesn't move when they do, and in all states once one state of the target has samples.
class StallRoom {
 public:
  /// Returns whether room is reserved. `stalls` are those of the state on show; null while they aren't known.
  bool kept(const session::Session& session, const document::StallResult* stalls);

 private:
  std::uint64_t opened_ = 0;
  bool lookedUp_ = false, sampled_ = false;  ///< some state's samples were looked for; were there
};

/// Draws the stalls of the current state with their shares and their origin, those of the state compared with, what is
/// wrong with them, and a button that starts sampling if that is possible and useful. Draws nothing if none of this
/// applies.
void drawStallSummary(PanelContext& context);
/// Draws the stalls of the current state in one row, which always has the same height; a tooltip has the whole summary.
void drawStallRow(PanelContext& context);
/// Draws why nothing can be sampled here; nothing if it can, or while that isn't known.
void drawWhyNoSampling(PanelContext& context);

}  // namespace loom::panels
