#include <gtest/gtest.h>

#include "core/script/trace_json.h"

namespace loom::script::trace_test {
namespace {

using FieldPlace = TraceField::Place;

const TraceShape kSplit{"Split",
                        "split",
                        {{"loop", FieldPlace::Input},
                         {"factors", FieldPlace::RestInputs},
                         {"preserve_unit_iters", FieldPlace::BoolFlag},
                         {"disable_predication", FieldPlace::BoolFlag}}};
const TraceShape kFuse{"Fuse", "fuse", {{"", FieldPlace::SpreadInputs}, {"preserve_unit_iters", FieldPlace::IntFlag}}};
const TraceShape kCacheRead{"CacheRead",
                            "cache_read",
                            {{"block", FieldPlace::Input},
                             {"read_buffer_index", FieldPlace::Attribute},
                             {"storage_scope", FieldPlace::Attribute},
                             {"consumer_blocks", FieldPlace::OptionalList}}};
const TraceShape kAnnotate{
    "Annotate",
    "annotate",
    {{"block_or_loop", FieldPlace::Input}, {"ann_key", FieldPlace::Attribute}, {"ann_val", FieldPlace::Input}}};
const TraceShape kSetScope{
    "SetAxisSeparator",
    "set_axis_separator",
    {{"block", FieldPlace::Input}, {"buffer", FieldPlace::BufferSide}, {"axis_separators", FieldPlace::Attribute}}};
const TraceShape kSample{"SampleCategorical",
                         "sample_categorical",
                         {{"candidates", FieldPlace::Attribute}, {"probs", FieldPlace::Attribute}}};
const TraceShape kChildren{"GetChildBlocks", "get_child_blocks", {{"", FieldPlace::SpreadInputs}}, true};

// What TVM writes for one instruction, as JSON and as Python; both ways must agree.
void agrees(const std::string& instruction, const std::string& python, const TraceShape& shape,
            const std::string& decisions = "[]") {
  std::string text = "[[" + instruction + "], " + decisions + "]";
  auto read = readTraceJson(text, "trace.json");
  ASSERT_TRUE(read) << read.error().message.english();
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(writeTraceJson(*read), text);
  auto call = toCall(read->front(), shape);
  ASSERT_TRUE(call) << call.error().message.english();
  EXPECT_EQ(printCall(*call), python);
  auto back = toInstruction(*call, shape);
  ASSERT_TRUE(back) << back.error().message.english();
  EXPECT_EQ(writeTraceJson({*back}), text);
  EXPECT_TRUE(parseSchedule(python, "s.py")) << python;
}

TEST(Trace, AgreesWithTvmInJsonAndPython) {
  agrees(R"(["Split", ["l1", "None", 16], [true, false], ["l4", "l5"]])",
         "l4, l5 = sch.split(loop=l1, factors=[None, 16], preserve_unit_iters=True, disable_predication=False)",
         kSplit);
  agrees(R"(["Fuse", ["l11", "l14"], [1], ["l20"]])", "l20 = sch.fuse(l11, l14, preserve_unit_iters=True)", kFuse);
  agrees(R"(["CacheRead", ["b10", []], [0, "shared"], ["b22"]])",
         "b22 = sch.cache_read(block=b10, read_buffer_index=0, storage_scope=\"shared\")", kCacheRead);
  agrees(R"(["CacheRead", ["b0", ["b1"]], [0, "shared"], ["b2"]])",
         "b2 = sch.cache_read(block=b0, read_buffer_index=0, storage_scope=\"shared\", consumer_blocks=[b1])",
         kCacheRead);
  agrees(R"(["Annotate", ["b0", "\"text\""], ["note"], []])",
         "sch.annotate(block_or_loop=b0, ann_key=\"note\", ann_val=\"text\")", kAnnotate);
  agrees(R"(["Annotate", ["b0", {"tile": [1, 2], "name": "t"}], ["schedule_rule"], []])",
         "sch.annotate(block_or_loop=b0, ann_key=\"schedule_rule\", ann_val={\"tile\": [1, 2], \"name\": \"t\"})",
         kAnnotate);
  agrees(R"(["Annotate", ["l2", 0.5], ["ratio"], []])",
         "sch.annotate(block_or_loop=l2, ann_key=\"ratio\", ann_val=0.5)", kAnnotate);
  agrees(R"(["SetAxisSeparator", ["b0"], [0, 1, [1]], []])",
         "sch.set_axis_separator(block=b0, buffer=(\"write\", 0), axis_separators=[1])", kSetScope);
  agrees(R"(["SampleCategorical", [], [[8, 16, 32], [0.25, 0.5, 0.25]], ["v4"]])",
         "v4 = sch.sample_categorical(candidates=[8, 16, 32], probs=[0.25, 0.5, 0.25], decision=2)", kSample,
         "[[0, 2]]");
  agrees(R"(["GetChildBlocks", ["b75"], [], ["b76"]])", "b76, = sch.get_child_blocks(b75)", kChildren);
}

TEST(Trace, KeepsIndexMapsAsTheyAre) {
  std::string text = R"([[["TransformBlockLayout", ["b0"], ["{\n  \"root\": 1, \n  \"nodes\": []\n}"], []]], []])";
  auto read = readTraceJson(text, "t");
  ASSERT_TRUE(read);
  EXPECT_EQ(writeTraceJson(*read), text);
}

TEST(Trace, PrintsFloatsWithSeventeenDigits) {
  EXPECT_EQ(printValue(stepFloat(0.3)), "0.29999999999999999");
  EXPECT_EQ(printValue(stepFloat(3)), "3.0");
}

TEST(Trace, RefusesWhatIsNoTrace) {
  for (const char* text : {"", "[", "{}", "[[], [], []]", "[[1], []]", R"([[["Split", [], []]], []])",
                           R"([[["Split", [], [], [1]]], []])", "[[], [[0, 1]]]", "[[], [[-1, 1]]]"}) {
    auto read = readTraceJson(text, "trace.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, "ParseError");
    EXPECT_EQ(read.error().place.file, "trace.json");
  }
  EXPECT_FALSE(readTraceJson("[" + std::string(100000, '['), "t"));
  EXPECT_FALSE(readTraceJson("[[" + std::string(5000, '[') + std::string(5000, ']') + "], []]", "t"));
  auto bad = readTraceJson("[[],\n  x]", "t");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().place.line, 2);
  EXPECT_EQ(bad.error().place.column, 3);
}

TEST(Trace, RefusesInstructionsThatDoNotFitTheirShape) {
  EXPECT_FALSE(toCall({"Split", {}, {stepBool(true), stepBool(true)}, {}, {}}, kSplit));
  EXPECT_FALSE(toCall({"Split", {stepName("l")}, {stepBool(true)}, {}, {}}, kSplit));
  EXPECT_FALSE(toCall({"Annotate", {stepName("l"), stepInt(1), stepInt(2)}, {stepString("k")}, {}, {}}, kAnnotate));
  EXPECT_FALSE(toInstruction({"split", {{"loop", stepName("l")}}, {}, false, {}}, kSplit));
  EXPECT_FALSE(toInstruction({"annotate", {{"other", stepName("l")}}, {}, false, {}}, kAnnotate));
}

}  // namespace
}  // namespace loom::script::trace_test
