#include "app/widgets/no_kernel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/panels/performance/words.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/widgets/make_fast_offer.h"
#include "app/widgets/no_kernel_words.h"
#include "app/widgets/state_finder.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::no_kernel;
using window::Look;

namespace {

// The next kernel on the way; −1: none, or it isn't known yet.
int kernelAfter(const session::Session& session) {
  const std::vector<int>& way = session.navigation().path();
  auto at = std::find(way.begin(), way.end(), session.navigation().current());
  while (at != way.end() && ++at != way.end()) {
    if (!session.programs().of(*at)) return -1;  // asked for now
    if (isKernel(session, *at)) return *at;
  }
  return -1;
}

// "compute_at, split × 4, tensorize × 2": what is applied after `from` up to `to`, in the order in which it first
// comes.
std::string primitivesBetween(const document::History& history, int from, int to) {
  std::vector<std::pair<std::string, int>> counts;
  for (int node : history.path(to)) {
    const document::Line* step = node > from ? history.node(node).step() : nullptr;
    if (step == nullptr) continue;
    const std::string call = abbreviatedStep(step->source), name = call.substr(0, call.find('('));
    const auto known = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == name; });
    if (known == counts.end()) {
      counts.emplace_back(name, 1);
    } else {
      ++known->second;
    }
  }
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : ", ") + (count > 1 ? fmt::format("{} × {}", name, count) : name);
  return text;
}

// A button that goes to a state, named by it.
void drawWay(PanelContext& context, const text::Text& word, const char* id, int node) {
  const Look& look = context.look;
  drawSecond(look, look.say(word));
  const std::string name = stateLabel(look, context.session->navigation().history(), node);
  const float room = ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().FramePadding.x - 2;
  const std::string shown = ellipsized(name, room);
  if (window::smallButton(window::windowName(shown.c_str(), id).c_str())) context.session->navigation().select(node);
  if (shown != name) setItemTip(look, name);
}

}  // namespace

void drawNoKernel(PanelContext& context, const std::string& sentence, const text::PanelHelp& help) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  drawSecond(look, sentence);
  if (session.preview().step() != nullptr) return;
  drawMakeFast(context);
  const auto gap = [&] { ImGui::Dummy({0, look.px(6)}); };
  if (const int next = kernelAfter(session); next >= 0) {
    gap();
    drawWay(context, words::kNext, "nextkernel", next);
    drawSecond(look, say(look, words::kBetween,
                         primitivesBetween(session.navigation().history(), session.navigation().current(), next)));
  }
  if (const int before = kernelBefore(session, session.navigation().current()); before >= 0) {
    gap();
    drawWay(context, words::kBefore, "lastkernel", before);
  }
  gap();
  drawSecond(look, look.say(words::kWillShow));
  drawRichText(look, look.say(help.shown));
}

bool drawUnlessKernel(PanelContext& context, const session::Program& program, const text::PanelHelp& help) {
  if (!program.kernel.problem) return false;
  const std::string why = context.look.tell(program.kernel.problem->message);
  drawNoKernel(context, say(context.look, text::performance::kNoKernel, why), help);
  return true;
}

bool drawNoMachineCode(PanelContext& context, const text::PanelHelp& help) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  const int node = session.navigation().current();
  const auto program = session.programs().of(node);
  const auto model = session.models().of(node, session::ModelBasis::kMachineCode);
  if (model && model->machine) return false;
  if (program && drawUnlessKernel(context, *program, help)) return true;
  const Result<compile::Binary>* binary = session.compilations().of(node);
  if (binary && !*binary) {
    drawSecond(look, say(look, text::performance::kNoSass, look.tell(binary->error().message)));
  } else if (!binary && session.compilations().problem()) {
    drawSecond(look, say(look, text::performance::kNoSass, look.tell(session.compilations().problem()->message)));
  } else if (!binary) {
    drawSecond(look, look.say(text::performance::kWaitingForCode));
  } else if (model && model->sassProblem) {
    drawSecond(look, say(look, text::performance::kNoSass, look.tell(model->sassProblem->message)));
    if (model->sassProblem->code == "NoNvdisasm") drawSecond(look, look.say(text::performance::kHowDisassembler));
  } else {
    drawSecond(look, look.say(text::performance::kDisassembling));
  }
  return true;
}

}  // namespace loom::panels
