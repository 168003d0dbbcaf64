#include "app/panels/block_waves.h"

#include <fmt/format.h>
#include <imgui.h>

#include <string>
#include <vector>

#include "app/notation/quantity_text.h"
#include "app/panels/panel_text.h"
#include "app/text/binding.h"
#include "app/window/choice.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

namespace words = text::binding;

namespace {

std::vector<std::string> wavesText(const window::Look& look, const workbench::BlockWaves& waves) {
  std::vector<std::string> lines;
  auto percent = [&](std::int64_t blocks) { return int(100 * double(blocks) / double(waves.slots) + 0.5); };
  if (waves.count() == 1) {
    lines.push_back(say(look, words::kOneWave, notation::grouped(double(waves.blocks)), waves.multiprocessors,
                        waves.perMultiprocessor, notation::grouped(double(waves.slots)), percent(waves.blocks)));
  } else {
    lines.push_back(say(look, words::kManyWaves, notation::grouped(double(waves.blocks)), waves.multiprocessors,
                        waves.perMultiprocessor, notation::grouped(double(waves.slots)),
                        fmt::format("{:.2f}", double(waves.blocks) / double(waves.slots)), percent(waves.last())));
  }
  if (waves.unknown) {
    lines.push_back(say(look, words::kWavesUnknown, look.tell(waves.unknown->message)));
  } else if (!waves.reads.empty()) {
    std::string buffers;
    double asked = 0;
    for (const workbench::WaveRead& read : waves.reads) {
      asked += read.asked;
      buffers += fmt::format("{}{} {}", buffers.empty() ? "" : ", ", read.buffer, notation::bytesText(read.distinct));
    }
    if (waves.l2) {
      lines.push_back(say(look, words::kWaveReads, notation::bytesText(asked), notation::bytesText(waves.distinct),
                          buffers, notation::bytesText(*waves.l2),
                          look.say(waves.distinct <= *waves.l2 ? words::kYes : words::kNo)));
    }
  }
  return lines;
}

}  // namespace

void BlockWavesPart::follow(PanelContext& context, const std::shared_ptr<const workbench::ThreadBinding>& binding,
                            bool current) {
  workbench::Workbench& bench = *context.workbench;
  if (auto made = next_.take()) waves_ = std::move(*made);
  const auto device = bench.modelDevice();
  const auto model = current ? bench.shownModel(workbench::ModelDepth::kWritten) : nullptr;
  if (!device || !model || (of_ == binding && model_ == model)) return;
  if (of_ != binding) waves_.reset();
  of_ = binding;
  model_ = model;
  if (!*device || !model->performance.occupancy) {
    waves_.reset();
    return;
  }
  next_.ask(
      [binding, model, device] { return workbench::blockWaves(*binding, *model->performance.occupancy, **device); },
      bench.options().wake);
}

void BlockWavesPart::drawSwitch(const PanelContext& context) {
  if (known() == nullptr) return;
  const window::Look& look = context.look;
  window::checkbox(look, fmt::format("{}###waves", look.say(words::kWaves)).c_str(), &byWave_);
  ImGui::SetItemTooltip("%s", look.say(words::kWavesHint));
}

void BlockWavesPart::drawWords(const PanelContext& context) const {
  const window::Look& look = context.look;
  if (const workbench::BlockWaves* waves = known()) {
    for (const std::string& line : wavesText(look, *waves)) drawSecond(look, line);
    if (!model_->performance.registersKnown) drawSecond(look, look.say(words::kWavesAtMost));
  } else if (waves_) {
    drawSecond(look, say(look, words::kNoWaves, look.tell(waves_->error().message)));
  }
}

}  // namespace loom::panels
