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
#include "app/panels/performance/view/performance.h"
#include "app/session/background_value.h"
#include "app/session/session.h"
#include "app/text/panels.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/no_kernel.h"
#include "app/widgets/pipe_names.h"
#include "app/widgets/preview_strip.h"
#include "app/widgets/stall_text.h"
#include "app/widgets/state_text.h"
#include "core/model/product_rate.h"
#include "core/sass/warpgroup_product.h"

namespace loom::panels {
namespace {

namespace words = text::machine_code;
using session::MachineText;
using session::ModelBasis;
using session::StateModel;

class MachineCodePanel : public Panel {
 public:
  explicit MachineCodePanel(CodeKind kind) : kind_(kind) {}

  void draw(PanelContext& context) override {
    if (!context.hasProgram()) {
      drawNoProgram(context);
      return;
    }
    session::Session& session = *context.session;
    auto program = session.programs().of(session.navigation().current());
    if (!program) {
      drawEmpty(context, text::panels::kDeriving);
      return;
    }
    std::shared_ptr<const session::StateModel> model = drawPreview(context);  // keeps the text while it is drawn
    ghost_ = model != nullptr;
    const MachineText* shown = ghost_                     ? session::listingOf(*model)
                               : kind_ == CodeKind::kSass ? sass(context, model)
                                                          : ptx(context, *program);
    if (ghost_) program = session.preview().step()->program;
    if (shown == nullptr) {
      from_ = nullptr;
      return;
    }
    const bool fresh = from_ != shown || program_ != program;
    const auto stalls =
        kind_ == CodeKind::kSass && !ghost_ ? session.stalls().of(session.navigation().current()) : nullptr;
    if (fresh || language_ != context.look.language || stalls_ != stalls) {
      from_ = shown;
      program_ = program;
      language_ = context.look.language;
      stalls_ = stalls;
      column_ = {};
      if (stalls && stalls->view) column_ = stallColumn(*shown, *stalls->view);
      take(context, *program, *shown, model && kind_ == CodeKind::kSass ? model->machine.get() : nullptr);
    }
    const std::shared_ptr<const StateModel> otherModel = modelOfOther(context);
    compare(context, *shown, otherOf(context, otherModel));
    drawHead(context, *shown, otherOf(context, otherModel));
    if (kind_ == CodeKind::kSass && !ghost_) drawStallRow(context);
    if (model && shown->hotIteration && session::performanceOf(*model).mix)
      drawHotLoopIteration(context, *shown->hotIteration, *session::performanceOf(*model).mix, *program, tripOpen_);
    Code code{shown->lines, diff_, ids_, kind_, &shown->cudaLines, shown->hotFirst, shown->hotLast, &hover_};
    code.panel = kind_ == CodeKind::kSass ? "sass" : "ptx";
    code.unwrapped = context.unwrapped;
    code.compared = !context.beside && (ghost_ || comparesStates(session));
    if (kind_ == CodeKind::kSass) code.margin = &shown->margin;
    if (kind_ == CodeKind::kSass && room_.kept(session, stalls_.get())) code.stalls = &column_;
    view_.drawHeads(context.look, code);
    view_.draw(context.look, code, session, fresh, 0);
  }

 private:
  // The preview's row, and its model where that has machine code, which is shown then; else says whose the text is.
  std::shared_ptr<const StateModel> drawPreview(PanelContext& context) const {
    session::Session& session = *context.session;
    const session::PreviewedStep* preview = session.preview().step();
    drawPreviewRow(context);
    if (preview == nullptr || !preview->program) return nullptr;
    if (kind_ == CodeKind::kSass && preview->model && preview->model->machine) return preview->model;
    drawSecond(context.look, say(context.look, words::kStillState, session.navigation().node().number));
    return nullptr;
  }

  // The state that the marks are against; −1: none.
  int against(const session::Session& session) const {
    if (ghost_) return session.navigation().current();
    return session.comparison().node() != session.navigation().current() ? session.comparison().node() : -1;
  }

  // What keeps the text of that state; null for PTX, where nothing is compared, or while it is made.
  std::shared_ptr<const StateModel> modelOfOther(PanelContext& context) const {
    session::Session& session = *context.session;
    if (kind_ != CodeKind::kSass || against(session) < 0) return nullptr;
    return session.models().of(against(session), ModelBasis::kMachineCode);
  }

  const MachineText* otherOf(PanelContext& context, const std::shared_ptr<const StateModel>& model) const {
    session::Session& session = *context.session;
    if (against(session) < 0) return nullptr;
    if (kind_ == CodeKind::kSass) return model ? session::listingOf(*model) : nullptr;
    const Result<session::PtxText>* text = session.compilations().ptx(against(session));
    return text && *text ? &session::listingOf(**text) : nullptr;
  }

  // Marks against the other text, made in the background: kernels have thousands of lines.
  void compare(PanelContext& context, const MachineText& text, const MachineText* other) {
    const int with = other ? against(*context.session) : -1;
    if (from_ != comparedFrom_ || with != comparedWith_) {
      comparedFrom_ = from_;
      comparedWith_ = with;
      diff_ = {};
      if (other) {
        nextDiff_.ask([before = other->lines, after = text.lines] { return session::diffMachine(before, after); },
                      context.session->options().wake);
      }
    }
    if (auto made = nextDiff_.take(); made && comparedWith_ >= 0) diff_ = std::move(*made);
  }

  static const MachineText* sass(PanelContext& context, std::shared_ptr<const session::StateModel>& model) {
    if (drawNoMachineCode(context, text::machine_code::kSassHelp)) return nullptr;
    model = context.session->models().of(context.session->navigation().current(), ModelBasis::kMachineCode);
    return session::listingOf(*model);
  }

  static const MachineText* ptx(PanelContext& context, const session::Program& program) {
    const window::Look& look = context.look;
    session::Session& session = *context.session;
    const Result<session::PtxText>* text = session.compilations().ptx(session.navigation().current());
    if (text && *text) return &session::listingOf(**text);
    if (drawUnlessKernel(context, program, text::machine_code::kPtxHelp)) return nullptr;
    if (text) {
      drawSecond(look, say(look, words::kNoPtx, look.tell(text->error().message)));
    } else if (session.compilations().problem()) {
      drawSecond(look, say(look, words::kNoPtx, look.tell(session.compilations().problem()->message)));
    } else {
      drawEmpty(context, words::kAsking);
    }
    return nullptr;
  }

  // The steps that made what an instruction belongs to: "k_0_0: split, step 5".
  static std::string madeBy(const window::Look& look, const session::Session& session, const session::Program& program,
                            const std::vector<ir::Id>& ids) {
    std::string all;
    for (const ir::Id id : ids) {
      const int row = session::nestOf(program).find(id);
      const std::string by = row < 0 ? "" : session.navigation().history().describe(session.navigation().current(), id);
      if (!by.empty()) all += "\n" + named(look, session::nestOf(program).rows[std::size_t(row)].name, by);
    }
    return all;
  }

  // What an instruction is executed by, each in a line of its own.
  static std::string executedBy(const window::Look& look, const sass::Instruction& instruction) {
    std::string all = "\n" + say(look, words::kOnPipe, look.say(wordOf(instruction.pipe)));
    if (const auto product = sass::warpgroupProductOf(instruction)) {
      const double clocks = model::warpgroupClocks(instruction);
      if (clocks > 0) all += "\n" + say(look, words::kWarpgroupClocks, product->n, product->k, clocks);
    }
    const auto known = sass::opcodeOf(instruction.opcode);
    if (known && known->does == sass::Operation::Granted) all += std::string("\n") + look.say(words::kCountedOnce);
    return all;
  }

  // `machine`: what SASS is the text of; null for PTX.
  void take(const PanelContext& context, const session::Program& program, const MachineText& text,
            const sass::Kernel* machine) {
    const window::Look& look = context.look;
    std::map<int, std::string> steps;  // by line of the CUDA text
    ids_.clear();
    hover_.clear();
    for (std::size_t i = 0; i < text.lines.size(); ++i) {
      const int line = text.cudaLines[i];
      ids_.push_back(session::idsOfCudaLine(program.kernel, line));
      std::string tip =
          text::explain(kind_ == CodeKind::kSass ? text::MachineDialect::kSass : text::MachineDialect::kPtx,
                        text.lines[i], look.language);
      if (machine && i < text.instructionOf.size() && text.instructionOf[i] >= 0)
        tip += executedBy(look, machine->instructions[std::size_t(text.instructionOf[i])]);
      if (line > 0 && line <= int(session::textsOf(program).cuda.size())) {
        const std::string& source = session::textsOf(program).cuda[std::size_t(line - 1)];
        if (!tip.empty()) tip += "\n";
        tip += fmt::format("{}: {}", line, source.substr(std::min(source.find_first_not_of(' '), source.size())));
        const auto [made, first] = steps.try_emplace(line);
        if (first) made->second = madeBy(context.look, *context.session, program, ids_.back());
        tip += made->second;
        if (!text.inlined[i].empty()) tip += "\n" + say(look, words::kCalls, text.inlined[i]);
        if (i < text.executions.size() && text.executions[i] >= 0)
          tip += "\n" + say(look, words::kCounted, numberText(text.executions[i]));
      }
      if (const std::string waits = stallTip(look, column_, i); !waits.empty())
        tip += (tip.empty() ? "" : "\n") + waits;
      if (const std::string beside = issueTip(look, text.margin, text.lines, i); !beside.empty())
        tip += (tip.empty() ? "" : "\n") + beside;
      hover_.push_back(std::move(tip));
    }
  }

  // `node` −1: the preview, of whose compilation nothing else is kept.
  static std::string headOf(PanelContext& context, int node, const MachineText& text) {
    const window::Look& look = context.look;
    session::Session& session = *context.session;
    std::string head;
    int allocated = 0;
    if (const auto* binary = session.compilations().of(node); binary && *binary && !(*binary)->kernels.empty()) {
      const compile::KernelResources& r = (*binary)->kernels.front();
      allocated = r.registers;
      head = say(look, words::kResources, r.registers) + " · " +
             (r.spillStores + r.spillLoads > 0 ? say(look, words::kSpills, r.spillStores, r.spillLoads)
                                               : std::string(look.say(words::kNoSpills))) +
             " · ";
    }
    if (text.margin.peak > 0 && allocated > 0) head += say(look, words::kPeakLive, text.margin.peak, allocated) + " · ";
    for (const sass::RegisterAllotment& a : text.margin.allotments)
      head += say(look, words::kPeakAllotted, a.registers, a.peak) + " · ";
    head += say(look, words::kInstructions, text.instructions);
    if (text.hotFirst >= 0 && (node < 0 || node == session.navigation().current()))
      head += " · " + say(look, words::kHotLoop, text.hotFirst + 1, text.hotLast + 1, text.hotInstructions);
    return head;
  }

  void drawHead(PanelContext& context, const MachineText& text, const MachineText* other) const {
    const window::Look& look = context.look;
    session::Session& session = *context.session;
    drawPreface(look, headOf(context, ghost_ ? -1 : session.navigation().current(), text), look.say(words::kColumns));
    if (kind_ == CodeKind::kSass) drawMissing(look, text.margin);
    if (other == nullptr || context.beside) return;
    std::string head = headOf(context, against(session), *other);
    if (!diff_.marks.empty()) {
      head += " · " + (diff_.same() ? std::string(look.say(words::kSameInstructions))
                                    : say(look, text::panels::kChanged, diff_.added, diff_.changed, diff_.removed));
    }
    drawComparedValue(context, head, against(session));
    setItemTip(look, look.say(words::kComparedBy));
  }

  // Why a column isn't there.
  static void drawMissing(const window::Look& look, const session::IssueColumns& margin) {
    if (margin.noControl) drawSecond(look, say(look, words::kNoControl, look.tell(margin.noControl->message)));
    if (margin.noAlive) drawSecond(look, say(look, words::kNoAlive, look.tell(margin.noAlive->message)));
  }

  CodeKind kind_;
  CodeView view_;
  bool tripOpen_ = false;
  bool ghost_ = false;  ///< what is shown is a preview's
  const MachineText* from_ = nullptr;
  std::shared_ptr<const session::Program> program_;
  text::Language language_ = text::Language::kEnglish;
  std::shared_ptr<const document::StallResult> stalls_;
  StallColumn column_;  ///< beside SASS; empty until its stalls are known
  StallRoom room_;
  const MachineText* comparedFrom_ = nullptr;
  int comparedWith_ = -1;
  script::LineDiff diff_;  // against the state compared with
  session::BackgroundValue<script::LineDiff> nextDiff_;
  std::vector<std::vector<ir::Id>> ids_;
  std::vector<std::string> hover_;
};

}  // namespace

std::unique_ptr<Panel> makePtx() { return std::make_unique<MachineCodePanel>(CodeKind::kPtx); }
std::unique_ptr<Panel> makeSass() { return std::make_unique<MachineCodePanel>(CodeKind::kSass); }

}  // namespace loom::panels
