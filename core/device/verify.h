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
}  // namespace form

// Error "BadProgram" that names the first statement, buffer or loop that breaks a rule:
//   an access has as many indices as its buffer has dimensions (after `flatten`: one), none of them outside for all
//   threads, and as many lanes as its value; its buffer and its variables are the kernel's;
//   an operation's places and values are those of its row, its tiles are of the kind, type and memory that the row
//   says; no condition around an operation of a group, or around a barrier, parts the threads that execute it together;
//   allocations in shared memory begin at multiples of their alignment and don't overlap;
//   and what `given` claims.
Result<void> verify(const Kernel& kernel, unsigned given);

}  // namespace loom::device
