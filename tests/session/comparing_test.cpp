#include "app/panels/code/view/code.h"
#include "app/panels/view/view_makers.h"
#include "app/session/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/session/session.h"
#include "core/document/target.h"
#include "tests/session/with_workbench.h"

namespace loom::session::comparing_test {
namespace {

const std::filesystem::path kAssets = std::filesystem::path(TILELOOM_SOURCE_DIR) / "assets";
const NestRow& rowNamed(const Program& program, const std::string& name) {
  for (const NestRow& row : nestOf(program).rows)
    if (row.name == name) return row;
  throw std::out_of_range(name);
}

TEST(MarkedAgainst, TellsTwoBranchesByWhatTheySay) {
  document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
  auto four = history.apply(0, splitBy(4), {});
  auto eight = history.apply(0, splitBy(8), {});
  auto again = history.apply(0, splitBy(4), {});
  ASSERT_TRUE(four && eight && again);
  const auto a = programOf(programInput(history, four->node), viewMakers());
  const auto b = programOf(programInput(history, eight->node), viewMakers());
  const auto c = programOf(programInput(history, again->node), viewMakers());
  const auto marked = markedAgainst(b, a, viewMakers());
  EXPECT_EQ(rowNamed(*marked, "i").change, NestChange::kNone);
  EXPECT_NE(rowNamed(*marked, "k_0").change, NestChange::kNone) << "4 in place of 8";
  EXPECT_NE(rowNamed(*marked, "k_1").change, NestChange::kNone);
  EXPECT_FALSE(textsOf(*marked).scriptDiff.same());
  EXPECT_FALSE(textsOf(*marked).cudaDiff.same());
  auto noted = history.apply(four->node, "sch.annotate(sch.get_block(\"Z\"), \"note\", 1)", {});
  ASSERT_TRUE(noted);
  const auto annotated = markedAgainst(programOf(programInput(history, noted->node), viewMakers()), a, viewMakers());
  EXPECT_EQ(rowNamed(*annotated, "Z").change, NestChange::kModified);
  EXPECT_EQ(rowNamed(*annotated, "k_1").change, NestChange::kNone);
  const auto same = markedAgainst(c, a, viewMakers());
  EXPECT_TRUE(textsOf(*same).scriptDiff.same() && textsOf(*same).cudaDiff.same())
      << "made of other ids, but the same program";
  for (const NestRow& row : nestOf(*same).rows) EXPECT_EQ(row.change, NestChange::kNone) << row.name;
}

class Comparing : public testing::Test {
 protected:
  Comparing() : bench_(options()) {
    bench_.documents().open("tensor_core");
    until([&] { return bench_.documents().target() != nullptr; });
  }
  static Options options() {
    Options options;
    options.assets = options.bench.assets = kAssets;
    options.bench.device = "none";
    options.views = viewMakers();
    return options;
  }
  template <typename There>
  bool until(There there) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!there() && std::chrono::steady_clock::now() < end) {
      bench_.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return there();
  }
  Session bench_;
};

TEST_F(Comparing, MarksWhatIsShownWhereverOneGoes) {
  const auto& ends = bench_.documents().target()->chapterNodes;
  bench_.navigation().goToChapter(3);
  EXPECT_EQ(bench_.comparison().reference(), bench_.navigation().node().parent);
  bench_.comparison().with(ends[2]);
  EXPECT_EQ(bench_.comparison().node(), ends[2]);
  EXPECT_EQ(bench_.comparison().reference(), ends[2]);
  ASSERT_TRUE(until([&] {
    return bench_.preview().shown() && bench_.preview().shown() != bench_.programs().of(bench_.navigation().current());
  }));
  EXPECT_NE(textsOf(*bench_.preview().shown()).scriptDiff.marks,
            textsOf(*bench_.programs().of(bench_.navigation().current())).scriptDiff.marks);
  EXPECT_EQ(textsOf(*bench_.preview().shown()).script,
            textsOf(*bench_.programs().of(bench_.navigation().current())).script);
  bench_.navigation().goToChapter(4);
  ASSERT_TRUE(until([&] {
    return bench_.preview().shown() && bench_.preview().shown() != bench_.programs().of(bench_.navigation().current());
  }));
  bench_.comparison().end();
  EXPECT_EQ(bench_.comparison().node(), -1);
  EXPECT_EQ(bench_.preview().shown(), bench_.programs().of(bench_.navigation().current()));
}

TEST_F(Comparing, TheOtherSideIsToldAgainstTheCurrentState) {
  const auto& ends = bench_.documents().target()->chapterNodes;
  const int now = ends[4], other = ends[2];
  bench_.navigation().select(now);
  {
    const Comparison::OtherSide none(bench_.comparison());
    EXPECT_EQ(bench_.navigation().current(), now) << "nothing is compared";
  }
  bench_.comparison().with(other);
  ASSERT_TRUE(until([&] { return bench_.preview().shown() && bench_.preview().shown() != bench_.programs().of(now); }));
  bench_.preview().show("sch.annotate(sch.get_block(\"Z\"), \"note\", 1)");
  ASSERT_NE(bench_.preview().step(), nullptr);
  const std::uint64_t before = bench_.revision();
  {
    const Comparison::OtherSide side(bench_.comparison());
    EXPECT_EQ(bench_.navigation().current(), other);
    EXPECT_EQ(bench_.comparison().node(), now);
    EXPECT_EQ(bench_.comparison().reference(), now);
    EXPECT_EQ(bench_.preview().step(), nullptr) << "a step in the making is the current state's";
    EXPECT_EQ(textsOf(*bench_.preview().shown()).script, textsOf(*bench_.programs().of(other)).script);
    EXPECT_NE(bench_.preview().shown(), bench_.programs().of(other)) << "marked";
    EXPECT_NE(std::find(bench_.navigation().path().begin(), bench_.navigation().path().end(), other),
              bench_.navigation().path().end());
    EXPECT_EQ(bench_.proposals().proposals(), nullptr);
    bench_.preview().end();
    bench_.navigation().select(now);
  }
  EXPECT_EQ(bench_.navigation().current(), now);
  EXPECT_EQ(bench_.comparison().node(), other);
  EXPECT_NE(bench_.preview().step(), nullptr);
  EXPECT_EQ(bench_.revision(), before) << "looking changes nothing";
}

TEST_F(Comparing, WhatIsDoneOnTheOtherSideIsDoneAtThatState) {
  const auto& ends = bench_.documents().target()->chapterNodes;
  const int now = ends[4], other = ends[2];
  bench_.navigation().select(now);
  bench_.comparison().with(other);
  {
    const Comparison::OtherSide side(bench_.comparison());
    const ApplyOutcome applied = bench_.edits().apply("sch.annotate(sch.get_block(\"Z\"), \"note\", 1)");
    EXPECT_EQ(bench_.navigation().history().node(applied.node).parent, other);
    EXPECT_EQ(bench_.navigation().current(), applied.node) << "no longer the other side's";
  }
  EXPECT_EQ(bench_.navigation().history().node(bench_.navigation().current()).parent, other);
  EXPECT_EQ(bench_.comparison().node(), now);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), other);
}

// Of rows that both have, with the other's figures; of the rest nothing is said.
TEST_F(Comparing, RowsOfTheNestKnowTheOthersFigures) {
  const auto& ends = bench_.documents().target()->chapterNodes;
  bench_.navigation().select(ends[4]);
  ASSERT_TRUE(until([&] { return bench_.programs().of(ends[4]) && bench_.programs().of(ends[3]); }));
  const auto now = bench_.programs().of(ends[4]), other = bench_.programs().of(ends[3]);
  const auto marked = markedAgainst(now, other, viewMakers());
  const std::vector<NestRow>& others = nestOf(*other).rows;
  int told = 0;
  for (const NestRow& row : nestOf(*marked).rows) {
    if (!row.was) continue;
    ++told;
    const bool there = std::any_of(others.begin(), others.end(), [&](const NestRow& was) {
      return was.name == row.name && was.runs == row.was->runs && was.extent == row.was->extent;
    });
    EXPECT_TRUE(there) << row.name;
  }
  EXPECT_GT(told, 0);
  EXPECT_LT(told, int(nestOf(*marked).rows.size())) << "a block came";
  for (const NestRow& row : nestOf(*now).rows) EXPECT_FALSE(row.was);
}

TEST_F(Comparing, EndsWhereTheOtherStateIsRemovedOrNothingOfIt) {
  bench_.comparison().with(-1);
  bench_.comparison().with(100000);
  EXPECT_EQ(bench_.comparison().node(), -1) << "no such state";
  const int last = bench_.documents().target()->chapterNodes.back();
  const int parent = bench_.navigation().history().node(last).parent;
  bench_.comparison().with(last);
  bench_.edits().remove(parent);
  ASSERT_TRUE(until([&] { return bench_.comparison().node() == -1; })) << "what it followed from was removed";
}

}  // namespace
}  // namespace loom::session::comparing_test
