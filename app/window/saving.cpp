// What the window itself writes: reports, tables and pictures of panels.
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/panels/panel.h"
#include "app/report/report.h"
#include "app/window/panel_capture.h"
#include "app/window/shell.h"
#include "app/window/words.h"

namespace loom::window {

namespace words = text::window;

namespace {

constexpr float kWidest = 4000;  // design px: of a panel's picture, whatever its longest line

}  // namespace

void Workbench::take(const FileDialogs::Wish& wish) {
  const std::filesystem::path file = std::filesystem::absolute(wish.file);
  if (wish.kind == FileDialogs::Kind::kPicture) {
    if (wish.what.empty()) {
      askForPicture(file);
      return;
    }
    panelWanted_ = wish.what;
    panelFile_ = file;
    panelFrames_ = 3;
    front_ = wish.what;
    pace_.touch();
    return;
  }
  if (model_->documents().target() == nullptr) return;
  if (wish.what == FileDialogs::kSweptSizes) {
    if (const tune::Sweep* sweep = model_->sweep().result())
      writer_.write(file,
                    [sweep = *sweep, history = model_->navigation().history()] { return report::csv(sweep, history); });
    return;
  }
  // In a thread with a bench of its own: what is known is looked up, nothing is measured.
  const auto target = std::make_shared<const document::Target>(*model_->documents().target());
  const bool whole = wish.what == FileDialogs::kLessonReport;
  const int node = whole ? report::kWholeLesson : model_->navigation().current();
  document::BenchOptions options = model_->options().bench;
  options.assets = model_->options().assets;
  options.workerCommand.clear();
  reports_.start(file,
                 [target, node, options, csv = wish.what == "csv",
                  language = look_.language](const ReportJobs::Progress& progress) -> std::optional<std::string> {
                   try {
                     document::Bench bench(options);
                     const report::Report made = report::collect(*target, node, bench, language, progress);
                     return csv ? report::csv(made) : report::html(made);
                   } catch (const report::Stopped&) {
                     return std::nullopt;
                   }
                 });
}

bool Workbench::panelIsReady() {
  if (panelWanted_.empty()) return false;
  pace_.touch();
  // The question has dimmed the window, which passes in some frames.
  const bool asked = ImGui::GetTopMostPopupModal() != nullptr || ImGui::GetCurrentContext()->DimBgRatio > 0;
  return !asked && --panelFrames_ <= 0;
}

void Workbench::beginPortrait() {
  const std::string panel = std::exchange(panelWanted_, {});
  const auto rect = panelRect(windowOf(panel));
  if (!rect) {
    message_ = [this] { return std::string(look_.say(words::kPanelHidden)); };
    messageIsError_ = true;
    return;
  }
  const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
  const auto side = float(Host::longestSide());
  portrait_.begin(panel, {rect->to.x - rect->from.x, rect->to.y - rect->from.y},
                  {std::min(look_.px(kWidest), side / pixels.x), side / pixels.y});
}

void Workbench::drawPortrait(panels::PanelContext& context) {
  const auto open =
      std::find_if(panels_.begin(), panels_.end(), [&](const OpenPanel& p) { return p.entry.id == portrait_.panel(); });
  if (open == panels_.end()) return;
  portrait_.open(look_.say(open->entry.title));
  drawContents(*open, context);
  portrait_.close();
}

void Workbench::savePortrait() {
  const std::string window = portrait_.window();
  portrait_.end();
  if (panelFile_.extension() == ".svg") {
    writer_.write(panelFile_, panelSvg(window, look_));
  } else {
    ImDrawData data = drawDataOf(window);
    writer_.write(panelFile_,
                  [picture = host_.drawApart(data, rgb(Tone::kPanel, look_.theme))] { return encodePng(picture); });
  }
  cutPicture_ = portrait_.isCut() ? panelFile_ : std::filesystem::path();
}

}  // namespace loom::window
