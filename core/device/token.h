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
  AsyncCopies,   // completed when all copies that the thread has started have landed; it alone then sees them
};

struct TokenRow {
  Token token = Token::BlockBarrier;
  Group group = Group::Thread;  // the threads that execute the wait together
  // True for a token that the arrival of the whole group completes: the wait signals it, too, and holds each thread
  // until all have come. False for one that other statements complete, for which a thread waits alone.
  bool byArrival = false;
  std::string_view text, print;  // the wait in CUDA and in printed programs, without the line's end
  std::string_view preamble;     // lines that a CUDA text begins with where a statement signals or awaits the token
};

// In the order of the enumerators.
inline constexpr std::array kTokens{
    TokenRow{Token::BlockBarrier, Group::Block, true, "__syncthreads();", "barrier", ""},
    // PTX ISA, cp.async.wait_all: the executing thread's copies, those that no group was made of among them.
    TokenRow{Token::AsyncCopies, Group::Thread, false, "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");",
             "wait for the thread's copies", ""},
};
constexpr const TokenRow& rowOf(Token token) { return kTokens.at(std::size_t(token)); }

}  // namespace loom::device
