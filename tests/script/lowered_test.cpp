// Lowered programs as TVM prints them: T.launch_thread, functions without a block, what T.Buffer and T.var were.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/script/parser.h"
#include "core/script/printer.h"

using namespace loom;
using testing::HasSubstr;

namespace {

std::string printed(const std::string& text) {
  auto module = script::parseModule(text, "t.py");
  return module ? script::print(*module).text : "error: " + module.error().message.english();
}

// As TVM 0.22 prints it.
constexpr const char* kLaunched = R"(# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64, 64), "float32")):
        bx = T.launch_thread("blockIdx.x", 64)
        A_1 = T.Buffer((4096,), data=A.data)
        A_1[bx] = T.float32(0.0)
        for k in range(3):
            tx = T.launch_thread("threadIdx.x", 16)
            ty = T.launch_thread("threadIdx.y", 16)
            if T.likely(ty < 8):
                A_1[bx + tx] = T.float32(1.0))";

TEST(Lowered, LaunchedThreadsReadBackAsTheyArePrinted) { EXPECT_EQ(printed(kLaunched), kLaunched); }

TEST(Lowered, ALaunchThatOtherStatementsFollowIsAWith) {
  const std::string text = printed(
      R"(@T.prim_func
def main(A: T.Buffer((64,), "float32")):
    with T.launch_thread("threadIdx.x", 64) as tx:
        A[tx] = T.float32(0)
    A[0] = T.float32(1)
)");
  EXPECT_THAT(text, HasSubstr("        with T.launch_thread(\"threadIdx.x\", 64) as tx:\n            A[tx] ="));
}

TEST(Lowered, AFunctionWithoutABlockHasNoRoot) {
  EXPECT_THAT(printed("@T.prim_func\ndef main():\n    pass\n"), HasSubstr("def main():\n        T.evaluate(0)"));
}

TEST(Lowered, BuffersInSquareBracketsAndVarsAreThoseOfNow) {
  const std::string old =
      R"(@T.prim_func
def main(a: T.handle, B: T.Buffer[(16, 16), "float16"], C: T.Buffer[16]) -> None:
    s = T.var("int32")
    A = T.match_buffer(a, (16, 16), "float16", strides=[s, 1], offset_factor=1)
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
)";
  const std::string text = printed(old);
  EXPECT_THAT(text, HasSubstr("B: T.Buffer((16, 16), \"float16\"), C: T.Buffer((16,), \"float32\")"));
  EXPECT_THAT(text, HasSubstr("strides=(\"s\", 1)"));
}

TEST(LoweredRefusals, SayWhatALaunchNeeds) {
  auto message = [](const std::string& line) {
    return script::parseModule("@T.prim_func\ndef main(A: T.Buffer((8,), \"float32\")):\n    " + line + "\n", "t.py")
        .error()
        .message.english();
  };
  EXPECT_THAT(message("tx = T.launch_thread(\"threadIdx.x\", 1.5)"), HasSubstr("integer extent"));
  EXPECT_THAT(message("tx = T.launch_thread(\"threadIdx.x\")"), HasSubstr("'extent' is missing"));
  EXPECT_THAT(message("T.launch_thread(\"threadIdx.x\", 8)"), HasSubstr("name"));
  EXPECT_THAT(message("x = T.Buffer[()]"), HasSubstr("shape"));
}

}  // namespace
