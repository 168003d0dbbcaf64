// Memory and threads as lowered programs declare them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/script/parser.h"
#include "core/script/printer.h"

namespace loom::script::lowered_memory_test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHead =
    "@T.prim_func\ndef main(A: T.Buffer((4, 8), \"float32\"), C: T.Buffer((4, 8), \"float32\")):\n";

std::string printed(const std::string& body) {
  auto module = parseModule(kHead + body, "f.py");
  EXPECT_TRUE(module) << (module ? "" : module.error().message.english());
  return module ? print(*module).text : "";
}

TEST(LoweredMemory, AllocateIsAnAllocationAndABufferOverItsPointerIsIt) {
  const std::string text = printed(
      R"(    tx = T.launch_thread("threadIdx.x", 32)
    S = T.allocate([32], "float32", "shared")
    S_1 = T.Buffer((32,), data=S, scope="shared")
    S_1[tx] = A[tx // 8, tx % 8]
    C[tx // 8, tx % 8] = S_1[31 - tx]
)");
  EXPECT_THAT(text, HasSubstr("S = T.alloc_buffer((32,), scope=\"shared\")"));
  EXPECT_THAT(text, HasSubstr("= S[31 - tx]"));
  EXPECT_EQ(printed(R"(    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((32,), scope="shared")
    S[tx] = A[tx // 8, tx % 8]
    C[tx // 8, tx % 8] = S[31 - tx]
)"),
            text);
}

TEST(LoweredMemory, ThreadsNamedBeforeTheyAreLaunchedAreLaunchedThreads) {
  const std::string launched = printed(
      R"(    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 8)
    C[bx, tx] = A[bx, tx]
)");
  EXPECT_EQ(printed(R"(    bx = T.env_thread("blockIdx.x")
    tx = T.env_thread("threadIdx.x")
    T.launch_thread(bx, 4)
    T.launch_thread(tx, 8)
    C[bx, tx] = A[bx, tx]
)"),
            launched);
  EXPECT_EQ(printed(R"(    bx = T.env_thread("blockIdx.x")
    tx = T.env_thread("threadIdx.x")
    with T.launch_thread(bx, 4):
        with T.launch_thread(tx, 8):
            C[bx, tx] = A[bx, tx]
)"),
            launched);
}

TEST(LoweredMemory, WhatAProgramWasCompiledForIsPassedOver) {
  const std::string text = printed(
      "    T.func_attr({\"target\": T.target({\"kind\": \"cuda\", \"arch\": \"sm_80\"}), \"a\": metadata[\"X\"][0], "
      "\"tir.noalias\": T.bool(True)})\n    C[0, 0] = A[0, 0]\n");
  EXPECT_THAT(text, HasSubstr("T.func_attr({\"tir.noalias\": T.bool(True)})"));
}

TEST(LoweredMemoryRefusals, SayWhatIsWrong) {
  const auto refused = [](const std::string& body) {
    auto module = parseModule(kHead + body, "f.py");
    return module ? std::string("(parsed)") : module.error().message.english();
  };
  EXPECT_THAT(refused("    S = T.allocate(4, \"float32\")\n"), HasSubstr("list of extents"));
  EXPECT_THAT(refused("    S = T.allocate([-4], \"float32\")\n"), HasSubstr("negative"));
  EXPECT_THAT(refused("    S = T.allocate([4], \"float32\", \"shared\")\n    R = T.Buffer((4,), data=S)\n"),
              HasSubstr("scope \"shared\""));
  EXPECT_THAT(refused("    T.launch_thread(A, 4)\n"), HasSubstr("a string"));
  EXPECT_THAT(refused("    n = T.int32()\n    T.launch_thread(n, 4)\n"), HasSubstr("T.env_thread"));
}

}  // namespace
}  // namespace loom::script::lowered_memory_test
