// The events that statements signal and wait for, a row each: all that printing, code generation, the executor and the
// models know of them. A new event is an enumerator with its row, and a pass that places the statements which signal it
// and wait for it.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "core/intrin/intrinsic.h"

namespace loom::device {

using Group = intrin::ExecutionGroup;

enum class Token : std::uint8_t {
  BlockBarrier,  // completed by the arrival of all threads of the block, which then see each other's writes
  // Counts groups of copies that a thread has started: completed when they have landed. The thread alone then sees what
  // they wrote.
  AsyncCopies,
};

struct TokenRow {
  Token token = Token::BlockBarrier;
  Group group = Group::Thread;  // the threads that execute the wait together
  // True for a token that the arrival of the whole group completes: the wait signals it, too, and holds each thread
  // until all have come. False for one that other statements complete, for which a thread waits alone.
  bool byArrival = false;
  // The wait in CUDA and in printed programs, without the line's end. "{allow}" stands for SyncNode::allow.
  std::string_view text, print;
  // The same of the statement that makes a group of all that its thread has started since the last one; empty for
  // tokens that don't count groups.
  std::string_view commitText, commitPrint;
  std::string_view preamble;     // lines that a CUDA text begins with where a statement signals or awaits the token
};

// In the order of the enumerators.
inline constexpr std::array kTokens{
    TokenRow{Token::BlockBarrier, Group::Block, true, "__syncthreads();", "barrier", "", "", ""},
    // PTX ISA, cp.async.commit_group and cp.async.wait_group: of the executing thread's groups all but the latest
    // `allow` have landed.
    TokenRow{Token::AsyncCopies, Group::Thread, false, "cp_async_wait<{allow}>();",
             "wait for copies, all but the latest {allow} groups", "cp_async_commit();", "commit copies",
             "__device__ __forceinline__ void cp_async_commit() { asm volatile(\"cp.async.commit_group;\" ::: "
             "\"memory\"); }\n"
             "template <int kAllow>\n"
             "__device__ __forceinline__ void cp_async_wait() {\n"
             "  asm volatile(\"cp.async.wait_group %0;\" ::\"n\"(kAllow) : \"memory\");\n"
             "}\n"},
};
constexpr const TokenRow& rowOf(Token token) { return kTokens.at(std::size_t(token)); }

}  // namespace loom::device
