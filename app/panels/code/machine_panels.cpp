#include "app/panels/code/machine_panels.h"

#include <fmt/format.h>
#include <imgui.h>

#include <map>

#include "app/panels/code/code_view.h"
#include "app/panels/code/hot_loop.h"
#include "app/panels/code/issue_columns.h"
#include "app/panels/code/machine_words.h"
#include "app/panels/code/stall_column.h"
#include "app/panels/code/view/code.h"
#include "app/panels/code/view/listing.h"
#include "app/panels/code/view/mnemonics.h"
#include "app/panels/compare/view/figures.h"
#include "app/panels/performance/words.h"
#include "app/session/latest.h"
#include "app/session/session.h"
#include "app/text/panels.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/no_kernel.h"
#include "app/widgets/preview_strip.h"
#include "app/widgets/stall_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {
namespace {

namespace words = text::machine_code;
using workbench::MachineText;
using workbench::ModelBasis;
using workbench::StateModel;

class MachineCodePanel : public Panel {
 public:
  explicit MachineCodePanel(CodeKind kind) : kind_(kind) {}

  void draw(PanelContext& context) override {
    if (!context.hasProgram()) {
      drawNoProgram(context);
      return;
    }
    workbench::Session& bench = *context.workbench;
    auto program = bench.programs().of(bench.navigation().current());
    if (!program) {
      drawEmpty(context, text::panels::kDeriving);
      return;
    }
    std::shared_ptr<const workbench::StateModel> model = drawPreview(context);  // keeps the text while it is drawn
    ghost_ = model != nullptr;
    const MachineText* shown = ghost_                     ? workbench::listingOf(*model)
                               : kind_ == CodeKind::kSass ? sass(context, model)
                                                          : ptx(context, *program);
    if (ghost_) program = bench.preview().step()->program;
    if (shown == nullptr) {
      from_ = nullptr;
      return;
    }
    const bool fresh = from_ != shown || program_ != program;
    const auto stalls = kind_ == CodeKind::kSass && !ghost_ ? bench.stalls().of(bench.navigation().current()) : nullptr;
    if (fresh || language_ != context.look.language || stalls_ != stalls) {
      from_ = shown;
      program_ = program;
      language_ = context.look.language;
      stalls_ = stalls;
      column_ = {};
      if (stalls && stalls->view) column_ = stallColumn(*shown, *stalls->view);
      take(context, *program, *shown);
    }
    const std::shared_ptr<const StateModel> otherModel = modelOfOther(context);
    compare(context, *shown, otherOf(context, otherModel));
    drawHead(context, *shown, otherOf(context, otherModel));
    if (kind_ == CodeKind::kSass && !ghost_) drawStallRow(context);
    if (model && shown->hotTrip && workbench::performanceOf(*model).mix)
      drawHotTrip(context, *shown->hotTrip, *workbench::performanceOf(*model).mix, tripOpen_);
    Code code{shown->lines, diff_, ids_, kind_, &shown->cudaLines, shown->hotFirst, shown->hotLast, &hover_};
    code.panel = kind_ == CodeKind::kSass ? "sass" : "ptx";
    code.unwrapped = context.unwrapped;
    code.compared = !context.beside && (ghost_ || comparesStates(bench));
    if (kind_ == CodeKind::kSass) code.margin = &shown->margin;
    if (kind_ == CodeKind::kSass && room_.kept(bench, stalls_.get())) code.stalls = &column_;
    view_.drawHeads(context.look, code);
    view_.draw(context.look, code, bench, fresh, 0);
  }

 private:
  // The preview's row, and its model where that has machine code, which is shown then; else says whose the text is.
  std::shared_ptr<const StateModel> drawPreview(PanelContext& context) const {
    workbench::Session& bench = *context.workbench;
    const workbench::PreviewedStep* preview = bench.preview().step();
    drawPreviewRow(context);
    if (preview == nullptr || !preview->program) return nullptr;
    if (kind_ == CodeKind::kSass && preview->model && preview->model->machine) return preview->model;
    drawSecond(context.look, say(context.look, words::kStillState, bench.navigation().node().number));
    return nullptr;
  }

  // The state that the marks are against; −1: none.
  int against(const workbench::Session& bench) const {
    if (ghost_) return bench.navigation().current();
    return bench.comparison().node() != bench.navigation().current() ? bench.comparison().node() : -1;
  }

  // What keeps the text of that state; null for PTX, where nothing is compared, or while it is made.
  std::shared_ptr<const StateModel> modelOfOther(PanelContext& context) const {
    workbench::Session& bench = *context.workbench;
    if (kind_ != CodeKind::kSass || against(bench) < 0) return nullptr;
    return bench.models().of(against(bench), ModelBasis::kMachineCode);
  }

  const MachineText* otherOf(PanelContext& context, const std::shared_ptr<const StateModel>& model) const {
    workbench::Session& bench = *context.workbench;
    if (against(bench) < 0) return nullptr;
    if (kind_ == CodeKind::kSass) return model ? workbench::listingOf(*model) : nullptr;
    const Result<workbench::PtxText>* text = bench.compilations().ptx(against(bench));
    return text && *text ? &workbench::listingOf(**text) : nullptr;
  }

  // Marks against the other text, made in the background: kernels have thousands of lines.
  void compare(PanelContext& context, const MachineText& text, const MachineText* other) {
    const int with = other ? against(*context.workbench) : -1;
    if (from_ != comparedFrom_ || with != comparedWith_) {
      comparedFrom_ = from_;
      comparedWith_ = with;
      diff_ = {};
      if (other) {
        nextDiff_.ask([before = other->lines, after = text.lines] { return workbench::diffMachine(before, after); },
                      context.workbench->options().wake);
      }
    }
    if (auto made = nextDiff_.take(); made && comparedWith_ >= 0) diff_ = std::move(*made);
  }

  static const MachineText* sass(PanelContext& context, std::shared_ptr<const workbench::StateModel>& model) {
    if (drawNoMachineCode(context, "sass")) return nullptr;
    model = context.workbench->models().of(context.workbench->navigation().current(), ModelBasis::kMachineCode);
    return workbench::listingOf(*model);
  }

  static const MachineText* ptx(PanelContext& context, const workbench::Program& program) {
    const window::Look& look = context.look;
    workbench::Session& bench = *context.workbench;
    const Result<workbench::PtxText>* text = bench.compilations().ptx(bench.navigation().current());
    if (text && *text) return &workbench::listingOf(**text);
    if (program.kernel.problem) {
      drawNoKernel(context, say(look, text::performance::kNoKernel, look.tell(program.kernel.problem->message)), "ptx");
    } else if (text) {
      drawSecond(look, say(look, words::kNoPtx, look.tell(text->error().message)));
    } else if (bench.compilations().problem()) {
      drawSecond(look, say(look, words::kNoPtx, look.tell(bench.compilations().problem()->message)));
    } else {
      drawEmpty(context, words::kAsking);
    }
    return nullptr;
  }

  // The steps that made what an instruction belongs to: "k_0_0: split, step 5".
  static std::string madeBy(const workbench::Session& bench, const workbench::Program& program,
                            const std::vector<ir::Id>& ids) {
    std::string all;
    for (const ir::Id id : ids) {
      const int row = workbench::nestOf(program).find(id);
      const std::string by = row < 0 ? "" : bench.navigation().history().describe(bench.navigation().current(), id);
      if (!by.empty()) all += fmt::format("\n{}: {}", workbench::nestOf(program).rows[std::size_t(row)].name, by);
    }
    return all;
  }

  void take(const PanelContext& context, const workbench::Program& program, const MachineText& text) {
    const window::Look& look = context.look;
    std::map<int, std::string> steps;  // by line of the CUDA text
    ids_.clear();
    hover_.clear();
    for (std::size_t i = 0; i < text.lines.size(); ++i) {
      const int line = text.cudaLines[i];
      ids_.push_back(workbench::idsOfCudaLine(program.kernel, line));
      std::string tip =
          text::explain(kind_ == CodeKind::kSass ? text::MachineDialect::kSass : text::MachineDialect::kPtx,
                        text.lines[i], look.language);
      if (line > 0 && line <= int(workbench::textsOf(program).cuda.size())) {
        const std::string& source = workbench::textsOf(program).cuda[std::size_t(line - 1)];
        if (!tip.empty()) tip += "\n";
        tip += fmt::format("{}: {}", line, source.substr(std::min(source.find_first_not_of(' '), source.size())));
        const auto [made, first] = steps.try_emplace(line);
        if (first) made->second = madeBy(*context.workbench, program, ids_.back());
        tip += made->second;
        if (!text.inlined[i].empty()) tip += "\n" + say(look, words::kCalls, text.inlined[i]);
        if (i < text.executions.size() && text.executions[i] >= 0)
          tip += "\n" + say(look, words::kCounted, grouped(text.executions[i]));
      }
      if (const std::string waits = stallTip(look, column_, i); !waits.empty())
        tip += (tip.empty() ? "" : "\n") + waits;
      if (const std::string beside = marginTip(look, text.margin, text.lines, i); !beside.empty())
        tip += (tip.empty() ? "" : "\n") + beside;
      hover_.push_back(std::move(tip));
    }
  }

  // `node` −1: the preview, of whose compilation nothing else is kept.
  static std::string headOf(PanelContext& context, int node, const MachineText& text) {
    const window::Look& look = context.look;
    workbench::Session& bench = *context.workbench;
    std::string head;
    int allocated = 0;
    if (const auto* binary = bench.compilations().of(node); binary && *binary && !(*binary)->kernels.empty()) {
      const compile::KernelResources& r = (*binary)->kernels.front();
      allocated = r.registers;
      head = say(look, words::kResources, r.registers) + " · " +
             (r.spillStores + r.spillLoads > 0 ? say(look, words::kSpills, r.spillStores, r.spillLoads)
                                               : std::string(look.say(words::kNoSpills))) +
             " · ";
    }
    if (text.margin.peak > 0 && allocated > 0) head += say(look, words::kPeakLive, text.margin.peak, allocated) + " · ";
    head += say(look, words::kInstructions, text.instructions);
    if (text.hotFirst >= 0 && (node < 0 || node == bench.navigation().current()))
      head += " · " + say(look, words::kHotLoop, text.hotFirst + 1, text.hotLast + 1, text.hotInstructions);
    return head;
  }

  void drawHead(PanelContext& context, const MachineText& text, const MachineText* other) const {
    const window::Look& look = context.look;
    workbench::Session& bench = *context.workbench;
    drawSecond(look, headOf(context, ghost_ ? -1 : bench.navigation().current(), text));
    ImGui::SetItemTooltip("%s", look.say(words::kColumns));
    if (kind_ == CodeKind::kSass) drawMissing(look, text.margin);
    if (other == nullptr || context.beside) return;
    std::string head = headOf(context, against(bench), *other);
    if (!diff_.marks.empty()) {
      head += " · " + (diff_.same() ? std::string(look.say(words::kSameInstructions))
                                    : say(look, text::panels::kChanged, diff_.added, diff_.changed, diff_.removed));
    }
    drawComparedValue(context, head, against(bench));
    ImGui::SetItemTooltip("%s", look.say(words::kComparedBy));
  }

  // Why a column isn't there.
  static void drawMissing(const window::Look& look, const workbench::IssueColumns& margin) {
    if (margin.noControl) drawSecond(look, say(look, words::kNoControl, look.tell(margin.noControl->message)));
    if (margin.noAlive) drawSecond(look, say(look, words::kNoAlive, look.tell(margin.noAlive->message)));
  }

  CodeKind kind_;
  CodeView view_;
  bool tripOpen_ = false;
  bool ghost_ = false;  ///< what is shown is a preview's
  const MachineText* from_ = nullptr;
  std::shared_ptr<const workbench::Program> program_;
  text::Language language_ = text::Language::kEnglish;
  std::shared_ptr<const document::StallResult> stalls_;
  StallColumn column_;  ///< beside SASS; empty until its stalls are known
  StallRoom room_;
  const MachineText* comparedFrom_ = nullptr;
  int comparedWith_ = -1;
  script::LineDiff diff_;  // against the state compared with
  workbench::Latest<script::LineDiff> nextDiff_;
  std::vector<std::vector<ir::Id>> ids_;
  std::vector<std::string> hover_;
};

}  // namespace

std::unique_ptr<Panel> makePtx() { return std::make_unique<MachineCodePanel>(CodeKind::kPtx); }
std::unique_ptr<Panel> makeSass() { return std::make_unique<MachineCodePanel>(CodeKind::kSass); }

}  // namespace loom::panels
