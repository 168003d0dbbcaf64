// The panel Search over a small product, without a device: what the models rank.
#include "app/panels/search/names.h"
#include "app/session/search_run.h"
#include "tests/gui/script.h"

namespace loom::window::search_panel_test {
namespace {

constexpr const char* kPanel = "//###search";

TEST_F(Bench, ASearchWithoutADeviceRanksAndItsRowsAreBranches) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const auto before = model.opened();
    model.documents().openMatmul({.m = 64, .n = 64, .k = 32});
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != before && model.programs().of(0); }));
    ctx->WindowFocus(kPanel);
    ctx->Yield(2);
    IM_CHECK(shows(ctx, kPanel, "most promising"));
    write(ctx, "//###search/###trials", "2");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK_EQ(model.search().choice().trials, 2);
    ctx->ItemClick("//###search/###run");
    IM_CHECK(yieldUntil(ctx, [&] { return model.search().state() && !model.search().isRunning(); }));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, kPanel, "nothing is measured"); }));
    IM_CHECK(showsBelow(ctx, kPanel, "model of the program"));
    // A row is previewed while the mouse is over it, and a click makes a branch with its steps.
    const std::size_t states = model.navigation().history().nodes().size();
    const char* row = "//###search/###fastest/$$0/###schedule";
    IM_CHECK(ctx->ItemExists(row));
    ctx->MouseMove(row);
    IM_CHECK(yieldUntil(ctx, [&] { return model.preview().step() != nullptr; }));
    IM_CHECK_EQ(model.navigation().history().nodes().size(), states);
    ctx->MouseMove("//###search/###run");
    IM_CHECK(yieldUntil(ctx, [&] { return model.preview().step() == nullptr; }));
    ctx->ItemClick(row);
    ctx->Yield(2);
    IM_CHECK_GT(model.navigation().node().number, 3);
    IM_CHECK(model.navigation().node().name.find("search: ") == 0);
    IM_CHECK(model.problems().all().empty());
  });
}

// Two workers that measure with the CPU executor, and one that can't start: what each does stands in a table.
std::string* gWorkers = nullptr;

TEST_F(Bench, ASearchOnWorkersShowsWhatEachDid) {
  std::string workers = ownCommand() + " worker x2; exit 3";
  gWorkers = &workers;
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const auto before = model.opened();
    model.documents().openMatmul({.m = 64, .n = 64, .k = 32});
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != before && model.programs().of(0); }));
    ctx->WindowFocus(kPanel);
    ctx->Yield(2);
    IM_CHECK(ctx->ItemExists("//###search/###workerscommand"));
    session::SearchChoice choice = model.search().choice();
    choice.trials = 4;
    choice.workers = *gWorkers;
    model.search().choose(choice);
    ctx->ItemClick("//###search/###run");
    IM_CHECK(yieldUntil(ctx, [&] { return model.search().state() && !model.search().isRunning(); }));
    IM_CHECK(!model.search().state()->problem);
    IM_CHECK(model.search().state()->isOnCpu);
    const auto seen = model.search().workers();
    IM_CHECK(seen && seen->isOver);
    IM_CHECK_EQ(seen->workers.size(), 3u);
    IM_CHECK_GT(seen->tallies[0].answered + seen->tallies[1].answered, 3);
    IM_CHECK_EQ(seen->tallies[2].answered, 0);
    // In a narrow panel the reason has the panel's width after its name, not a column of a word.
    workbenchOf(ctx).settings().scalePercent = 125;
    ctx->Yield(3);
    IM_CHECK(showsBelow(ctx, kPanel, "ended last: "));
    // A word that is no command is said, and nothing is searched.
    choice.workers = "x ×0";
    model.search().choose(choice);
    ctx->ItemClick("//###search/###run");
    IM_CHECK(yieldUntil(ctx, [&] { return model.search().state()->problem && !model.search().isRunning(); }));
    IM_CHECK_EQ(model.search().state()->problem->code, "ParseError");
    IM_CHECK(model.search().workers() == nullptr);
  });
}

// Schedules that the list would tell alike are told apart by what they decide otherwise.
TEST(SearchNames, SchedulesThatReadAlikeAreToldApart) {
  const Look look;
  tune::Sketch sketch;
  sketch.name = "rows";
  for (const char* name : {"first", "second"}) {
    tune::Decision decision;
    decision.name = name;
    decision.words = verbatim(std::string(name) + " things");
    decision.values = {1, 2};
    sketch.space.decisions.push_back(decision);
  }
  session::SearchedSchedule a, b, c;
  a.assignment = {1, 1};
  b.assignment = {1, 2};
  c.assignment = {1, 1};
  const auto texts = panels::distinctTexts(look, {sketch}, {&a, &b});
  EXPECT_EQ(texts[0].find("first"), std::string::npos) << "is the same in both";
  EXPECT_NE(texts[0].find("second things: 1"), std::string::npos) << texts[0];
  EXPECT_NE(texts[1].find("second things: 2"), std::string::npos) << texts[1];
  EXPECT_EQ(panels::distinctTexts(look, {sketch}, {&a, &c})[0], panels::whatText(look, sketch, a.assignment));
  // One that its threads tell apart already says the same decision as the others.
  sketch.quantities = {{"threads", "first * 32"}};
  c.assignment = {2, 1};
  const auto three = panels::distinctTexts(look, {sketch}, {&a, &b, &c});
  EXPECT_EQ(three[2], "64 threads · second things: 1");
  // Where texts tell all apart, nothing is added.
  EXPECT_EQ(panels::distinctTexts(look, {sketch}, {&a, &c})[1], "64 threads");
}

}  // namespace
}  // namespace loom::window::search_panel_test
