// cache_read of a block that reads a buffer at several places and says at which: tileloom.place.
#include "core/schedule/read_place.h"

#include <gmock/gmock.h>

#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "core/script/printer.h"

namespace loom::schedule::read_place_test {
namespace {

using testing::HasSubstr;
using testing::Not;

State product(const std::string& reads) {
  const std::string says = reads.empty() ? "" : "            T.reads(" + reads + ")\n            T.writes(C[vi, vj])\n";
  const std::string text = R"(from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((64, 32), "float32"), C: T.Buffer((64, 64), "float32")):
    for i, j, k in T.grid(64, 64, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
)" + says + R"(            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + X[vi, vk] * X[vj, vk]
)";
  return State::create(script::parseModule(text, "f.py").value()).value();
}

ReplayEnd replayed(const State& state, const std::string& lines) {
  return replayToEnd(state, script::parseSchedule(lines, "lines").value(), Environment{});
}

std::string copied(const State& state, int place) {
  const ReplayEnd end = replayed(state, "b = sch.get_block(\"C\")\nsch.annotate(b, \"tileloom.place\", " +
                                            std::to_string(place) + ")\nt = sch.cache_read(b, 0, \"global\")\n");
  return end.refusal ? end.refusal->message.english() : script::print(end.last.module()).text;
}

TEST(ReadPlace, IsRedirectedAlone) {
  for (const char* reads : {"", "X[vi, vk], X[vj, vk]"}) {
    const State state = product(reads);
    const std::string first = copied(state, 1), second = copied(state, 2);
    EXPECT_THAT(first, HasSubstr("C[vi, vj] + X_global[vi, vk] * X[vj, vk]"));
    EXPECT_THAT(first, HasSubstr("T.reads(X_global[vi, vk], X[vj, vk])"));
    EXPECT_THAT(second, HasSubstr("C[vi, vj] + X[vi, vk] * X_global[vj, vk]"));
    for (const std::string& text : {first, second}) EXPECT_THAT(text, Not(HasSubstr("tileloom.place")));
  }
}

TEST(ReadPlace, IsANumberOfAPlace) {
  for (const int place : {0, 3})
    EXPECT_EQ(copied(product(""), place),
              "tileloom.place of block C is a number from 1 to 2: at so many places it reads X");
}

// Reads that are listed in another order than the text has them: the number is one of the list.
TEST(ReadPlace, IsOfTheBufferThatTheListNames) {
  const std::string text = R"(from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((64, 32), "float32"), Y: T.Buffer((32, 64), "float32"), C: T.Buffer((64, 64), "float32")):
    for i, j, k in T.grid(64, 64, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(Y[vk, vj], X[0:64, vk])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + X[vi, vk] * X[vj, vk] * Y[vk, vj]
)";
  const State state = State::create(script::parseModule(text, "f.py").value()).value();
  const ReplayEnd end = replayed(
      state, "sch.annotate(sch.get_block(\"C\"), \"tileloom.place\", 1)\nt = sch.cache_read(\"C\", 1, \"global\")\n");
  ASSERT_FALSE(end.refusal) << end.refusal->message.english();
  EXPECT_THAT(script::print(end.last.module()).text, HasSubstr("X_global[vi, vk] * X[vj, vk] * Y[vk, vj]"));
}

// Without the annotation both reads go to the copy, as in TVM.
TEST(ReadPlace, IsEveryPlaceWithoutIt) {
  const ReplayEnd end = replayed(product(""), "t = sch.cache_read(\"C\", 0, \"global\")\n");
  ASSERT_FALSE(end.refusal);
  EXPECT_THAT(script::print(end.last.module()).text, HasSubstr("X_global[vi, vk] * X_global[vj, vk]"));
}

}  // namespace
}  // namespace loom::schedule::read_place_test
