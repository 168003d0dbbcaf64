#include "core/script/printed_trace.h"

#include <gtest/gtest.h>

#include "core/script/step_line.h"

namespace loom::script::printed_trace_test {
namespace {

TEST(PrintedTraces, AreTheirBodyAtTheLinesThatItStoodIn) {
  const std::string text =
      R"(# from tvm import tir
def apply_trace(sch: tir.Schedule) -> None:
  b0 = sch.get_block(name="C", func_name="main")

  l1, l2 = sch.get_loops(block=b0)
)";
  const std::string body = withoutTraceHeader(text);
  EXPECT_EQ(body, R"(

b0 = sch.get_block(name="C", func_name="main")

l1, l2 = sch.get_loops(block=b0)
)");
  auto calls = parseSchedule(body, "t.py");
  ASSERT_TRUE(calls) << calls.error().message.english();
  EXPECT_EQ(calls->back().place.line, 5);
}

// As `sch.trace.show()` formats it: four blanks, long calls over several lines, no comment sign before the import.
TEST(PrintedTraces, MayBeFormatted) {
  const std::string body = withoutTraceHeader(
      "from tvm import tir\n\n\ndef apply_trace(sch: tir.Schedule) -> None:\r\n"
      R"(    # enter
    l1, l2 = sch.split(
        loop=l0,
        factors=[None, 16],
    )
    sch.enter_postproc())");
  auto calls = parseSchedule(body, "t.py");
  ASSERT_TRUE(calls) << calls.error().message.english() << "\n" << body;
  ASSERT_EQ(calls->size(), 2U);
  EXPECT_EQ(calls->front().primitive(), "split");
}

TEST(PrintedTraces, WithoutInstructionsAreNothing) {
  for (const char* text : {"# from tvm import tir\ndef apply_trace(sch: tir.Schedule) -> None:\n  pass\n",
                           "def apply_trace(sch):", "def apply_trace(sch):\n\n"}) {
    auto calls = parseSchedule(withoutTraceHeader(text), "t.py");
    ASSERT_TRUE(calls) << text;
    EXPECT_TRUE(calls->empty());
  }
}

TEST(PrintedTraces, OtherTextsStayAsTheyAre) {
  for (const std::string text :
       {"", "\n", "b = sch.get_block(\"B\")\n", "def schedule(sch):\n  sch.get_block(\"B\")\n",
        "def apply_trace(sch):\nb = 1\n", "def apply_trace(sch):\n  sch.a()\nsch.b()\n",
        "def apply_trace(sch):\n    sch.a()\n  sch.b()\n", "x = 1\ndef apply_trace(sch):\n  sch.a()\n"}) {
    EXPECT_EQ(withoutTraceHeader(text), text);
  }
}

}  // namespace
}  // namespace loom::script::printed_trace_test
