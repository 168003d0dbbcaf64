// Memory and threads as lowered programs declare them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/script/parser.h"
#include "core/script/printer.h"

namespace loom::script {
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
      "    tx = T.launch_thread(\"threadIdx.x\", 32)\n"
      "    S = T.allocate([32], \"float32\", \"shared\")\n"
      "    S_1 = T.Buffer((32,), data=S, scope=\"shared\")\n"
      "    S_1[tx] = A[tx // 8, tx % 8]\n"
      "    C[tx // 8, tx % 8] = S_1[31 - tx]\n");
  EXPECT_THAT(text, HasSubstr("S = T.alloc_buffer((32,), scope=\"shared\")"));
  EXPECT_THAT(text, HasSubstr("= S[31 - tx]"));
  EXPECT_EQ(printed(""
                    "    tx = T.launch_thread(\"threadIdx.x\", 32)\n"
                    "    S = T.decl_buffer((32,), scope=\"shared\")\n"
                    "    S[tx] = A[tx // 8, tx % 8]\n"
                    "    C[tx // 8, tx % 8] = S[31 - tx]\n"),
            text);
}

TEST(LoweredMemory, ThreadsNamedBeforeTheyAreLaunchedAreLaunchedThreads) {
  const std::string launched = printed(
      "    bx = T.launch_thread(\"blockIdx.x\", 4)\n    tx = T.launch_thread(\"threadIdx.x\", 8)\n"
      "    C[bx, tx] = A[bx, tx]\n");
  EXPECT_EQ(printed("    bx = T.env_thread(\"blockIdx.x\")\n    tx = T.env_thread(\"threadIdx.x\")\n"
                    "    T.launch_thread(bx, 4)\n    T.launch_thread(tx, 8)\n    C[bx, tx] = A[bx, tx]\n"),
            launched);
  EXPECT_EQ(printed("    bx = T.env_thread(\"blockIdx.x\")\n    tx = T.env_thread(\"threadIdx.x\")\n"
                    "    with T.launch_thread(bx, 4):\n        with T.launch_thread(tx, 8):\n"
                    "            C[bx, tx] = A[bx, tx]\n"),
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
}  // namespace loom::script
