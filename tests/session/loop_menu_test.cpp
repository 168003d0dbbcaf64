#include "core/tune/loop_menu.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/text/messages.h"
#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "core/lower/lower.h"
#include "core/schedule/remedy.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::loop_menu_test {
namespace {

class Menu : public testing::Test {
 protected:
  Menu() : history_(document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history) {
    for (const tune::NamedNode& node : tune::namedNodes(history_.node(0).state)) {
      if (node.name == "k") k_ = node.id;
      if (node.name == "Z") z_ = node.id;
    }
  }
  const tune::MenuEntry* find(const std::vector<tune::MenuEntry>& menu, const std::string& text) {
    auto at = std::find_if(menu.begin(), menu.end(), [&](const tune::MenuEntry& entry) { return entry.text == text; });
    return at == menu.end() ? nullptr : &*at;
  }
  std::vector<tune::MenuEntry> menu(ir::Id id) { return tune::menuOf(history_.node(0).state, {}, {id}, stop_); }
  ir::Id loop(const std::string& name) {
    for (const tune::NamedNode& node : tune::namedNodes(history_.node(0).state)) {
      if (node.name == name) return node.id;
    }
    return {};
  }
  std::string lineOf(const tune::StepForm& form) {
    const std::string lines = tune::stepLines(history_, 0, form).value_or("?");
    return lines.substr(lines.rfind('\n') + 1);
  }

  document::History history_;
  ir::Id k_, z_;
  std::atomic<bool> stop_ = false;
};

TEST_F(Menu, LoopOffersItsPrimitivesWithLinesThatApply) {
  const auto entries = menu(k_);
  const tune::MenuEntry* unroll = find(entries, "unroll");
  ASSERT_NE(unroll, nullptr);
  EXPECT_FALSE(unroll->refusal);
  const auto lines = tune::stepLines(history_, 0, unroll->form);
  ASSERT_TRUE(lines);
  EXPECT_TRUE(tune::previewLines(history_, 0, *lines, {}));
  const tune::MenuEntry* split = find(entries, "split");
  ASSERT_NE(split, nullptr);
  ASSERT_NE(find(split->choices, "[None, 16]"), nullptr);
  EXPECT_EQ(find(entries, "compute_inline"), nullptr) << "takes a block";
}

TEST_F(Menu, WhatIsRefusedStaysWithItsReason) {
  const auto entries = menu(k_);
  const tune::MenuEntry* vectorize = find(entries, "vectorize");
  ASSERT_NE(vectorize, nullptr);
  ASSERT_TRUE(vectorize->refusal) << "k is a reduction";
  EXPECT_FALSE(vectorize->refusal->message.english().empty());
  const auto ofBlock = menu(z_);
  const tune::MenuEntry* inlined = find(ofBlock, "compute_inline");
  ASSERT_NE(inlined, nullptr);
  EXPECT_TRUE(inlined->refusal) << "Z is the result";
}

TEST_F(Menu, LoopIsFusedWithItsNeighboursAndMovedInItsChain) {
  const auto entries = menu(loop("j"));
  const tune::MenuEntry* fuse = find(entries, "fuse");
  ASSERT_NE(fuse, nullptr);
  ASSERT_EQ(fuse->choices.size(), 2U);
  EXPECT_EQ(lineOf(fuse->choices[0].form), "fused = sch.fuse(i, j)");
  EXPECT_FALSE(fuse->choices[0].refusal);
  EXPECT_EQ(fuse->choices[1].text, "j, k");
  const tune::MenuEntry* reorder = find(entries, "reorder");
  ASSERT_NE(reorder, nullptr);
  ASSERT_EQ(reorder->choices.size(), 2U);
  EXPECT_FALSE(reorder->refusal);
  EXPECT_EQ(lineOf(reorder->choices[0].form), "sch.reorder(j, i)");
  EXPECT_EQ(lineOf(reorder->choices[1].form), "sch.reorder(k, j)");
}

TEST_F(Menu, ALoopWithoutNeighboursSaysThatItHasNone) {
  ASSERT_TRUE(history_.apply(0, "x = sch.fuse(*sch.get_loops(sch.get_block(\"Z\")))", {}));
  const schedule::State& state = history_.node(1).state;
  const auto nodes = tune::namedNodes(state);
  const auto only = std::find_if(nodes.begin(), nodes.end(), [](const tune::NamedNode& n) { return !n.isBlock; });
  ASSERT_NE(only, nodes.end());
  const auto entries = tune::menuOf(state, {}, {only->id}, stop_);
  for (const char* primitive : {"fuse", "reorder"}) {
    const tune::MenuEntry* entry = find(entries, primitive);
    ASSERT_NE(entry, nullptr);
    ASSERT_TRUE(entry->refusal);
    EXPECT_NE(entry->refusal->message.english().find("No loop stands directly"), std::string::npos);
  }
}

TEST_F(Menu, SeveralLoopsAreFusedInPlaceAndReorderedAsSelected) {
  const auto entries = tune::menuOf(history_.node(0).state, {}, {loop("k"), loop("i")}, stop_);
  const tune::MenuEntry* fuse = find(entries, "fuse");
  ASSERT_NE(fuse, nullptr);
  ASSERT_TRUE(fuse->refusal) << "j stands between i and k";
  const tune::MenuEntry* reorder = find(entries, "reorder");
  ASSERT_NE(reorder, nullptr);
  ASSERT_EQ(reorder->choices.size(), 1U);
  EXPECT_EQ(lineOf(reorder->choices[0].form), "sch.reorder(k, i)");
  EXPECT_TRUE(tune::menuOf(history_.node(0).state, {}, {loop("k"), z_}, stop_).empty()) << "a loop and a block";
}

TEST_F(Menu, OfSeveralLoopsAPrimitiveOfOneIsDoneToEach) {
  const auto entries = tune::menuOf(history_.node(0).state, {}, {loop("k"), loop("i")}, stop_);
  const tune::MenuEntry* unroll = find(entries, "unroll");
  ASSERT_NE(unroll, nullptr);
  EXPECT_FALSE(unroll->refusal);
  const auto lines = tune::linesOf(history_, 0, *unroll);
  ASSERT_TRUE(lines);
  const auto next = tune::previewLines(history_, 0, *lines, {});
  ASSERT_TRUE(next) << *lines;
  for (const ir::Id id : {loop("i"), loop("k")}) EXPECT_EQ(next->tree().loop(id)->forKind, ir::ForKind::Unrolled);
  const tune::MenuEntry* vectorize = find(entries, "vectorize");
  ASSERT_NE(vectorize, nullptr);
  EXPECT_TRUE(vectorize->refusal) << "k is a reduction";
  EXPECT_EQ(find(entries, "split"), nullptr) << "each has factors of its own";
}

TEST_F(Menu, WhatIsRefusedSaysHowItIsDoneAfterAll) {
  const auto entries = tune::menuOf(history_.node(0).state, {}, {loop("i"), k_}, stop_);
  const tune::MenuEntry* fuse = find(entries, "fuse");
  ASSERT_NE(fuse, nullptr);
  ASSERT_TRUE(fuse->refusal) << "j stands between them";
  EXPECT_TRUE(tune::previewLines(history_, 0, fuse->refusal->remedy.english(), {})) << fuse->refusal->remedy.english();
  EXPECT_NE(fuse->refusal->remedy.english().find("sch.fuse("), std::string::npos);
}

TEST_F(Menu, WhatNoListOffersIsToBeFilledIn) {
  const auto ofBlock = menu(z_);
  const tune::MenuEntry* align = find(ofBlock, "storage_align");
  ASSERT_NE(align, nullptr);
  EXPECT_TRUE(align->toFillIn);
  const auto entries = menu(k_);
  const tune::MenuEntry* annotate = find(entries, "annotate");
  ASSERT_NE(annotate, nullptr);
  EXPECT_TRUE(annotate->toFillIn);
  EXPECT_TRUE(annotate->form.values[0]) << "the loop is chosen already";
}

TEST_F(Menu, LoopTakesBlocksThatCanBeComputedThere) {
  ASSERT_TRUE(history_.apply(0, "x = sch.cache_read(\"Z\", 0, \"shared\")", {}));
  const schedule::State& state = history_.node(1).state;
  for (const tune::NamedNode& node : tune::namedNodes(state)) {
    if (node.name != "k") continue;
    const auto entries = tune::menuOf(state, {}, {node.id}, stop_);
    const tune::MenuEntry* here = find(entries, "compute_at");
    ASSERT_NE(here, nullptr);
    const tune::MenuEntry* copy = find(here->choices, "X_shared");
    ASSERT_NE(copy, nullptr);
    EXPECT_FALSE(copy->refusal);
    const std::string lines = tune::stepLines(history_, 1, copy->form).value_or("?");
    EXPECT_NE(lines.find("sch.compute_at(x, k)"), std::string::npos) << lines;
    ASSERT_NE(find(here->choices, "Z"), nullptr);
    EXPECT_TRUE(find(here->choices, "Z")->refusal);
  }
}

TEST_F(Menu, ChoicesOfOnePrimitive) {
  const auto axes = tune::choicesOf(history_.node(0).state, {}, loop("i"), "bind", stop_);
  ASSERT_NE(find(axes, "\"blockIdx.x\""), nullptr);
  EXPECT_FALSE(find(axes, "\"blockIdx.x\"")->refusal);
  EXPECT_TRUE(tune::choicesOf(history_.node(0).state, {}, loop("i"), "no_such", stop_).empty());
}

TEST_F(Menu, UnknownLoopOffersNothing) { EXPECT_TRUE(menu(ir::Id{99, 1}).empty()); }

TEST_F(Menu, StoppedSearchGivesUp) {
  stop_ = true;
  EXPECT_TRUE(menu(k_).empty());
}

TEST_F(Menu, TensorizeThatNoIntrinsicFitsTellsEachWayInWhichTheyDiffer) {
  const auto library = intrin::Library::load(std::filesystem::path(TILELOOM_SOURCE_DIR) / "assets/intrinsics");
  ASSERT_TRUE(library);
  const auto entries = tune::menuOf(history_.node(0).state, {&*library}, {z_}, stop_);
  const tune::MenuEntry* tensorize = find(entries, "tensorize");
  ASSERT_NE(tensorize, nullptr);
  ASSERT_TRUE(tensorize->refusal);
  const std::string& message = tensorize->refusal->message.english();
  EXPECT_GE(std::count(message.begin(), message.end(), '\n'), 1) << message;
  EXPECT_LE(std::count(message.begin(), message.end(), '\n'), 4) << message;
  EXPECT_NE(message.find(" more do: "), std::string::npos) << message;
  EXPECT_EQ(text::wordsOf(text::Language::kChinese, tensorize->refusal->message).find("The block"), std::string::npos)
      << message;
}

bool isKernel(const schedule::State& state) {
  const ir::Function& function = state.module().functions.front();
  return lower::lower(function).has_value() || lower::draft(function).has_value();
}

// What a menu offers as fixes, and how many of them leave no kernel.
void expectKernels(const document::History& history, int node, const std::vector<tune::MenuEntry>& entries,
                   const schedule::Environment& environment, int& offered) {
  for (const tune::MenuEntry& entry : entries) {
    expectKernels(history, node, entry.choices, environment, offered);
    if (!entry.refusal || entry.refusal->remedy.empty()) continue;
    const auto after = tune::previewLines(history, node, entry.refusal->remedy, environment);
    if (!after) continue;  // words, no lines
    EXPECT_TRUE(isKernel(*after)) << entry.text << ": " << entry.refusal->remedy;
    ++offered;
  }
}

// Of a kernel no fix is offered that makes none of it, for any two loops of a schedule with threads.
TEST(MenuOfAKernel, OffersOnlyFixesThatLeaveOne) {
  document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
  const auto bound = history.apply(0, tests::scheduleText("rows_of_threads"), {});
  ASSERT_TRUE(bound && !bound->refusal);
  std::atomic<bool> stop = false;
  int offered = 0;
  for (const int node : history.path(bound->node)) {
    const schedule::State& state = history.node(node).state;
    ASSERT_TRUE(isKernel(state)) << node;
    const auto names = tune::namedNodes(state);
    for (const tune::NamedNode& one : names) {
      for (const tune::NamedNode& other : names) {
        if (one.id == other.id || !state.tree().isLoop(one.id) || !state.tree().isLoop(other.id)) continue;
        expectKernels(history, node, tune::menuOf(state, {}, {one.id, other.id}, stop), {}, offered);
      }
    }
  }
  EXPECT_GT(offered, 0);
}

// With i bound, the fragments that a tensorization stages are filled by threads one by one.
TEST(MenuOfAKernel, LeavesOutATensorizationThatNoKernelComesOf) {
  document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
  const intrin::Library intrinsics = *intrin::Library::load(TILELOOM_SOURCE_DIR "/assets/intrinsics");
  const schedule::Environment environment{&intrinsics};
  const auto bound = history.apply(0, tests::scheduleText("rows_of_threads"), environment);
  ASSERT_TRUE(bound && !bound->refusal);
  const int node = history.path(bound->node)[2];
  const schedule::State& state = history.node(node).state;
  ASSERT_TRUE(isKernel(state));
  const std::string intrinsic = "wmma_sync_16x16x16_f16f16f32_trans";
  const auto line = script::parseSchedule("sch.tensorize(sch.get_block(\"Z\"), \"" + intrinsic + "\")", "");
  const std::string fix = schedule::suggestedFix(state, line->front(), environment);
  ASSERT_FALSE(fix.empty()) << "it can be applied";
  const auto after = tune::previewLines(history, node, fix, environment);
  ASSERT_TRUE(after);
  EXPECT_FALSE(isKernel(*after));
  std::atomic<bool> stop = false;
  bool isListed = false;
  for (const tune::NamedNode& named : tune::namedNodes(state)) {
    if (named.name != "Z") continue;
    for (const tune::MenuEntry& entry : tune::choicesOf(state, environment, named.id, "tensorize", stop)) {
      if (entry.text.find(intrinsic + "\"") == std::string::npos) continue;
      isListed = true;
      ASSERT_TRUE(entry.refusal);
      EXPECT_TRUE(entry.refusal->remedy.empty()) << entry.refusal->remedy;
    }
  }
  EXPECT_TRUE(isListed);
}

}  // namespace
}  // namespace loom::session::loop_menu_test
