// States as values: identity over steps, refusals that change nothing, arguments, legality menus.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/schedule/block_info.h"
#include "core/schedule/combined_refusal.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::schedule::state_test {
namespace {

const std::string kProduct = tests::programText("product", {{"M", 100}, {"N", 96}, {"K", 64}});

State start() { return *State::create(*script::parseModule(kProduct, "matmul")); }

Replay run(const char* lines) { return replay(start(), *script::parseSchedule(lines, "lines"), Environment{}); }

Id loopOf(const State& state, const char* name) { return std::get<LoopRef>(state.lookup(name)->handles.at(0)).id; }

constexpr const char* kLoopsOfProduct = "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\n";

TEST(State, LoopsThatAStepDoesNotTouchKeepTheirIds) {
  auto done = run((std::string(kLoopsOfProduct) + "i0, i1 = sch.split(i, [None, 16])\nsch.reorder(k, j)").c_str());
  ASSERT_FALSE(done.refusal);
  EXPECT_TRUE(done.last.tree().isLoop(loopOf(done.last, "j")));
  EXPECT_TRUE(done.last.tree().isLoop(loopOf(done.last, "k")));
  EXPECT_FALSE(done.last.tree().contains(loopOf(done.last, "i")));
}

// What is known of a nest that a step left as it was is what would be found anew.
TEST(State, FlagsOfBlocksThatAreKeptAreThoseThatAreFoundAnew) {
  const State begin = *State::create(
      *script::parseModule(tests::programText("relu_of_a_product", {{"M", 96}, {"N", 100}, {"K", 64}}), "relu"));
  const std::string all = tests::scheduleText("tiles_of_two_nests");
  for (std::size_t end = all.find('\n'); end != std::string::npos; end = all.find('\n', end + 1)) {
    const std::string lines = all.substr(0, end + 1);
    const Replay done = replay(begin, *script::parseSchedule(lines, "lines"), Environment{});
    ASSERT_FALSE(done.refusal) << done.refusal->message.english() << lines;
    Program kept = done.last.program(), anew = kept;
    anew.known = nullptr;
    computeBlockInfo(kept, kept.tree().root(0));
    computeBlockInfo(anew, anew.tree().root(0));
    ASSERT_EQ(kept.infos.size(), anew.infos.size());
    for (const auto& [block, info] : anew.infos) {
      const BlockInfo& other = kept.infos.at(block);
      EXPECT_EQ(info.affineBinding, other.affineBinding) << lines;
      EXPECT_EQ(info.regionCover, other.regionCover) << lines;
      EXPECT_EQ(info.stagePipeline, other.stagePipeline) << lines;
    }
  }
}

// Lines that are applied to what other lines made, each counted from 1 on.
TEST(State, WhatALaterReplayMakesHasOtherIds) {
  std::set<Id> ids;
  std::size_t all = 0;
  const auto step = [](const State& state, const char* lines) {
    return replayToEnd(state, *script::parseSchedule(lines, "lines"), Environment{});
  };
  ReplayEnd end{start(), std::nullopt};
  for (const char* lines : {"x = sch.cache_read(\"C\", 0, \"shared\")", "y = sch.cache_read(\"C\", 1, \"shared\")",
                            "sch.compute_inline(\"A_shared\")", "x = sch.cache_write(\"C\", 0, \"local\")"}) {
    end = step(end.last, lines);
    ASSERT_FALSE(end.refusal) << end.refusal->message;
  }
  for (const Tree::Node& node : end.last.tree().nodes()) {
    ids.insert(node.id), ++all;
    if (!node.isBlock) continue;
    for (const ir::Buffer& buffer : end.last.tree().block(node.id)->allocs) ids.insert(buffer->id), ++all;
  }
  EXPECT_EQ(ids.size(), all);
}

TEST(Refusal, IsOneLineWhateverNamesTheProgramHas) {
  for (const char* lines :
       {"sch.get_block(\"a\\nb\")", "b = sch.get_block(\"C\")\nsch.bind(sch.get_loops(b)[0], \"x\\ny\")",
        "sch.cache_read(\"C\", 0, \"sha\\nred\")", "sch.tensorize(sch.get_block(\"C\"), \"q\\nr\")"}) {
    auto done = run(lines);
    ASSERT_TRUE(done.refusal) << lines;
    EXPECT_EQ(done.refusal->message.english().find('\n'), std::string::npos) << done.refusal->message.english();
    EXPECT_NE(done.refusal->message.english().find("\\n"), std::string::npos) << done.refusal->message.english();
  }
}

// TVM makes copies of such blocks, in which no variable is bound.
TEST(Refusal, OfBlocksThatNoBlockCanHoldTogether) {
  const std::string copied = std::string(kLoopsOfProduct) + "a = sch.cache_read(b, 0, \"shared\")\n";
  for (const char* line : {"sch.blockize([a, a])", "o = sch.blockize(k)\nsch.blockize([a, b])"}) {
    auto done = run((copied + line).c_str());
    ASSERT_TRUE(done.refusal) << line;
    EXPECT_EQ(done.refusal->code, "InternalError") << line;
    EXPECT_EQ(done.refusal->message.english().find("mistake"), std::string::npos) << done.refusal->message.english();
  }
}

Error mismatch(const std::string& intrinsic, const std::string& what) {
  Error error = fail("TensorIntrinMismatchError",
                     verbatim("The block does not compute what " + intrinsic + " does: " + what + " is a, not b"))
                    .value();
  error.numbers = {{"intrinsic", intrinsic}, {"what", what}, {"found", "a"}, {"wanted", "b"}};
  return error;
}

TEST(JointRefusal, TellsEachWayInWhichIntrinsicsDifferOnce) {
  EXPECT_EQ(combinedRefusal({mismatch("one", "index")}).message.english(), mismatch("one", "index").message.english());
  EXPECT_EQ(combinedRefusal({mismatch("one", "index"), mismatch("two", "scope"), mismatch("three", "index")})
                .message.english(),
            "The block does not compute what one and 1 more do: index is a, not b\n"
            "The block does not compute what two does: scope is a, not b");
  std::vector<Error> many;
  for (const char* what : {"a", "b", "c", "d", "e", "f"}) many.push_back(mismatch("one", what));
  EXPECT_TRUE(combinedRefusal(many).message.english().ends_with("\nIn 2 more ways others differ"));
  const Error other = fail("ValueError", verbatim("no")).value();
  EXPECT_EQ(combinedRefusal({other, mismatch("one", "index")}).message.english(), "no")
      << "of what is no intrinsic, the first";
}

TEST(State, IdsDoNotDependOnTheArgumentsOfTheStep) {
  auto one = run((std::string(kLoopsOfProduct) + "i0, i1 = sch.split(i, [None, 16])").c_str());
  auto other = run((std::string(kLoopsOfProduct) + "i0, i1 = sch.split(i, [None, 4])").c_str());
  EXPECT_EQ(loopOf(one.last, "i1"), loopOf(other.last, "i1"));
}

TEST(State, NewLoopsKnowWhatTheyWereMadeFrom) {
  auto done = run((std::string(kLoopsOfProduct) + "i0, i1 = sch.split(i, [None, 16])").c_str());
  auto* origin = done.last.origin(loopOf(done.last, "i1"));
  ASSERT_NE(origin, nullptr);
  EXPECT_EQ(origin->primitive, "split");
  EXPECT_EQ(origin->parents, std::vector<Id>{loopOf(done.last, "i")});
  EXPECT_EQ(done.last.origin(loopOf(done.last, "j")), nullptr);
}

TEST(State, ARefusedStepChangesNothing) {
  auto before = run(kLoopsOfProduct).last;
  auto calls = script::parseSchedule("sch.bind(k, \"blockIdx.x\")", "lines");
  auto applied = apply(before, 9, calls->at(0), Environment{});
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, "WrongBlockIterTypeError");
  EXPECT_EQ(before.tree().loop(loopOf(before, "k"))->forKind, ir::ForKind::Serial);
}

TEST(State, LookingAroundSharesTheProgram) {
  State state = start();
  auto done = replay(state, *script::parseSchedule(kLoopsOfProduct, "lines"), Environment{});
  EXPECT_EQ(&done.last.program(), &state.program());
  EXPECT_TRUE(done.steps.empty());
}

TEST(State, ChangesNameWhatAStepMadeRemovedAndRewrote) {
  auto before = run(kLoopsOfProduct).last;
  auto done = replay(before, *script::parseSchedule("\n\ni0, i1 = sch.split(i, [None, 16])", "lines"), Environment{});
  auto what = changes(before, done.last);
  EXPECT_EQ(what.added, (std::vector<Id>{loopOf(done.last, "i0"), loopOf(done.last, "i1")}));
  EXPECT_EQ(what.removed, std::vector<Id>{loopOf(done.last, "i")});
  EXPECT_EQ(what.modified.size(), 1u);  // the block: its values and its predicate
}

TEST(State, ChangesNameWhatWasMoved) {
  const auto before = run(kLoopsOfProduct).last;
  auto moved = [&](const char* step) {
    return changes(before, replay(before, *script::parseSchedule(step, "lines"), Environment{}).last);
  };
  const auto what = moved("\n\nsch.reorder(k, i, j)");
  EXPECT_EQ(what.moved, std::vector<Id>{loopOf(before, "k")}) << "i and j stand as they did";
  EXPECT_TRUE(what.modified.empty());
  EXPECT_EQ(what.altered(), what.moved);
  EXPECT_TRUE(moved("\n\ni0, i1 = sch.split(i, [None, 16])").moved.empty());
}

struct Refused {
  const char* line;
  const char* code;
};

class Refusal : public testing::TestWithParam<Refused> {};

TEST_P(Refusal, HasPythonsClass) {
  auto done = run((std::string(kLoopsOfProduct) + GetParam().line).c_str());
  ASSERT_TRUE(done.refusal);
  EXPECT_EQ(done.refusal->code, GetParam().code) << done.refusal->message.english();
  EXPECT_EQ(done.refusal->place.line, 3);
  EXPECT_FALSE(done.refusal->message.english().empty());
}

INSTANTIATE_TEST_SUITE_P(
    Lines, Refusal,
    testing::Values(Refused{"sch.split(i)", "TypeError"}, Refused{"sch.split(i, [2], [3])", "TypeError"},
                    Refused{"sch.split(i, [None, 2], factor=3)", "TypeError"},
                    Refused{"sch.split(i, [None, 2], loop=i)", "TypeError"}, Refused{"sch.split(i, 2)", "TypeError"},
                    Refused{"sch.split(i, [None, 2], preserve_unit_iters=1)", "TypeError"},
                    Refused{"x, y, z = sch.split(i, [None, 2])", "ValueError"},
                    Refused{"x, y = sch.fuse(i, j)", "TypeError"}, Refused{"x = sch.get_loops(b)[3]", "IndexError"},
                    Refused{"sch.unroll(*b)", "TypeError"}, Refused{"sch.unroll(nobody)", "NameError"},
                    Refused{"sch.no_such_primitive(b)", "AttributeError"},
                    Refused{"sch.get_loops(\"D\")", "NotSingleResult"}, Refused{"sch.work_on(\"other\")", "ValueError"},
                    Refused{"sch.split(i, [None, 2147483648])", "InternalError"},
                    Refused{"sch.split(i, [T.nothing(2)])", "TypeError"}));

// The sentence names what is wrong, not what is right.
TEST(Factors, ThatDoNotFitAreToldApart) {
  for (const auto& [factors, said] : std::vector<std::pair<std::string, std::string>>{
           {"[1.5, 2]", "not a list with a float as number 0"},
           {"[2, \"a\"]", "not a list with a string as number 1"},
           {"[None, [2]]", "not a list with a list as number 1"},
           {"3", "not an integer"},
           {"[]", "There is no factor"},
           {"[0, None]", "factors[0] is 0; factors are positive"},
           {"[None, -4]", "factors[1] is -4; factors are positive"},
           {"[None, None]", "Only one factor may be left open"},
           {"[2, 2]", "The factors' product is 4, less than the loop's extent"},
           {"[65536, 65536]", "The factors' product is more than int32 holds"}}) {
    auto done = run((std::string(kLoopsOfProduct) + "sch.split(i, " + factors + ")").c_str());
    ASSERT_TRUE(done.refusal) << factors;
    EXPECT_NE(done.refusal->message.english().find(said), std::string::npos)
        << factors << ": " << done.refusal->message.english();
  }
}

TEST(Lines, SlicesCountAsInPython) {
  auto done = run((std::string(kLoopsOfProduct) +
                   "x, y = sch.get_loops(b)[-2:]\nz, = sch.get_loops(b)[5:0:-2]\n*r, s = sch.get_loops(b)")
                      .c_str());
  ASSERT_FALSE(done.refusal) << done.refusal->message.english();
  EXPECT_EQ(loopOf(done.last, "x"), loopOf(done.last, "j"));
  EXPECT_EQ(loopOf(done.last, "z"), loopOf(done.last, "k"));
  EXPECT_EQ(done.last.lookup("r")->handles.size(), 2u);
  EXPECT_EQ(loopOf(done.last, "s"), loopOf(done.last, "k"));
}

TEST(Candidates, OfALoopForBlockIdxLeaveTheReductionOut) {
  auto state = run(kLoopsOfProduct).last;
  Value k{Handle(LoopRef{loopOf(state, "k")})};
  auto found = candidates(state, *findInstruction("bind"), {k}, Environment{});
  auto of = [&](const char* axis) {
    return *std::find_if(found.begin(), found.end(), [&](const Candidate& c) {
      return c.value.as<std::string>() && *c.value.as<std::string>() == axis;
    });
  };
  ASSERT_TRUE(of("blockIdx.x").refusal);
  EXPECT_EQ(of("blockIdx.x").refusal->code, "WrongBlockIterTypeError");
  EXPECT_FALSE(of("threadIdx.x").refusal);
}

TEST(Candidates, OfFactorsAreTheDivisorsFirst) {
  auto state = run(kLoopsOfProduct).last;
  Value i{Handle(LoopRef{loopOf(state, "i")})};
  auto found = candidates(state, *findInstruction("split"), {i}, Environment{});
  ASSERT_GT(found.size(), 9u);
  EXPECT_EQ(found[1].text, "[None, 2]");
  EXPECT_EQ(found[2].text, "[None, 4]");
  EXPECT_TRUE(std::all_of(found.begin(), found.end(), [](const Candidate& c) { return !c.refusal; }));
}

TEST(Candidates, OfChainsToFuseRefuseBoundLoops) {
  auto state = run((std::string(kLoopsOfProduct) + "sch.bind(j, \"threadIdx.x\")").c_str()).last;
  auto found = candidates(state, *findInstruction("fuse"), {}, Environment{});
  ASSERT_EQ(found.size(), 3u);  // i, j; i, j, k; j, k
  for (const auto& candidate : found) EXPECT_TRUE(candidate.refusal) << candidate.text;
}

TEST(Candidates, OfAParameterAreNotRefusedForThoseThatComeAfterIt) {
  auto state = run((std::string(kLoopsOfProduct) + "sch.cache_read(b, 0, \"shared\")").c_str()).last;
  auto found = candidates(state, *findInstruction("storage_align"), {}, Environment{});
  const bool some = std::any_of(found.begin(), found.end(), [](const Candidate& c) { return !c.refusal; });
  EXPECT_TRUE(some) << "the first buffer of a block and its first dimension can be aligned";
}

TEST(Table, EveryRowIsComplete) {
  for (const auto& row : instructions()) {
    EXPECT_NE(row.apply, nullptr) << row.name;
    // Help says what to do, in a sentence: "Cut a loop …."
    EXPECT_TRUE(row.en.ends_with('.') && !row.en.substr(0, row.en.find(' ')).ends_with('s')) << row.name << row.en;
    EXPECT_TRUE(row.zh.ends_with("。")) << row.name << row.zh;
    for (const auto& parameter : row.parameters) {
      EXPECT_FALSE(parameter.en.empty()) << row.name << " " << parameter.name;
      EXPECT_FALSE(parameter.zh.empty()) << row.name << " " << parameter.name;
    }
    EXPECT_EQ(findInstruction(row.name), &row);
  }
}

// TVM's tir.Schedule makes a module of a single function in which it is called main.
TEST(Function, ASingleOneIsMainWhateverItsName) {
  std::string text = kProduct;
  text.replace(text.find("def main"), 8, "def mine");
  const auto state = State::create(*script::parseModule(text, "mine")).value();
  auto run = [&](const char* lines) { return replay(state, *script::parseSchedule(lines, "lines"), Environment{}); };
  EXPECT_FALSE(run("b = sch.get_block(name=\"C\", func_name=\"main\")\ni, j, k = sch.get_loops(b)").refusal);
  EXPECT_FALSE(run("sch.work_on(\"main\")\nb = sch.get_block(\"C\")").refusal);
  EXPECT_FALSE(run("b = sch.get_block(\"C\", \"mine\")").refusal);
  EXPECT_TRUE(run("b = sch.get_block(\"C\", \"other\")").refusal);
  const auto two = State::create(*script::parseModule(tests::programText("two_functions"), "two")).value();
  EXPECT_TRUE(replay(two, *script::parseSchedule("sch.work_on(\"main\")", "lines"), Environment{}).refusal)
      << "of several none is";
}

}  // namespace
}  // namespace loom::schedule::state_test
