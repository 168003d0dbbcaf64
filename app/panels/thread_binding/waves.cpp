#include "app/panels/thread_binding/waves.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/notation/quantity_text.h"
#include "app/panels/performance/view/performance.h"
#include "app/panels/performance/words.h"
#include "app/panels/thread_binding/words.h"
#include "app/session/session.h"
#include "app/ui/choice.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/widgets/occupancy_text.h"

namespace loom::panels {

namespace words = text::binding;

namespace {

std::vector<std::string> wavesText(const window::Look& look, const session::BlockWaves& waves) {
  std::vector<std::string> lines;
  auto percent = [&](std::int64_t blocks) {
    const int whole = int(100 * double(blocks) / double(waves.slots) + 0.5);
    return whole == 0 && blocks > 0 ? "<1" : std::to_string(whole);
  };
  const std::string limit = limitersText(look, waves.occupancy);
  if (waves.count() == 1) {
    lines.push_back(say(look, words::kOneWave, waves.blocks, waves.multiprocessors, waves.perMultiprocessor, limit,
                        waves.slots, percent(waves.blocks)));
  } else {
    lines.push_back(say(look, words::kManyWaves, waves.blocks, waves.multiprocessors, waves.perMultiprocessor, limit,
                        waves.slots, fmt::format("{:.2f}", double(waves.blocks) / double(waves.slots)),
                        percent(waves.last())));
  }
  if (waves.takesTurns()) {
    const std::int64_t last = waves.turns.back();
    lines.push_back(say(look, words::kTurns, waves.turns.size(), last, waves.blocks,
                        int(100 * double(last) / double(waves.blocks) + 0.5)));
  }
  const model::ActiveClusters& c = waves.clusters;
  if (c.size > 1) {
    lines.front() = say(look, words::kWavesOfClusters, waves.blocks, c.size, c.clusters, waves.slots, c.places(),
                        waves.count(), percent(waves.last()));
    if (const std::int64_t without = c.wavesWithout(waves.blocks); without < waves.count())
      lines.front() += " " + say(look, words::kWavesWithout, without);
  }
  if (waves.unknown) {
    lines.push_back(say(look, words::kWavesUnknown, notation::withGroups(look.tell(waves.unknown->message))));
  } else if (!waves.reads.empty()) {
    std::string buffers;
    double asked = 0;
    for (const session::WaveRead& read : waves.reads) {
      asked += read.asked;
      buffers += fmt::format("{}{} {}", buffers.empty() ? "" : look.say(text::performance::kListed), read.buffer,
                             notation::bytesText(read.distinct));
    }
    if (waves.l2) {
      lines.push_back(say(look, waves.takesTurns() ? words::kTurnsRead : words::kWaveReads, notation::bytesText(asked),
                          notation::bytesText(waves.distinct), buffers, notation::bytesText(*waves.l2),
                          look.say(waves.distinct <= *waves.l2 ? words::kYes : words::kNo)));
    }
  }
  return lines;
}

}  // namespace

void BlockWavesPart::follow(PanelContext& context, const std::shared_ptr<const session::ThreadBinding>& binding,
                            bool current) {
  session::Session& session = *context.session;
  auto forget = [&] {
    waves_.reset();
    next_.drop();
  };
  if (of_ != binding) {  // also before the new kernel's model is made: its grid is another one
    forget();
    of_ = binding;
    model_ = nullptr;
  }
  if (auto made = next_.take()) waves_ = std::move(*made);
  const auto device = session.modelDevice().figures();
  const auto model = current ? session.preview().shownModel(session::ModelBasis::kSource) : nullptr;
  if (!device || !model || model_ == model) return;
  model_ = model;
  if (!*device || !session::performanceOf(*model).occupancy) return forget();
  next_.ask([binding, model,
             device] { return session::blockWaves(*binding, *session::performanceOf(*model).occupancy, **device); },
            session.options().wake);
}

void BlockWavesPart::drawSwitch(const PanelContext& context) {
  if (known() == nullptr) return;
  const window::Look& look = context.look;
  bool painted = this->painted() != nullptr;
  if (window::checkbox(look, fmt::format("{}###waves", look.say(words::kWaves)).c_str(), &painted)) byWave_ = painted;
  setItemTip(look, look.say(words::kWavesHint));
}

void BlockWavesPart::drawStrip(const PanelContext& context, float width) const {
  const window::Look& look = context.look;
  const float height = look.px(7), gap = look.px(2);
  const session::BlockWaves* waves = known();
  drawSecond(look, waves == nullptr ? std::string(" ")
                                    : say(look,
                                          waves->takesTurns()  ? words::kSmsWithTurns
                                          : waves->count() > 1 ? words::kSmsWithWaves
                                                               : words::kSmsWith,
                                          std::min(waves->blocks, waves->multiprocessors), waves->multiprocessors));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, 2 * height + gap});
  if (waves == nullptr) return;
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetMousePos();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float cell = width / float(waves->multiprocessors);
  const float thin = cell > look.px(3) ? look.px(1) : 0;
  for (int row = 0; row < 2; ++row) {
    const bool last = row == 1;
    if (last && waves->count() == 1 && !waves->takesTurns()) continue;
    const float top = from.y + float(row) * (height + gap);
    for (std::int64_t sm = 0; sm < waves->multiprocessors; ++sm) {
      const std::int64_t blocks = waves->onMultiprocessor(sm, last);
      const float left = from.x + float(sm) * cell, right = left + std::max(1.0F, cell - thin);
      // One of many places is still seen.
      const float filled = std::max(look.px(2), height * float(blocks) / float(waves->perMultiprocessor));
      draw->AddRectFilled({left, top}, {right, top + height}, look.paint(window::Tone::kHovered));
      if (blocks > 0)
        draw->AddRectFilled({left, top + height - filled}, {right, top + height}, look.paint(window::Tone::kBlock));
      if (hovered && mouse.x >= left && mouse.x < left + cell && mouse.y >= top && mouse.y < top + height)
        showTip(look, say(look,
                          !last                 ? words::kSmOfFirst
                          : waves->takesTurns() ? words::kSmOfLastTurn
                                                : words::kSmOfLast,
                          sm, blocks, waves->perMultiprocessor));
    }
  }
}

void BlockWavesPart::drawWords(const PanelContext& context) const {
  const window::Look& look = context.look;
  if (const session::BlockWaves* waves = known()) {
    for (const std::string& line : wavesText(look, *waves)) {
      drawSecond(look, line);
      setItemTip(look, look.say(words::kHowWaves));
    }
    if (!session::performanceOf(*model_).registersKnown) drawSecond(look, look.say(words::kWavesAtMost));
  } else if (waves_) {
    drawSecond(look, say(look, words::kNoWaves, look.tell(waves_->error().message)));
  }
}

}  // namespace loom::panels
