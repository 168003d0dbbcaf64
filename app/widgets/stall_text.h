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

/// Returns the colour of a stall reason: that of the memory or the unit that warps wait for, that of warnings for
/// barriers and memory fences, that of success for samples of warps that could issue, and a neutral one for other
/// reasons.
notation::Tone toneOf(profile::StallReason reason);
/// Returns the reasons with the most samples, at most `most`, each with its letters and its share of all samples: "LS
/// long scoreboard 41 %, …"; "…" stands for further ones. Samples of warps that could issue aren't listed. Returns "–"
/// if there is no reason to list.
std::string stallsText(const profile::StallCount& stalls, std::size_t most);

// Stall samples say why warps couldn't issue an instruction; they belong to a state, the program after some schedule
// steps.

/// Returns the stall samples of the current state; null if they aren't known, or belong to other machine code.
std::shared_ptr<const document::StallResult> shownStalls(const PanelContext& context);
/// Returns the stall samples of the state compared with; null if there is no such state or another panel draws it
/// (PanelContext::beside), if the samples aren't known, or if they belong to other machine code.
std::shared_ptr<const document::StallResult> comparedStalls(const PanelContext& context);

/// Decides whether the view of CUDA code and machine code reserves room for the column of stall samples. It reserves
/// room before samples arrive, so that the code doesn't move when they do, wherever stalls can be sampled or it isn't
/// known yet whether they can, and in all states once one state of the program has samples.
class StallRoom {
 public:
  /// Returns whether room is reserved. `stalls` are the samples of the state that is shown; null: not known.
  bool kept(const session::Session& session, const document::StallResult* stalls);

 private:
  std::uint64_t opened_ = 0;                 ///< number of the open program (Session::opened) in the last call
  bool lookedUp_ = false, sampled_ = false;  ///< whether samples of some state were looked for; whether any were found
};

/// Draws the main stall reasons of the current state with their shares and the origin of the samples, those of the
/// state compared with, a remark if the samples can't be trusted, and a button that starts sampling if that is possible
/// and useful. Draws nothing if none of this applies.
void drawStallSummary(PanelContext& context);
/// Draws the stalls of the current state, or why they aren't known and a button that samples them, in one row, which
/// always has the same height; a tooltip has the whole text. If two states are compared, a line below has the stalls of
/// the other one.
void drawStallRow(PanelContext& context);
/// Draws why stalls can't be sampled on this machine; nothing if they can, or while that isn't known.
void drawWhyNoSampling(PanelContext& context);

}  // namespace loom::panels
