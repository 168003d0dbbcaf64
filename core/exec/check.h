// Checks that a scheduled function still computes what the unscheduled one does, by executing both on the CPU and
// comparing their results. Elements count as equal if they differ by no more than rounding and the order of sums allow
// (uncertain.h).
#pragma once
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/exec/findings.h"
#include "core/exec/reference.h"
#include "core/ir/result.h"
#include "core/ir/symbols.h"

namespace loom::exec {

// The options of a check.
struct Options {
  double budget = 2;               // seconds of one core that `Checker::check` is to take at most, if `sample` is true
  std::uint64_t seed = 1;          // determines the inputs and the choice of what is run
  bool sample = true;              // whether to run only a part if all would exceed the budget; false: run everything
  std::int64_t compareAtMost = 0;  // about how many elements of each output to compare at most; 0: as the budget allows
  std::stop_token stop;            // ends a check early, with "Cancelled"
  ir::Numbers numbers;             // values of the functions' symbols, for which the check is made
};

// An element of an output that differs from the original's.
struct Mismatch {
  std::string buffer;                 // name of the output
  std::vector<std::int64_t> element;  // indices, by dimension
  double expected = 0, got = 0;       // the original's value, and the scheduled function's; 0: not written
  bool written = true;                // whether the scheduled function writes the element at all
};

// The result of a check.
struct Report {
  // Of several that hold: Wrong comes before Faults, Faults before NotCompared, NotCompared before Partly.
  enum class Status {
    Verified,     // everything was run, all elements of the outputs are equal, and no finding is a fault
    Partly,       // only a part was run or compared, or `unknownInputs` has names; no difference, no fault
    Wrong,        // an element differs or is never written
    Faults,       // no element differs, but there are findings that make the result undefined, such as races
    NotCompared,  // the part that was run computes no whole element of an output, or outputs have no elements
  };
  Status status = Status::Verified;
  std::int64_t compared = 0, total = 0;  // elements of outputs: compared, and written by either function in all
  bool sampled = false;                  // whether only a part was run
  // For each grid and loop of which only a part was run: how much of it, "3 of 16 iterations of i_0 in main_kernel".
  std::vector<Message> left;
  std::vector<Finding> findings;  // what else is wrong or wasteful in what was run; faults unless isFault is false
  // For each input whose values were limited so that indices, divisors and shifts that depend on them are valid: its
  // range, "G from 0 to 15".
  std::vector<Message> drawn;
  // Names of inputs for which no valid range of values is known, where the original function itself accesses elements
  // out of bounds, divides by zero or shifts too far with the values drawn. Results that depend on that weren't
  // compared.
  std::vector<std::string> unknownInputs;
  std::optional<Mismatch> first;  // nothing if all compared elements are equal and none is missing
  std::int64_t mismatches = 0;    // number of elements that differ or are never written
  // The lowering's error if the scheduled function can't be a kernel. It was then run in order by one thread, which
  // shows whether the steps are right, but says nothing about threads.
  std::optional<Error> inOrder;
  double milliseconds = 0;  // duration of the check, in ms
  // Returns whether all that was run is right.
  bool foundNothing() const { return status == Status::Verified || status == Status::Partly; }
};

// Returns "verified", "partly", "wrong", "faults" or "not_compared".
const char* nameOf(Report::Status status);
// Returns one line on a report: "verified: 4096 of 4096 elements compared; …".
Message describe(const Report& report);

// A checker computes the results of the original function once and compares any number of scheduled versions with them.
class Checker {
 public:
  // Makes a checker for a function, which it keeps. It takes no account of Options::budget and Options::stop. Errors as
  // those of Reference::create, and "ValueError" if Options::numbers has no valid value for one of its symbols.
  static Result<Checker> create(const ir::Function& original, Options options = {});

  // Checks a scheduled version; must not be called by two threads at a time. A function that can't be a kernel is run
  // in order (lower/sequential.h). Errors: "NotExecutable" for what the executor has no operation for; "NotComparable"
  // if the shapes or types of the parameters differ from the original's; "NotAKernel" if the function can't be a
  // kernel, and running it in order would show nothing because its threads need each other; "ValueError" if
  // Options::numbers has no valid value for one of its symbols; "Cancelled".
  Result<Report> check(const ir::Function& scheduled);

 private:
  void addOriginal(Report& report, bool metUnknown) const;
  // Removes findings that the original function has as well because of inputs whose valid values aren't known.
  Result<void> forgiveInputs(Report& report);
  // Faults of the original when one thread runs it, by kind and buffer; nothing until they are first needed.
  std::optional<std::set<std::pair<Finding::Kind, std::string>>> own_;
  Checker(Reference reference, Options options) : reference_(std::move(reference)), options_(std::move(options)) {}
  Reference reference_;
  Options options_;
};

// Checks one scheduled version. Errors as those of Checker.
Result<Report> check(const ir::Function& original, const ir::Function& scheduled, const Options& options = {});

}  // namespace loom::exec
