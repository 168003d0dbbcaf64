// Memory of nodes that threads keep and take again.
#include "core/ir/node_memory.h"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "core/ir/build.h"

namespace loom::ir::node_memory_test {
namespace {

constexpr std::size_t kBytes = 48;
using Memory = KeptMemory<kBytes>;

TEST(NodeMemory, WhatAThreadGivesBackItTakesAgain) {
  void *first = Memory::take(), *second = Memory::take();
  EXPECT_NE(first, second);
  Memory::give(first);
  Memory::give(second);
  EXPECT_EQ(Memory::take(), second);
  EXPECT_EQ(Memory::take(), first);
  Memory::give(first);
  Memory::give(second);
}

TEST(NodeMemory, OtherThreadsMayGiveBackAndEnd) {
  std::vector<void*> pieces;
  for (int n = 0; n < 10000; ++n) pieces.push_back(Memory::take());
  std::thread([&] {
    for (void* piece : pieces) Memory::give(piece);
    EXPECT_EQ(Memory::take(), pieces[4095]);  // it keeps so many
    Memory::give(pieces[4095]);
  }).join();
}

TEST(NodeMemory, NodesOutliveTheThreadThatMadeThem) {
  std::vector<Expr> made;
  std::thread([&] {
    for (int n = 0; n < 1000; ++n) made.push_back(intImm(n));
  }).join();
  std::thread([&] {
    for (int n = 0; n < 1000; ++n) made.push_back(intImm(n) + intImm(1));
    made.erase(made.begin(), made.begin() + 500);
  }).join();
  for (int n = 0; n < 500; ++n) EXPECT_EQ(asInt(made[std::size_t(n)])->value, 500 + n);
  for (int n = 0; n < 1000; ++n) EXPECT_EQ(asInt(made[std::size_t(500 + n)])->value, n + 1);
}

// What is one node says something (arith::IntSet::isPoint): two equal constants are two.
TEST(NodeMemory, EqualConstantsAreTwoNodes) { EXPECT_NE(intImm(4), intImm(4)); }

}  // namespace
}  // namespace loom::ir::node_memory_test
