#include "app/widgets/state_hover.h"

#include <imgui.h>

#include "app/notation/origin_text.h"
#include "app/session/session.h"
#include "app/text/panels.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::panels;
using window::Tone;

void drawStateHover(const window::Look& look, const session::Session& session, int node) {
  const document::Node& state = session.navigation().history().node(node);
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  for (const document::Line& line : state.lines) ImGui::TextUnformatted(line.source.c_str());
  if (state.lines.empty()) ImGui::TextUnformatted(look.say(words::kStart));
  ImGui::PopFont();
  if (!state.note.empty()) ImGui::TextUnformatted(state.note.c_str());
  const document::KnownTime* timed = session.results().timed(node);
  std::string origin;
  if (timed != nullptr && timed->result) {
    origin =
        say(look, notation::ofOrigin(words::kKnownFrom, timed->result->origin), timed->device, timed->result->date);
    if (const gpu::Outcome* measured = timed->measured()) {
      origin = timeText(measured->timing.median) + ", " + origin;
    }
    if (session.results().areFromAnotherDevice()) {
      if (const std::string also = predictionText(look, session, node); !also.empty()) origin += "\n" + also;
    }
  } else {
    const bool noKernel = timed != nullptr && timed->problem && timed->problem->code == "NotAKernel";
    origin = predictionText(look, session, node);
    if (origin.empty()) origin = look.say(noKernel ? words::kNotKernel : words::kNotMeasured);
  }
  ImGui::TextColored(look.colour(Tone::kTextSecond), "%s", origin.c_str());
}

}  // namespace loom::panels
