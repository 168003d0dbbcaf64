// cache_read of a block that makes something of each element it reads: tileloom.value.
#include "core/schedule/read_value.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "core/script/printer.h"
#include "tests/schedules/schedule_text.h"

namespace loom::schedule::read_value_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A function whose block Y sums `value` over iterators up to `loops`, all of ten steps or fewer.
std::string functionOf(const std::string& parameters, const std::string& loops, const std::string& value) {
  return fmt::format(R"(from tvm.script import tir as T


@T.prim_func
def main({}, Y: T.Buffer((8, 10), "float32")):
    for o, h, c, r in T.grid({}):
        with T.block("Y"):
            vo, vh, vc, vr = T.axis.remap("SSRR", [o, h, c, r])
            with T.init():
                Y[vo, vh] = T.float32(0)
            Y[vo, vh] = Y[vo, vh] + {}
)",
                     parameters, loops, value);
}

// The program after a cache_read of the read `index` of block Y with the annotation; or why it is refused.
std::string copied(const std::string& text, int index = 0) {
  const State state = State::create(script::parseModule(text, "f.py").value()).value();
  const std::string lines = fmt::format(
      "sch.annotate(sch.get_block(\"Y\"), \"tileloom.value\", 1)\nt = sch.cache_read(\"Y\", {}, \"global\")\n", index);
  const ReplayEnd end = replayToEnd(state, script::parseSchedule(lines, "lines").value(), Environment{});
  return end.refusal ? end.refusal->message.english() : script::print(end.last.module()).text;
}

const std::string kFilter = R"(W: T.Buffer((8, 4, 3), "float16"))";
const std::string kImage = R"(X: T.Buffer((4, 10), "float16"), )" + kFilter;

// Zeros around an image: the copy has an element for each place that is read, beyond the image, too.
TEST(ReadValue, OfAConvolutionIsTheImageWithItsZeros) {
  const std::string padded = copied(functionOf(
      kImage, "8, 10, 4, 3",
      R"(T.Cast("float32", T.if_then_else(1 <= vh + vr and vh + vr < 11, X[vc, vh + vr - 1], T.float16(0))) * T.Cast("float32", W[vo, vc, vr]))"));
  EXPECT_THAT(padded, HasSubstr("X_global = T.alloc_buffer((4, 12), \"float16\")"));
  EXPECT_THAT(padded, HasSubstr("X_global[v0, v1] = T.if_then_else(1 <= v1 and v1 < 11, X[v0, v1 - 1], T.float16(0"));
  EXPECT_THAT(padded, HasSubstr("T.Cast(\"float32\", X_global[vc, vh + vr]) * T.Cast(\"float32\", W[vo, vc, vr])"));
  EXPECT_THAT(padded, HasSubstr("T.reads(X_global[vc, vh + vr], W[vo, vc, vr])"));
  EXPECT_THAT(padded, Not(HasSubstr("tileloom.value")));
}

// A cast that only widens stays with the block, also where it stands inside of the choice.
TEST(ReadValue, IsCopiedAsShortAsItIs) {
  const std::string padded = copied(functionOf(
      kImage, "8, 10, 4, 3",
      R"(T.if_then_else(1 <= vh + vr and vh + vr < 11, T.Cast("float32", X[vc, vh + vr - 1]), T.float32(0)) * T.Cast("float32", W[vo, vc, vr]))"));
  EXPECT_THAT(padded, HasSubstr("X_global = T.alloc_buffer((4, 12), \"float16\")"));
  EXPECT_THAT(padded, HasSubstr("T.Cast(\"float32\", X_global[vc, vh + vr])"));
}

// Every second step of a transposed convolution: indices that run backwards begin at 0, and what divides them goes.
TEST(ReadValue, HasADimensionForEachWayOfGoing) {
  const std::string parts = copied(functionOf(
      R"(X: T.Buffer((4, 10), "float16"), )" + kFilter, "8, 10, 4, 3",
      R"(T.Cast("float32", T.if_then_else(0 <= vh - vr and (vh - vr) % 2 == 0, X[vc, (vh - vr) // 2], T.float16(0))) * T.Cast("float32", W[vo, vc, vr]))"));
  EXPECT_THAT(parts, HasSubstr("X_global[v0, v1] = T.if_then_else(0 <= v1 - 2 and (v1 - 2) % 2 == 0"));
  EXPECT_THAT(parts, HasSubstr("X_global[vc, vh + vr * -1 + 2]"));
  const std::string strided = copied(functionOf(
      R"(X: T.Buffer((4, 40), "float16"), )" + kFilter, "8, 10, 4, 3",
      R"(T.Cast("float32", T.if_then_else(2 <= vh * 4 + vr * 2, X[vc, vh * 4 + vr * 2 - 2], T.float16(0))) * T.Cast("float32", W[vo, vc, vr]))"));
  EXPECT_THAT(strided, HasSubstr("X_global = T.alloc_buffer((4, 21), \"float16\")"));
  EXPECT_THAT(strided, HasSubstr("X_global[vc, vh * 2 + vr]"));
}

// Weights with a scale for each column: elements of both are in the value.
TEST(ReadValue, MayReadOtherBuffersToo) {
  const std::string scaled = copied(
      functionOf(R"(X: T.Buffer((4, 3, 10), "float16"), Q: T.Buffer((8, 4, 3), "int8"), s: T.Buffer((8,), "float16"))",
                 "8, 10, 4, 3",
                 R"(T.Cast("float32", X[vc, vr, vh]) * T.Cast("float32", T.Cast("float16", Q[vo, vc, vr]) * s[vo]))"),
      1);
  EXPECT_THAT(scaled, AllOf(HasSubstr("Q_global = T.alloc_buffer((8, 4, 3), \"float16\")"),
                            HasSubstr("Q_global[v0, v1, v2] = T.Cast(\"float16\", Q[v0, v1, v2]) * s[v0]"),
                            HasSubstr("* T.Cast(\"float32\", Q_global[vo, vc, vr])")));
}

TEST(ReadValue, IsCopiedForThatBlockAlone) {
  const std::string text =
      functionOf(
          kImage, "8, 10, 4, 3",
          R"(T.if_then_else(1 <= vh + vr and vh + vr < 11, T.Cast("float32", X[vc, vh + vr - 1]), T.float32(0)) * T.Cast("float32", W[vo, vc, vr]))") +
      R"(    for o, h in T.grid(8, 10):
        with T.block("Z"):
            vo, vh = T.axis.remap("SS", [o, h])
            Z[vo, vh] = X[0, vh]
)";
  std::string withZ = text;
  withZ.replace(withZ.find(", Y: T.Buffer"), 0, ", Z: T.Buffer((8, 10), \"float16\")");
  const State state = State::create(script::parseModule(withZ, "f.py").value()).value();
  for (const auto& [consumers, message] : {std::pair("\"Y\"", ""), {"\"Z\"", "it alone reads the copy"}}) {
    const std::string lines = fmt::format(
        "sch.annotate(sch.get_block(\"Y\"), \"tileloom.value\", 1)\n"
        "t = sch.cache_read(\"Y\", 0, \"global\", consumer_blocks=[sch.get_block({})])\n",
        consumers);
    const ReplayEnd end = replayToEnd(state, script::parseSchedule(lines, "lines").value(), Environment{});
    EXPECT_THAT(end.refusal ? end.refusal->message.english() : "", HasSubstr(message)) << consumers;
    EXPECT_EQ(end.refusal.has_value(), *message != 0) << (end.refusal ? end.refusal->message.english() : "");
  }
}

// The copy would stand before the loop, in which the values are only made.
TEST(ReadValue, IsRefusedWhereItsLoopsWriteWhatItReads) {
  const std::string why = copied(tests::programText("value_written_beside"));
  EXPECT_EQ(why, "The loops around the block Y hold the block P, which writes what the copy before them would read");
}

TEST(ReadValue, IsRefusedWhereThePlaceAloneDoesNotSayIt) {
  const std::string why = "Block Y makes nothing of an element of X that its place alone says";
  const auto product = [&](const std::string& factor) {
    return functionOf(kImage, "8, 10, 4, 3", factor + R"( * T.Cast("float32", W[vo, vc, vr]))");
  };
  // An element as it is, only cast.
  EXPECT_EQ(copied(product(R"(T.Cast("float32", X[vc, vh]))")), why);
  // A condition on an iterator that isn't in the index.
  EXPECT_EQ(copied(product(R"(T.Cast("float32", T.if_then_else(vr < 2, X[vc, vh], T.float16(0))))")), why);
  // One that is there in another sum.
  EXPECT_EQ(copied(product(R"(T.Cast("float32", T.if_then_else(vh < 7, X[vc, vh + vr - 2], T.float16(0))))")), why);
  // Steps of five with three numbers each: between them the copy would read what the block doesn't.
  EXPECT_EQ(copied(product(R"(T.Cast("float32", T.if_then_else(vh * 5 + vr < 9, X[vc, vh * 5 + vr], T.float16(0))))")),
            why);
}

}  // namespace
}  // namespace loom::schedule::read_value_test
