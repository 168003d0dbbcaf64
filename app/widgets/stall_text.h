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

/// The samples of the current state, and of the one that it is compared with; null: not known, or of other machine
/// code.
std::shared_ptr<const document::StallResult> shownStalls(const PanelContext& context);
std::shared_ptr<const document::StallResult> comparedStalls(const PanelContext& context);

/// Whether the column of samples has its place beside code. It has before they come, so that nothing moves when they
/// do; and in every state once one of the program had some.
class StallRoom {
 public:
  /// `stalls`: of the state on show; null: not known yet.
  bool kept(const session::Session& session, const document::StallResult* stalls);

 private:
  std::uint64_t opened_ = 0;
  bool lookedUp_ = false, sampled_ = false;  ///< some state's samples were looked for; were there
};

/// The current state's stalls with their shares and their origin, and those of the state compared with; what is wrong;
/// a button that samples where that can be and is needed. Nothing where there is none of it.
void drawStallSummary(PanelContext& context);
/// The same of the current state in one row that is always there, as high whatever is known; the hover says all of it.
void drawStallRow(PanelContext& context);
/// Why nothing can be sampled here; nothing where it can, or isn't known yet.
void drawWhyNoSampling(PanelContext& context);

}  // namespace loom::panels
