// Buffers over another's pointer and threads launched twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/device/program.h"
#include "core/lower/lower.h"
#include "core/script/parser.h"

namespace loom::lower::aliases_test {
namespace {

using testing::HasSubstr;

// The device program's text, or the refusal's.
std::string lowered(const std::string& body) {
  auto module = script::parseModule(
      "@T.prim_func\ndef main(A: T.Buffer((4, 8), \"float32\"), C: T.Buffer((4, 8), \"float32\")):\n" + body, "f.py");
  EXPECT_TRUE(module) << (module ? "" : module.error().message.english());
  if (!module) return "";
  auto program = lower(module->functions.front());
  return program ? device::print(*program) : program.error().message.english();
}

TEST(Aliases, AFlatBufferOverAParametersPointerIsTheParameter) {
  const std::string plain = lowered(
      R"(    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 8)
    C[bx, tx] = A[bx, tx]
)");
  EXPECT_EQ(lowered(R"(    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 8)
    C_1 = T.Buffer((32,), data=C.data)
    A_1 = T.Buffer((32,), data=A.data)
    C_1[bx * 8 + tx] = A_1[bx * 8 + tx]
)"),
            plain);
}

TEST(Aliases, AThreadLaunchedWithinItselfIsItself) {
  const std::string text = lowered(
      R"(    tx = T.launch_thread("threadIdx.x", 8)
    with T.launch_thread("threadIdx.x", 8) as tx_1:
        C[0, tx_1] = A[0, tx]
)");
  EXPECT_EQ(text, lowered("    tx = T.launch_thread(\"threadIdx.x\", 8)\n    C[0, tx] = A[0, tx]\n"));
}

TEST(AliasRefusals, ElementsOfAnotherTypeAreNotTheSameMemory) {
  EXPECT_THAT(lowered(R"(    tx = T.launch_thread("threadIdx.x", 8)
    C_1 = T.Buffer((32,), "int32", data=C.data)
    C_1[tx] = 1
)"),
              HasSubstr("C_1"));
}

}  // namespace
}  // namespace loom::lower::aliases_test
