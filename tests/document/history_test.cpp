#include <gmock/gmock.h>

#include <set>

#include "tests/document/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::document::history_test {
namespace {

TEST(History, OfAMillionNamesEndsOneAfterAnother) {
  schedule::State state = scheduled("").history.node(0).state;
  for (int i = 0; i < 1000000; ++i) state = state.with({{"b", {}, false}});
  schedule::State other = state;
  state = scheduled("").history.node(0).state;
  EXPECT_TRUE(other.lookup("b")) << "what another state holds stays";
}

using testing::HasSubstr;

TEST(History, ALineThatChangesTheTextMakesAState) {
  Target t = scheduled(kBound);
  const History& h = t.history;
  ASSERT_EQ(h.nodes().size(), 4u) << "the start, split, bind, bind";
  EXPECT_EQ(h.current(), 3);
  EXPECT_EQ(h.node(1).lines.size(), 3u) << "accessor lines belong to the step after them";
  EXPECT_THAT(h.node(1).step()->source, HasSubstr("split"));
  EXPECT_EQ(h.node(3).number, 3);
  EXPECT_THAT(h.node(3).script->text, HasSubstr("threadIdx.x"));
  EXPECT_EQ(h.path(3), (std::vector<int>{0, 1, 2, 3}));
}

TEST(History, StepsTakenElsewhereBranchAndTheOldOnesStay) {
  Target t = scheduled(kBound);
  History& h = t.history;
  const std::string before = h.node(3).script->text;
  h.select(1);
  auto other = h.apply(1, "sch.parallel(i0)\n", environment());
  ASSERT_TRUE(other && !other->refusal);
  EXPECT_EQ(h.node(1).children.size(), 2u);
  EXPECT_EQ(h.node(other->node).parent, 1);
  EXPECT_EQ(h.node(3).script->text, before);
}

TEST(History, TheSameStepAgainLeadsToTheStateThatIsThere) {
  Target t = scheduled(kBound);
  History& h = t.history;
  auto again = h.apply(1, "sch.bind(i0, \"blockIdx.x\")\n", environment());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->node, 2);
  EXPECT_EQ(again->made, 0);
  EXPECT_EQ(h.nodes().size(), 4u);
}

std::string drawnTiles() { return tests::scheduleText("tiles_drawn_by_seed"); }

TEST(History, ADrawIsAStepThatKeepsWhatWasDrawn) {
  Target t = scheduled(drawnTiles());
  const History& h = t.history;
  ASSERT_EQ(h.nodes().size(), 5u) << "the start, a tile, its split, a number, its split";
  EXPECT_EQ(h.node(1).script->text, h.node(0).script->text);
  EXPECT_THAT(h.node(1).step()->source, HasSubstr("v, w = sch.sample_perfect_tile(i, n=2, decision=["));
  EXPECT_THAT(h.node(2).step()->source, HasSubstr("factors=[v, w]"));
  EXPECT_THAT(h.node(3).step()->source, HasSubstr(", decision="));
  // Read back, nothing is drawn.
  Target again = scheduled(h.schedule(h.current()));
  EXPECT_EQ(again.history.node(4).script->text, h.node(4).script->text);
}

TEST(History, ADecisionIsChangedInPlaceAndTheStepsAfterItFollow) {
  Target t = scheduled(drawnTiles());
  const std::string drawn = t.history.node(3).step()->source;
  auto edited = t.history.edit(1, "v, w = sch.sample_perfect_tile(i, n=2, decision=[2, 16])", environment());
  ASSERT_TRUE(edited) << edited.error().message.english();
  const History& h = edited->history;
  EXPECT_THAT(h.node(4).script->text, HasSubstr("for i_0, i_1, j_0, j_1, k in T.grid(2, 16, "));
  EXPECT_EQ(h.node(3).step()->source, drawn) << "what else was drawn stays";
  EXPECT_TRUE(edited->broken.empty());
  // Without its decision it is drawn anew, and keeps that.
  auto anew = h.edit(1, "v, w = sch.sample_perfect_tile(i, n=2)", environment());
  ASSERT_TRUE(anew);
  EXPECT_THAT(anew->history.node(1).step()->source, HasSubstr("decision=["));
  EXPECT_EQ(h.edit(3, "u = sch.sample_categorical([1, 2], [0.5, 0.5], decision=2)", environment()).error().code,
            "ValueError");
}

TEST(History, DrawnAgainItIsABranchUntilAllWereDrawn) {
  Target t = scheduled(drawnTiles());
  History& h = t.history;
  const std::string line = "u = sch.sample_categorical([1, 2, 4, 8], [0.25, 0.25, 0.25, 0.25])";
  std::set<std::string> lines = {h.node(3).step()->source};
  for (int more = 0; more < 3; ++more) {
    auto drawn = h.apply(2, line, environment());
    ASSERT_TRUE(drawn && !drawn->refusal);
    EXPECT_EQ(drawn->made, 1);
    EXPECT_TRUE(lines.insert(h.node(drawn->node).step()->source).second) << "drawn before";
  }
  auto fifth = h.apply(2, line, environment());
  ASSERT_TRUE(fifth);
  EXPECT_EQ(fifth->made, 0) << "there are four candidates";
  EXPECT_TRUE(lines.contains(h.node(fifth->node).step()->source));
}

TEST(History, TheSameProgramInOtherWordsIsTheStateThatIsThereUnlessItNamesSomething) {
  Target t = scheduled(kBound);
  History& h = t.history;
  auto first = h.apply(1, "sch.annotate(i0, \"note\", 1)\n", environment());
  ASSERT_TRUE(first && !first->refusal);
  auto again = h.apply(1, "sch.annotate(block_or_loop=i0, ann_key=\"note\", ann_val=1)\n", environment());
  ASSERT_TRUE(again && !again->refusal) << again->refusal->message.english();
  EXPECT_EQ(again->node, first->node);
  EXPECT_EQ(again->made, 0);
  auto named = h.apply(1, "p, q = sch.split(j, [None, 4])\n", environment());
  ASSERT_TRUE(named && !named->refusal);
  auto other = h.apply(1, "r, s = sch.split(j, [None, 4])\n", environment());
  ASSERT_TRUE(other && !other->refusal);
  EXPECT_NE(other->node, named->node) << "what follows may say r";
}

TEST(History, TheSameLinesAgainLeadToTheirStatesAsWellWhereAStepTakesSeveral) {
  Target t = scheduled(kBound);
  History& h = t.history;
  const std::string lines = tests::scheduleText("split_of_another_handle");
  auto first = h.apply(0, lines, environment());
  ASSERT_TRUE(first && !first->refusal) << (first ? first->refusal->message.english()
                                                  : first.error().message.english());
  ASSERT_EQ(h.node(first->node).lines.size(), 3u);
  const std::size_t nodes = h.nodes().size();
  auto again = h.apply(0, lines + "sch.unroll(y)\n", environment());
  ASSERT_TRUE(again && !again->refusal);
  EXPECT_EQ(h.node(again->node).parent, first->node);
  EXPECT_EQ(again->made, 1);
  EXPECT_EQ(h.nodes().size(), nodes + 1);
}

TEST(History, ARefusalKeepsWhatCameBeforeItAndNamesTheLine) {
  Target t = scheduled(kBound);
  History& h = t.history;
  auto applied = h.apply(1, tests::scheduleText("refused_between_unrolls"), environment(), "lines.py");
  ASSERT_TRUE(applied);
  ASSERT_TRUE(applied->refusal);
  EXPECT_EQ(applied->refusal->place.line, 2);
  EXPECT_EQ(applied->made, 1);
  EXPECT_EQ(h.current(), applied->node);
  EXPECT_THAT(h.node(applied->node).step()->source, HasSubstr("unroll(i1)"));
}

TEST(History, ALineThatCantBeReadChangesNothing) {
  Target t = scheduled(kBound);
  History& h = t.history;
  for (const char* lines :
       {"sch.unroll(", "import os", "sch.split(i, [2, 16])\nfor x in y: pass", "sch.nothing(i1)x"}) {
    EXPECT_FALSE(h.apply(3, lines, environment())) << lines;
  }
  EXPECT_EQ(h.nodes().size(), 4u);
  EXPECT_EQ(h.current(), 3);
}

TEST(History, APreviewLeavesNoTrace) {
  Target t = scheduled(kBound);
  auto ghost = t.history.preview(3, "sch.unroll(i1)", environment());
  ASSERT_TRUE(ghost) << ghost.error().message.english();
  EXPECT_EQ(t.history.nodes().size(), 4u);
  EXPECT_FALSE(t.history.preview(3, "sch.unroll(i0)x", environment()));
  EXPECT_FALSE(t.history.preview(3, "", environment()));
  EXPECT_FALSE(t.history.preview(3, "sch.unroll(i1)\nsch.split(k, [5, 5])", environment()));
}

TEST(History, AnEditAppliesWhatFollowedAgain) {
  Target t = scheduled(kBound);
  t.history.rename(3, "bound");
  auto edited = t.history.edit(1, "i0, i1 = sch.split(i, [None, 4])", environment());
  ASSERT_TRUE(edited) << edited.error().message.english();
  EXPECT_TRUE(edited->broken.empty());
  EXPECT_EQ(edited->changed, 3);
  EXPECT_EQ(edited->history.node(3).name, "bound");
  EXPECT_THAT(edited->history.node(3).script->text, HasSubstr("T.thread_binding(8, thread=\"blockIdx.x\")"));
  EXPECT_THAT(t.history.node(3).script->text, HasSubstr("T.thread_binding(4, thread=\"blockIdx.x\")"))
      << "the old tree";
}

TEST(History, AnEditThatBreaksALaterStepSaysWhich) {
  Target t = scheduled(kBound + "sch.vectorize(i1)\n");
  auto edited = t.history.edit(1, "i0 = sch.fuse(i, j)", environment());
  ASSERT_TRUE(edited) << edited.error().message.english();
  ASSERT_FALSE(edited->broken.empty());
  EXPECT_GT(edited->broken.front().node, 1);
  EXPECT_FALSE(edited->broken.front().error.message.english().empty());
  for (int at : edited->history.path(edited->history.current())) EXPECT_FALSE(edited->history.node(at).deleted);
  // What no longer applies is a state of before: the same step is refused now, and leads to none.
  const int broken = edited->broken.front().node;
  EXPECT_TRUE(edited->history.isBroken(broken));
  const std::string line = edited->history.node(broken).lines.back().source;
  auto again = edited->history.apply(edited->history.node(broken).parent, line, environment());
  EXPECT_TRUE(!again || again->refusal) << line;
  // Edited back, all of it applies again.
  auto back = edited->history.edit(1, t.history.node(1).lines.back().source, environment());
  ASSERT_TRUE(back) << back.error().message.english();
  EXPECT_TRUE(back->history.removed().empty());
  EXPECT_EQ(back->history.node(broken).script->text, t.history.node(broken).script->text);
}

TEST(History, AnEditThatIsRefusedItselfIsAnError) {
  Target t = scheduled(kBound);
  EXPECT_FALSE(t.history.edit(1, "i0, i1 = sch.split(i, [5, 5])", environment()));
  EXPECT_FALSE(t.history.edit(1, "not a step (", environment()));
  EXPECT_FALSE(t.history.edit(1, "", environment()));
  EXPECT_FALSE(t.history.edit(0, "sch.unroll(i)", environment()));
}

TEST(History, OnlyTheWayToWhatIsWantedComesBack) {
  Target t = scheduled(kBound);
  History& h = t.history;
  h.remove(2);
  EXPECT_EQ(h.current(), 1) << "the current state was inside";
  EXPECT_TRUE(h.node(2).deleted);
  EXPECT_TRUE(h.statesFrom(2).empty());
  const std::vector<int> removed = h.removed();
  EXPECT_EQ(removed, std::vector{2});
  h.reveal(2);
  EXPECT_EQ(h.statesFrom(2), std::vector{2}) << "what followed stays hidden";
  EXPECT_EQ(h.removed(), std::vector{3});
  h.reveal(3);
  EXPECT_TRUE(h.removed().empty() || h.removed().front() > 3);
  h.setRemoved(removed);
  EXPECT_EQ(h.removed(), removed);
  EXPECT_TRUE(h.hidden()[3]);
  h.remove(0);
  EXPECT_FALSE(h.node(0).deleted) << "the start can't go";
}

TEST(History, ItsScheduleMakesTheSameStateAgain) {
  Target t = scheduled(kBound);
  Target again = scheduled(t.history.schedule(3));
  EXPECT_EQ(again.history.node(again.history.current()).script->text, t.history.node(3).script->text);
}

}  // namespace
}  // namespace loom::document::history_test
