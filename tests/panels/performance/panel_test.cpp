#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "app/panels/code/view/code.h"
#include "app/panels/code/view/listing.h"
#include "app/panels/performance/view/performance.h"
#include "app/session/proposals.h"
#include "app/widgets/advice_list.h"
#include "core/document/chapter_order.h"
#include "tests/gui/compiling_bench.h"
#include "tests/gui/script.h"

namespace loom::window::performance_panel_test {
namespace {

// That state, and the tab of Performance.
bool tabIsShown(ImGuiTestContext* ctx, const char* tab) {
  if (!startIsShown(ctx)) return false;
  auto& model = modelOf(ctx);
  model.navigation().goToChapter(kTensorized);
  if (!yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; })) return false;
  ctx->WindowFocus("//###performance");
  ctx->SetRef("//###performance");
  ctx->ItemClick((std::string("###views/###") + tab).c_str());
  ctx->Yield(2);
  return yieldUntil(ctx, [&] { return model.models().of(model.navigation().current()) != nullptr; });
}

TEST_F(Bench, TheRooflineHasAPointForEachMeasuredState) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(tabIsShown(ctx, "roofline"));
    auto& model = modelOf(ctx);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("###roofplot"); }));
    const int last = model.navigation().current();
    IM_CHECK(yieldUntil(ctx, [&] {
      return model.results().timed(last) != nullptr && model.results().timed(last)->result.has_value();
    }));
    IM_CHECK(yieldUntil(ctx, [&] {
      return model.models().of(last, session::ModelBasis::kSource) && model.modelDevice().figures() != nullptr;
    }));
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "in sectors of 32 B"));  // how its bytes are counted
    ctx->ItemClick("###bymemory");
    ctx->Yield(2);
    IM_CHECK(shows(ctx, "###performance", "bytes each byte once"));
    // A click on a point goes to its state: the slowest stands at the bottom left of the plane.
    ctx->ItemClick("###byl2");
    ctx->MouseMove("###roofplot");
    ctx->Yield(2);
    IM_CHECK(model.navigation().current() == last);
  });
}

TEST_F(Bench, OccupancySaysThatRegistersAreNotKnownBeforeCompilation) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(tabIsShown(ctx, "occupancy"));
    IM_CHECK(shows(ctx, "###performance", "registers are not known before compilation"));
    IM_CHECK(shows(ctx, "###performance", "registers not known: not compiled"));
    IM_CHECK(shows(ctx, "###performance", "threads per block: 512"));  // the third curve
  });
}

TEST_F(Bench, AStateThatIsNoKernelSaysSoInEveryTab) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(tabIsShown(ctx, "occupancy"));
    modelOf(ctx).navigation().select(30);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).models().of(30) != nullptr; }));
    const auto open = [&](const char* tab) {
      ctx->ItemClick((std::string("###views/###") + tab).c_str());
      ctx->Yield(3);
    };
    open("roofline");
    IM_CHECK(!shows(ctx, "###performance", "nearest roof"));  // a point of it would have
    for (const char* tab : {"occupancy", "instructions", "advice"}) {
      open(tab);
      IM_CHECK(shows(ctx, "###performance", "No kernel here: Y_shared_wmma.matrix_b is spread over the registers"));
    }
    open("compare");
    IM_CHECK(shows(ctx, "###performance", "State 30 is no kernel: it has no figures."));
  });
}

// Index of the first piece of advice of the current state that a step was found against, and the proposal; -1: none.
std::pair<int, session::Proposal> helpShown(ImGuiTestContext* ctx) {
  auto& model = modelOf(ctx);
  const auto& advice = model.models().of(model.navigation().current())->advice;
  for (std::size_t i = 0; i < advice.size(); ++i) {
    const auto proposals = model.proposals().proposals();
    const session::AdviceTrial* help = proposals ? proposals->against(advice[i]) : nullptr;
    if (help != nullptr && help->proposal >= 0 && help->against.code == "bank_conflicts")
      return {int(i), proposals->offered[std::size_t(help->proposal)]};
  }
  return {-1, {{0, -1, "", "", {}, {}, model.navigation().node().state, 1, 1}}};
}

TEST_F(Bench, AdviceIsAppliedByOneClick) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(tabIsShown(ctx, "advice"));
    auto& model = modelOf(ctx);
    const int last = model.navigation().current();
    IM_CHECK(yieldUntil(ctx, [&] { return helpShown(ctx).first >= 0; }));
    const auto [index, proposal] = helpShown(ctx);
    const std::size_t nodes = model.navigation().history().nodes().size();
    IM_CHECK(proposal.after < proposal.before);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "8-way bank conflicts"); }));
    IM_CHECK_GE(index, 0);
    ctx->ItemClick(("###advice/$$" + std::to_string(panels::adviceStepId(proposal.step.lines)) + "/###apply")
                       .c_str());  // in the table of two columns
    IM_CHECK(yieldUntil(ctx, [&] { return model.navigation().current() != last; }));
    IM_CHECK_EQ(model.navigation().node().parent, last);
    IM_CHECK(model.navigation().node().step() != nullptr);
    // The lesson's own next step, which is that in other words.
    IM_CHECK(model.navigation().node().step()->source.find("storage_align") != std::string::npos);
    IM_CHECK_EQ(model.navigation().history().nodes().size(), nodes);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(model.navigation().current()) != nullptr; }));
    model.edits().undo();
    IM_CHECK_EQ(model.navigation().current(), last);
  });
}

TEST_F(Bench, FasterStepsAreSearchedForOnlyWhereThatIsWanted) {
  drive([](ImGuiTestContext* ctx) {
    ctx->MenuClick("//##MainMenuBar/###view/###searchfaster");
    IM_CHECK(!workbenchOf(ctx).settings().searchFaster);
    IM_CHECK(tabIsShown(ctx, "advice"));
    auto& model = modelOf(ctx);
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("###advice/###searchhere"); }));
    ctx->ScrollToItemY("###advice/###searchhere");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "The search for faster steps is off"); }));
    IM_CHECK(!model.proposals().isRunning());
    ctx->ItemClick("###advice/###searchhere");
    IM_CHECK(yieldUntil(ctx, [&] { return helpShown(ctx).first >= 0; }));
    const auto& chapters = model.documents().target()->chapterNodes;
    model.navigation().select(chapters[chapters.size() - 2]);
    IM_CHECK(yieldUntil(ctx, [&] { return model.proposals().isLeftOut(); }));  // of that state only
    workbenchOf(ctx).settings().searchFaster = true;
    IM_CHECK(yieldUntil(ctx, [&] { return model.proposals().isRunning(); }));
  });
}

// Below the findings stand the three fastest of all that was tried; one of another factor in the past makes a branch.
TEST_F(Bench, TheFastestOfAllThatWasTriedAreOffered) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(tabIsShown(ctx, "advice"));
    auto& model = modelOf(ctx);
    const auto opened = model.opened();
    model.documents().openMatmul({64, 48, 32});  // of a small one much is tried in a second
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != opened && model.documents().target() != nullptr; }));
    const int last = model.navigation().current();
    IM_CHECK(yieldUntil(
        ctx, [&] { return model.proposals().proposals() != nullptr && model.proposals().proposals()->done; }));
    ctx->Yield(3);
    const auto proposals = model.proposals().proposals();
    IM_CHECK(!proposals->best.empty());
    IM_CHECK(proposals->predicted > 100);
    IM_CHECK(shows(ctx, "###performance", "Bind an outer loop to blockIdx.x"));
    // The first that doesn't stand above, beside a finding that it helps against.
    const auto below = std::find_if(proposals->best.begin(), proposals->best.end(), [&](int i) {
      return std::none_of(proposals->trials.begin(), proposals->trials.end(),
                          [&](const session::AdviceTrial& help) { return help.proposal == i; });
    });
    IM_CHECK(below != proposals->best.end());
    const int first = *below;
    const std::size_t nodes = model.navigation().history().nodes().size();
    const int id = panels::adviceStepId(proposals->offered[std::size_t(first)].step.lines);
    ctx->ItemClick(("###advice/$$" + std::to_string(id) + "/###apply").c_str());
    ctx->Yield(2);
    IM_CHECK(model.navigation().history().nodes().size() > nodes);
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; }));
    const auto made = document::makeKernel(proposals->offered[std::size_t(first)].step.state);
    IM_CHECK_STR_EQ(model.programs().of(model.navigation().current())->kernel.key.c_str(), made.key.c_str());
    model.edits().undo();
    IM_CHECK_EQ(model.navigation().current(), last);
  });
}

// Where the buttons of all steps are that stand in the list, the topmost first.
std::vector<std::pair<float, int>> buttonsOfSteps(ImGuiTestContext* ctx) {
  std::vector<std::pair<float, int>> buttons;
  const auto proposals = modelOf(ctx).proposals().proposals();
  for (int i = 0; proposals && i < int(proposals->offered.size()); ++i) {
    const int id = panels::adviceStepId(proposals->offered[std::size_t(i)].step.lines);
    const std::string item = "###advice/$$" + std::to_string(id) + "/###apply";
    if (ctx->ItemExists(item.c_str())) buttons.emplace_back(ctx->ItemInfo(item.c_str()).RectFull.Min.y, id);
  }
  std::sort(buttons.begin(), buttons.end());
  return buttons;
}

TEST_F(Bench, WhatASearchFindsComesBelowAndMovesNothing) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(tabIsShown(ctx, "advice"));
    auto& model = modelOf(ctx);
    std::vector<std::pair<float, int>> before;
    IM_CHECK(yieldUntil(ctx, [&] { return !(before = buttonsOfSteps(ctx)).empty(); }));
    std::size_t most = 0;
    IM_CHECK(yieldUntil(ctx, [&] {
      const auto now = buttonsOfSteps(ctx);
      bool stays = now.size() >= before.size();
      for (std::size_t i = 0; stays && i < before.size(); ++i) stays = now[i] == before[i];
      IM_CHECK_RETV(stays, true);
      before = now;
      most = std::max(most, now.size());
      const auto proposals = model.proposals().proposals();
      return proposals && proposals->done;
    }));
    ctx->Yield(3);
    IM_CHECK_GE(buttonsOfSteps(ctx).size(), most);
  });
}

// In Advice and in Compare, with both figures, and only where they are far apart.
TEST_F(Bench, AModelFarFromTheClockIsRemarked) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(tabIsShown(ctx, "advice"));
    auto& model = modelOf(ctx);
    auto errorOf = [&](int node) {
      const auto made = model.models().of(node);
      return session::modelErrorOf(session::performanceOf(*made), model.results().measured(node)->timing.median);
    };
    int far = -1, near = -1;
    for (int node : model.navigation().history().path(model.navigation().current())) {
      if (model.results().measured(node) == nullptr) continue;
      IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(node) != nullptr; }));
      (errorOf(node) != 0 ? far : near) = node;
    }
    IM_CHECK(far >= 0 && near >= 0);
    model.navigation().select(near);
    ctx->Yield(5);
    IM_CHECK(!shows(ctx, "###performance", "its parts may be as far off"));
    IM_CHECK(shows(ctx, "###performance", "recorded"));
    model.navigation().select(far);
    ctx->Yield(5);
    const double error = errorOf(far);
    IM_CHECK(shows(ctx, "###performance",
                   error >= 1  ? " times the recorded"
                   : error > 0 ? "% more than the recorded"
                               : "% less than the recorded"));
    ctx->ItemClick("###views/###compare");
    model.comparison().with(near);
    ctx->Yield(5);
    const int chapter = document::chapterEndingAt(*model.documents().target(), far);
    const std::string state = (chapter >= 0 ? "Chapter " + std::to_string(chapter + 1)
                                            : "State " + std::to_string(model.navigation().node().number)) +
                              ": The model predicts";
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", state); }));
    model.comparison().with(-1);
  });
}

TEST_F(Bench, AdviceUnderTheMouseIsPreviewedInAllPanels) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(tabIsShown(ctx, "advice"));
    auto& model = modelOf(ctx);
    const std::size_t nodes = model.navigation().history().nodes().size();
    IM_CHECK(yieldUntil(ctx, [&] { return helpShown(ctx).first >= 0; }));
    const auto [index, proposal] = helpShown(ctx);
    IM_CHECK(index >= 0);
    ctx->Yield(2);
    const std::string button = "###advice/$$" + std::to_string(panels::adviceStepId(proposal.step.lines)) + "/###apply";
    ctx->ScrollToItemY(button.c_str());
    ctx->Yield(2);
    const ImVec2 before = ctx->ItemInfo(button.c_str()).RectFull.Min;
    ctx->MouseMove(button.c_str());
    IM_CHECK(yieldUntil(
        ctx, [&] { return model.preview().step() != nullptr && model.preview().step()->effect.has_value(); }));
    IM_CHECK_STR_EQ(model.preview().step()->lines.c_str(), proposal.step.lines.c_str());
    ctx->SleepNoSkip(0.3F, 0.02F);
    const ImVec2 now = ctx->ItemInfo(button.c_str()).RectFull.Min;
    IM_CHECK(now.x == before.x && now.y == before.y);  // it stays under the mouse
    IM_CHECK(model.preview().shown() == model.preview().step()->program);
    ctx->MouseMove("###views/###advice");
    ctx->Yield(3);
    IM_CHECK(model.preview().step() == nullptr);
    IM_CHECK_EQ(model.navigation().history().nodes().size(), nodes);
    ctx->ItemClick(button.c_str());
    ctx->Yield(3);
    IM_CHECK(model.preview().step() == nullptr);
    IM_CHECK(model.navigation().node().step()->source.find("storage_align") != std::string::npos);
  });
}

TEST_F(Bench, CompareOpensAtItsStateAndFindsStatesByWords) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(tabIsShown(ctx, "compare"));
    auto& model = modelOf(ctx);
    model.navigation().goToChapter(int(model.documents().target()->chapterNodes.size()) - 1);
    const int other = model.documents().target()->chapterNodes[14];
    model.comparison().with(other);
    IM_CHECK(yieldUntil(
        ctx, [&] { return model.programs().of(int(model.navigation().history().nodes().size()) - 1) != nullptr; }));
    ctx->Yield(3);
    ctx->ItemClick("###other");
    ctx->Yield(3);
    const ImGuiTestItemInfo list = ctx->WindowInfo("//$FOCUSED/###states");
    IM_CHECK(list.Window != nullptr);
    ctx->SetRef(list.Window);
    // Rows out of sight aren't made.
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists(("$$" + std::to_string(other) + "/###state").c_str()); }));
    IM_CHECK(!ctx->ItemExists("$$0/###state"));
    ctx->KeyChars("start");
    ctx->Yield(3);
    IM_CHECK(popupShows(ctx, "0 start"));
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_EQ(model.comparison().node(), 0);
  });
}

TEST_F(Bench, TwoStatesAreComparedSideBySide) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(tabIsShown(ctx, "compare"));
    auto& model = modelOf(ctx);
    IM_CHECK(!model.edits()
                  .apply("sch.storage_align(block=\"X_shared\", buffer_index=0, axis=-2, factor=64, offset=8)")
                  .refusal);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(model.navigation().current()) != nullptr; }));
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(model.navigation().node().parent) != nullptr; }));
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "only in chapter 14: X_shared read: 8-way bank conflicts"));
    IM_CHECK(shows(ctx, "###performance", "issue alone"));
    ctx->ItemClick("###different");
    ctx->Yield(3);
    IM_CHECK(!shows(ctx, "###performance", "issue alone"));  // in both the same
    ctx->ItemClick("###other");
    ctx->Yield(2);
    ctx->KeyChars("start");  // one thread
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(0) != nullptr; }));
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "One GPU"));
  });
}

TEST_F(Bench, WithoutACompilerTheMachineCodePanelsSayWhy) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    IM_CHECK(yieldUntil(ctx, [&] { return model.compilations().problem().has_value(); }));
    for (const char* panel : {"ptx", "sass"}) {
      ctx->WindowFocus((std::string("//###") + panel).c_str());
      ctx->Yield(3);
      IM_CHECK(!ctx->ItemExists((std::string("//###") + panel + "/###code").c_str()));
      IM_CHECK(shows(ctx, (std::string("###") + panel).c_str(), "there is no process to compile in"));
    }
  });
}

class BenchWithoutDisassembler : public CompilingBench {
  bool disassembles() const override { return false; }
};

// What the model says of the current state with its machine code.
std::shared_ptr<const session::StateModel> machineCode(ImGuiTestContext* ctx) {
  auto& model = modelOf(ctx);
  return model.models().of(model.navigation().current(), session::ModelBasis::kMachineCode);
}

// That state, compiled, and one of the panels of its machine code.
bool codeIsShown(ImGuiTestContext* ctx, const char* panel) {
  if (!startIsShown(ctx)) return false;
  auto& model = modelOf(ctx);
  model.navigation().goToChapter(kTensorized);
  if (!yieldUntil(ctx, [&] {
        return model.compilations().of(model.navigation().current()) != nullptr || model.compilations().problem();
      })) {
    return false;
  }
  ctx->WindowFocus((std::string("//###") + panel).c_str());
  return yieldUntil(ctx,
                    [&] { return machineCode(ctx) && (machineCode(ctx)->machine || machineCode(ctx)->sassProblem); });
}

TEST_F(CompilingBench, APtxLineSelectsItsCudaLine) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(codeIsShown(ctx, "ptx"));
    auto& model = modelOf(ctx);
    const int last = model.navigation().current();
    IM_CHECK(yieldUntil(ctx, [&] { return model.compilations().ptx(last) != nullptr; }));
    IM_CHECK(model.compilations().ptx(last)->has_value());
    const session::MachineText& text = session::listingOf(**model.compilations().ptx(last));
    const auto product =
        std::find_if(text.lines.begin(), text.lines.end(), [](const auto& l) { return l.find("wmma.mma") != l.npos; });
    IM_CHECK(product != text.lines.end());
    const int line = int(product - text.lines.begin());
    IM_CHECK(text.hotFirst <= line && line <= text.hotLast);
    ctx->Yield(3);
    const ImGuiTestItemInfo code = ctx->WindowInfo("//###ptx/###code");
    ctx->SetRef(code.Window);
    code.Window->ScrollTarget.y = float(line - 4) * workbenchOf(ctx).look().px(15);
    ctx->Yield(3);
    ctx->ItemClick(("$$" + std::to_string(line) + "/###line").c_str());
    ctx->Yield(3);
    const int cuda = text.cudaLines[std::size_t(line)];
    IM_CHECK_GT(cuda, 0);
    IM_CHECK_EQ(model.selection().cudaLine(), cuda);
    IM_CHECK(session::textsOf(*model.programs().of(last)).cuda[std::size_t(cuda - 1)].find("mma_sync") !=
             std::string::npos);
    // And back: the line of the CUDA text is what is selected there, too.
    ctx->WindowFocus("//###cuda");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###cuda", "mma_sync"));
    model.selection().select({});
    IM_CHECK_EQ(model.selection().cudaLine(), 0);
  });
}

TEST_F(CompilingBench, SassIsLinkedAndItsInstructionsAreCounted) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(codeIsShown(ctx, "sass"));
    auto& model = modelOf(ctx);
    ctx->Yield(3);
    IM_CHECK(!machineCode(ctx)->sassProblem);
    const auto made = machineCode(ctx);
    const session::MachineText& text = *session::listingOf(*made);
    IM_CHECK_GE(text.hotFirst, 0);
    IM_CHECK_GT(text.hotInstructions, 0);
    const int line = text.hotFirst + 1;
    // What comes beside it later moves its rows, and a click is of several frames.
    IM_CHECK(yieldUntil(ctx, [&] {
      return model.models().isFinal(model.navigation().current()) && model.stalls().of(model.navigation().current());
    }));
    ctx->Yield(3);
    ctx->SetRef(ctx->WindowInfo("//###sass/###code").Window);
    ctx->ItemClick(("$$" + std::to_string(line) + "/###line").c_str());
    ctx->Yield(3);
    IM_CHECK_EQ(model.selection().cudaLine(), text.cudaLines[std::size_t(line)]);
    IM_CHECK(shows(ctx, "###sass", "peak 68 live of 84"));
    // Beside it: registers alive and control bits; over it, a trip of the hot loop by line.
    IM_CHECK_EQ(text.margin.control.size(), text.lines.size());
    IM_CHECK_GT(text.margin.peak, 0);
    IM_CHECK(text.hotIteration.has_value());
    IM_CHECK_EQ(text.hotIteration->iteration.instructions, text.hotInstructions);
    IM_CHECK_GE(text.hotIteration->iteration.clocks.value_or(0), text.hotInstructions);
    ctx->SetRef("//###sass");
    ctx->ItemClick("###trip");
    ctx->Yield(3);
    model.selection().select({});
    ctx->ItemClick("**/$$0/###share");
    ctx->Yield(3);
    IM_CHECK_EQ(model.selection().cudaLine(), text.hotIteration->iteration.lines.front().line);
    IM_CHECK(shows(ctx, "###sass", "clocks 150"));
    workbenchOf(ctx).settings().language = text::Language::kChinese;
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###sass", "热循环一趟：91 条指令"));
    workbenchOf(ctx).settings().language = text::Language::kEnglish;
    ctx->Yield(3);
    ctx->WindowFocus("//###performance");
    ctx->SetRef("//###performance");
    ctx->ItemClick("###views/###instructions");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "Hot loop: 91 instructions"));
    ctx->ItemClick("###views/###occupancy");
    ctx->Yield(3);
    IM_CHECK(session::performanceOf(*machineCode(ctx)).registersKnown);
    IM_CHECK(shows(ctx, "###performance", "registers per thread: 84"));
    ctx->ItemClick("###views/###compare");
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().of(model.navigation().node().parent) != nullptr; }));
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "no kernels: 28 to 47"));
    ctx->ItemClick("###views/###advice");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###performance", "from machine code"));
  });
}

TEST_F(BenchWithoutDisassembler, TheSassPanelSaysWhatIsMissing) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(codeIsShown(ctx, "sass"));
    IM_CHECK(machineCode(ctx)->sassProblem);
    IM_CHECK_STR_EQ(machineCode(ctx)->sassProblem->code.c_str(), "NoNvdisasm");
    IM_CHECK(session::performanceOf(*machineCode(ctx)).registersKnown);
    ctx->Yield(3);
    IM_CHECK(!ctx->ItemExists("//###sass/###code"));
    IM_CHECK(shows(ctx, "###sass", "nvdisasm isn't found"));
  });
}

}  // namespace
}  // namespace loom::window::performance_panel_test
