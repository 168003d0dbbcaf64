// Whether a kernel is what it claims to be at some point of lowering: what a pass may rely on, checked between passes
// in builds with assertions and in tests.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::device {

// What is true of a kernel, pass by pass: a set of these.
namespace form {
constexpr unsigned kNoLanes = 1;    // no loop is to become the lanes of vectors
constexpr unsigned kNoVirtual = 2;  // no loop is one over virtual threads
constexpr unsigned kOrdered = 4;    // barriers stand where threads meet
constexpr unsigned kGuarded = 8;    // no statement is uncovered
constexpr unsigned kFlat = 16;      // accesses are by one index, the number of the element
constexpr unsigned kPlanned = 32;   // shared memory is laid out
// The program itself is sound: its indices lie inside and its own barriers are reached by all. No pass makes it so: a
// wrong program is lowered as it is, and the executor finds what is wrong with it.
constexpr unsigned kSound = 64;
constexpr unsigned kNoOverlap = 128;   // no loop says how its iterations overlap
constexpr unsigned kNoPromises = 256;  // no store is only to be started
}  // namespace form

// Checks the rules of device programs. Error "BadProgram" names the first statement, buffer or loop that breaks one:
//  - An access has as many indices as its buffer has dimensions (after `flatten`: one), and as many lanes as its value.
//  - Every name is declared (declared.h).
//  - An operation's places and values are those of its row; its tiles and spans are of the kind, size and memory that
//  the
//    row says.
//  - Allocations in shared memory begin at multiples of their alignment and don't overlap.
//  - Of a sound program, no index is outside for all threads, and no condition around a barrier, or an operation of a
//    group, parts the threads that execute it together.
//  - Where barriers stand: no tile of shared memory is accessed after another access of the buffer, one of which
//  writes,
//    before the threads of the block have met.
//  - What else `given` claims, a set of `form`'s, is true.
Result<void> verify(const Kernel& kernel, unsigned given);

}  // namespace loom::device
